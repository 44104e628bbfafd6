// Other ways to tag a sentence: for each tag of a word that is not in the best sequence, the best sequence with it.
// Unlike the k best sequences, they differ all over the sentence, and each of them is as good as its tag allows.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "tagging/candidates.hpp"
#include "tagging/chain_lattice.hpp"
#include "tagging/sequence_model.hpp"
#include "tagging/tagger.hpp"

namespace headwise::tagging {

// One for each thread. Sequences are of labels, not of candidates.
class Detours {
 public:
  explicit Detours(const Tagger& tagger)
      : tagger_(&tagger), choices_(tagger), scorer_(tagger.tags().shape) {}

  // The best sequence; then detours that score at most `margin` less, the best first, `most` of them.
  std::vector<RankedSequence> find(const Sentence& sentence, double margin, int most) {
    const ChainLattice& lattice = score_lattice(sentence);
    std::vector<RankedSequence> found;
    const double best = viterbi_.solve(lattice, labels_);
    add_to(found, best);
    if (lattice.words() == 0) return found;
    const std::vector<int> first = labels_;
    detours_.solve(lattice);
    for (int i = 0; i < lattice.words(); ++i)
      for (int t = 0; t < lattice.width(i); ++t) {
        if (t == first[at(i)]) continue;
        const double score = detours_.score(lattice, i, t);
        if (!(score >= best - margin)) continue;
        detours_.sequence(lattice, i, t, labels_);
        add_to(found, score);
      }
    const auto others = found.begin() + 1;
    std::sort(others, found.end(), [](const RankedSequence& a, const RankedSequence& b) {
      return a.score != b.score ? a.score > b.score : a.labels < b.labels;
    });
    // One sequence may be the best for several tags, its score a little different where sums had another order.
    std::vector<RankedSequence> kept;
    for (RankedSequence& sequence : found) {
      if (kept.size() > static_cast<std::size_t>(most)) break;
      const auto same = [&](const RankedSequence& other) { return other.labels == sequence.labels; };
      if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(std::move(sequence));
    }
    return kept;
  }

  // What a sequence scores, each label a candidate of its word; −inf where one is not.
  double score(const Sentence& sentence, std::span<const int> labels) {
    const ChainLattice& lattice = score_lattice(sentence);
    double total = 0;
    int v = 0, u = 0;
    for (int i = 0; i < lattice.words(); ++i) {
      const auto word = choices_.candidates.of(i);
      const auto t = std::find(word.begin(), word.end(), labels[at(i)]);
      if (t == word.end()) return kImpossible;
      const int place = static_cast<int>(t - word.begin());
      total += lattice.score(i, v, u, place);
      v = u;
      u = place;
    }
    return total;
  }

 private:
  const ChainLattice& score_lattice(const Sentence& sentence) {
    tagger_->find_choices(sentence, choices_);
    scorer_.assign(choices_.atoms, choices_.candidates);
    return scorer_.score(0, sentence.size(), tagger_->tags().weights.data());
  }
  void add_to(std::vector<RankedSequence>& found, double score) const {
    RankedSequence sequence{{}, score};
    for (std::size_t i = 0; i < labels_.size(); ++i)
      sequence.labels.push_back(choices_.candidates.of(static_cast<int>(i))[at(labels_[i])]);
    found.push_back(std::move(sequence));
  }

  const Tagger* tagger_;
  Tagger::Choices choices_;
  SequenceScorer scorer_;
  ChainViterbi viterbi_;
  ChainDetours detours_;
  std::vector<int> labels_;
};

}  // namespace headwise::tagging
