// The score of features that look at the whole tree, which no dynamic program can search for: a weight table, a
// sentence, and a tree that changes by one arc at a time.
//
// There are three kinds, by what an arc from h to m changes:
//   kin.hpp                                   the parts that the arc belongs to;
//   spans.hpp, valency.hpp, crossing.hpp            features at a word: those of h and of the words above it;
//   coordination.hpp, attachment.hpp, branching.hpp features at few words, which are all looked at again.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "scoring/whole_tree/attachment.hpp"
#include "scoring/whole_tree/branching.hpp"
#include "scoring/whole_tree/coordination.hpp"
#include "scoring/whole_tree/crossing.hpp"
#include "scoring/whole_tree/kin.hpp"
#include "scoring/whole_tree/sentence_words.hpp"
#include "scoring/whole_tree/spans.hpp"
#include "scoring/whole_tree/valency.hpp"
#include "trees/local_search/whole_tree_scorer.hpp"

namespace headwise::scoring {

struct WholeTreeFamilies {
  bool span_length = false, neighbours = false, valency = false, crossing = false, coordination = false,
       attachment = false, branching = false;
  bool any() const {
    return span_length || neighbours || valency || crossing || coordination || attachment || branching;
  }
};

struct WholeTreeFeatures {
  WholeTreeFamilies families;
  WordKinds kinds;
  KinTemplates kin;
  bool any() const { return families.any() || kin.any(); }
};

class WholeTreeScore final : public WholeTreeScorer {
 public:
  explicit WholeTreeScore(const WholeTreeFeatures& shape, int restarts = 0) : shape_(&shape), restarts_(restarts) {}

  int restarts() const override { return restarts_; }

  // Another sentence, or other weights.
  void read(const Atoms& atoms, const float* weights, std::uint32_t mask) {
    words_.assign(shape_->kinds, atoms);
    kin_.assign(shape_->kin, atoms);
    weights_ = weights;
    mask_ = mask;
  }

  double assign(const LinkedTree& tree) override {
    spans_.assign(tree);
    at_words_.assign(static_cast<std::size_t>(tree.words()) + 1, {});
    double total = 0;
    for_each_kin(tree, [&](Kin kind, int a, int b, int c, int d) { total += score(kind, a, b, c, d); });
    for (int v = 0; v <= tree.words(); ++v) total += change_at(tree, v, {.span = true, .modifiers = true}, true);
    at_few_words_ = 0;
    return total + change_at_few_words(tree, true);
  }

  double attached(const LinkedTree& tree, int m) override { return of_kin(tree, m) + above(tree, m, true); }
  double would_add(const LinkedTree& tree, int m) override { return of_kin(tree, m) + above(tree, m, false); }

  double before_detaching(const LinkedTree& tree, int m) override { return of_kin(tree, m); }
  double after_detaching(const LinkedTree& tree, int h, int m) override {
    double gained = 0;
    const int lost = spans_.of(m).size;
    for (int v = h; v != nobody; v = tree.head(v)) {
      const Spans::Span before = spans_.of(v);
      spans_.of(v) = spans_.without(tree, v, lost);
      gained += change_at(tree, v, {.span = !spans_.of(v).is_like(before), .modifiers = v == h}, true);
    }
    return -(gained + change_at_few_words(tree, true));
  }

  // f(index) for every feature of a tree of the sentence.
  template <class F>
  void for_each_feature(const LinkedTree& tree, F f) {
    for_each_kin(tree, [&](Kin kind, int a, int b, int c, int d) {
      kin_.for_each(kind, a, b, c, d, mask_, f);
    });
    for_each_hash(tree, [&](std::uint64_t hash) { f(weight_of(hash, mask_)); });
  }

  // The same for all but kin, before the numbers are cut to the size of the table.
  template <class F>
  void for_each_hash(const LinkedTree& tree, F f) {
    spans_.assign(tree);
    for (int v = 0; v <= tree.words(); ++v) {
      of_span(v, f);
      of_modifiers(tree, v, f);
      of_crossing(tree, v, f);
    }
    of_few_words(tree, f);
  }

 private:
  struct AtWord {
    double span = 0, modifiers = 0, crossing = 0;
    double total() const { return span + modifiers + crossing; }
  };
  struct Changed {
    bool span, modifiers;
  };

  template <class Emit>
  void of_span(int v, Emit emit) const {
    if (v == 0) return;
    if (shape_->families.span_length) span_length_features(words_, spans_, v, emit);
    if (shape_->families.neighbours) neighbour_features(words_, spans_, v, emit);
  }
  template <class Emit>
  void of_modifiers(const LinkedTree& tree, int v, Emit emit) const {
    if (shape_->families.valency) valency_features(words_, tree, v, emit);
  }
  template <class Emit>
  void of_crossing(const LinkedTree& tree, int v, Emit emit) const {
    if (shape_->families.crossing) crossing_features(words_, tree, spans_, v, emit);
  }
  template <class Emit>
  void of_few_words(const LinkedTree& tree, Emit emit) const {
    if (shape_->families.coordination)
      for (const int k : words_.conjunctions()) coordination_features(words_, tree, spans_, k, emit);
    if (shape_->families.attachment)
      for (const int p : words_.adpositions()) attachment_features(words_, tree, p, emit);
    if (shape_->families.branching) branching_features(words_, tree, emit);
  }

  // The sum of the weights of the features that list(emit) emits.
  template <class List>
  double sum(List list) const {
    double total = 0;
    list([&](std::uint64_t hash) { total += weights_[weight_of(hash, mask_)]; });
    return total;
  }

  // Spans are right already. Returns the difference to what was kept last.
  double change_at(const LinkedTree& tree, int v, Changed changed, bool keep) {
    AtWord& kept = at_words_[at(v)];
    AtWord now = kept;
    if (changed.span) now.span = sum([&](auto emit) { of_span(v, emit); });
    if (changed.modifiers) now.modifiers = sum([&](auto emit) { of_modifiers(tree, v, emit); });
    now.crossing = sum([&](auto emit) { of_crossing(tree, v, emit); });
    const double difference = now.total() - kept.total();
    if (keep) kept = now;
    return difference;
  }
  double change_at_few_words(const LinkedTree& tree, bool keep) {
    const double now = sum([&](auto emit) { of_few_words(tree, emit); }), difference = now - at_few_words_;
    if (keep) at_few_words_ = now;
    return difference;
  }

  // What is gained above a new modifier m, and at few words.
  double above(const LinkedTree& tree, int m, bool keep) {
    double gained = 0;
    before_.clear();
    for (int v = tree.head(m); v != nobody; v = tree.head(v)) {
      const Spans::Span before = spans_.of(v);
      before_.push_back(before);
      spans_.of(v) = spans_.with(v, m);
      gained += change_at(tree, v, {.span = !spans_.of(v).is_like(before), .modifiers = v == tree.head(m)}, keep);
    }
    gained += change_at_few_words(tree, keep);
    if (keep) return gained;
    std::size_t i = 0;
    for (int v = tree.head(m); v != nobody; v = tree.head(v)) spans_.of(v) = before_[i++];
    return gained;
  }

  double of_kin(const LinkedTree& tree, int m) const {
    double total = 0;
    for_each_kin_of_arc(
        tree, m, [&](Kin kind, int a, int b, int c, int d) { total += score(kind, a, b, c, d); },
        [&](Kin kind, int a, int b, int c, int d) { total -= score(kind, a, b, c, d); });
    return total;
  }
  double score(Kin kind, int a, int b, int c, int d) const {
    float total = 0;
    kin_.for_each(kind, a, b, c, d, mask_, [&](std::uint32_t index) { total += weights_[index]; });
    return total;
  }

  const WholeTreeFeatures* shape_;
  int restarts_;
  const float* weights_ = nullptr;
  std::uint32_t mask_ = 0;
  SentenceWords words_;
  KinFeatures kin_;
  Spans spans_;
  std::vector<AtWord> at_words_;
  double at_few_words_ = 0;
  std::vector<Spans::Span> before_;
};

}  // namespace headwise::scoring
