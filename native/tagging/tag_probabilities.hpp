// How probable the tags of a sentence are: of all its tag sequences, p ∝ exp(score / temperature), the share of those in
// which a word has the same part of speech (or another column) as in the sentence.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <span>
#include <vector>

#include "tagging/tagger.hpp"

namespace headwise::tagging {

// One for each thread.
class TagProbabilities : public Tagger::Choices {
 public:
  explicit TagProbabilities(const Tagger& tagger)
      : Tagger::Choices(tagger), tagger_(&tagger), scorer_(tagger.tags().shape) {}

  // Calls f(k, word, probability) for every temperature k and every word, from 0.
  template <class F>
  void find(const Sentence& sentence, Column column, std::span<const double> temperatures, F f) {
    const int n = sentence.size();
    tagger_->find_choices(sentence, *this);
    scorer_.assign(atoms, candidates);
    ChainLattice& lattice = scorer_.score(0, n, tagger_->tags().weights.data());
    double scale = 1.0;  // of the scores as they are now
    for (std::size_t k = 0; k < temperatures.size(); ++k) {
      for (double& score : lattice.scores()) score *= scale / temperatures[k];
      scale = temperatures[k];
      sums_.solve(lattice);
      for (int i = 0; i < n; ++i) f(k, i, probability(sentence, column, lattice, i));
    }
  }

 private:
  double probability(const Sentence& sentence, Column column, const ChainLattice& lattice, int i) const {
    const auto wanted = sentence.field(i + 1, column);
    double same = 0;
    int others = 0;
    for (int t = 0; t < lattice.width(i); ++t) {
      if (tagger_->tag_set().labels.field(scorer_.label(i, t) + 1, column) != wanted) {
        ++others;
        continue;
      }
      for (int u = 0; u < lattice.width(i - 1); ++u) same += sums_.state(lattice, i, u, t);
    }
    return others == 0 ? 1.0 : same < 1.0 ? same : 1.0;
  }

  const Tagger* tagger_;
  SequenceScorer scorer_;
  ChainSums sums_;
};

}  // namespace headwise::tagging
