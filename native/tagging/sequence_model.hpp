// A global linear model over label sequences: features → a scored lattice → sequences, or their sums.
//
// A model without label history (no templates with u or v) is a classifier: then each word is a sequence
// of its own, and the same code serves both.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "tagging/candidates.hpp"
#include "tagging/chain_lattice.hpp"
#include "tagging/lattice_scorer.hpp"
#include "tagging/sequence_features.hpp"

namespace headwise::tagging {

struct SequenceShape {
  SequenceTemplates templates;
  std::uint32_t mask;  // table size less one; a power of two
  std::shared_ptr<const WordView> words{};  // how words are looked at; none: as sentences have them
};

// One stretch of words that are searched together, and its scored lattice.
class SequenceScorer {
 public:
  explicit SequenceScorer(const SequenceShape& shape) : shape_(&shape), features_(shape.templates) {}

  void assign(const Atoms& atoms, const Candidates& candidates) {
    features_.assign(atoms);
    candidates_ = &candidates;
  }

  // Calls f(first, count) for the stretches of a sentence: all of it, or each word where labels have no history.
  template <class F>
  void for_each_stretch(F f) const {
    const int n = candidates_->words();
    if (shape_->templates.has_history()) return f(0, n);
    for (int word = 0; word < n; ++word) f(word, 1);
  }

  // The lattice of the words first … first + count - 1.
  ChainLattice& score(int first, int count, const float* weights) {
    first_ = first;
    widths_.clear();
    for (int i = 0; i < count; ++i) widths_.push_back(static_cast<int>(candidates_->of(first + i).size()));
    lattice_.assign(widths_);
    lattice_scorer_.score(features_, *candidates_, first, shape_->mask, weights, lattice_);
    return lattice_;
  }

  // The features of candidates of the stretch scored last: t of word i, u of i - 1, v of i - 2.
  template <class F>
  void emission(int i, int t, F f) const {
    features_.emission(first_ + i, label(i, t), shape_->mask, f);
  }
  template <class F>
  void bigram(int i, int u, int t, F f) const {
    features_.bigram(first_ + i, label(i - 1, u), label(i, t), shape_->mask, f);
  }
  template <class F>
  void trigram(int i, int v, int u, int t, F f) const {
    features_.trigram(first_ + i, label(i - 2, v), label(i - 1, u), label(i, t), shape_->mask, f);
  }

  int label(int i, int candidate) const {
    return i < 0 ? SequenceTemplates::start : candidates_->of(first_ + i)[at(candidate)];
  }

 private:
  const SequenceShape* shape_;
  const Candidates* candidates_ = nullptr;
  SequenceFeatures features_;
  LatticeScorer lattice_scorer_;
  ChainLattice lattice_;
  std::vector<int> widths_;
  int first_ = 0;
};

// The best labels of a sentence; returns their score.
class SequenceDecoder {
 public:
  explicit SequenceDecoder(const SequenceShape& shape) : scorer_(shape) {}

  double decode(const Atoms& atoms, const Candidates& candidates, const float* weights, std::vector<int>& labels) {
    scorer_.assign(atoms, candidates);
    labels.resize(static_cast<std::size_t>(candidates.words()));
    double total = 0;
    scorer_.for_each_stretch([&](int first, int count) {
      if (count == 1 && candidates.of(first).size() == 1) {  // nothing to decide
        labels[at(first)] = candidates.of(first)[0];
        return;
      }
      total += viterbi_.solve(scorer_.score(first, count, weights), best_);
      for (int i = 0; i < count; ++i)
        labels[at(first + i)] = scorer_.label(i, best_[at(i)]);
    });
    return total;
  }

 private:
  SequenceScorer scorer_;
  ChainViterbi viterbi_;
  std::vector<int> best_;
};

}  // namespace headwise::tagging
