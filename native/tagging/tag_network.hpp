// A network beside a tagger: weight · log p(tag | word, sentence) is added to what features say of a tag, wherever tags are
// scored. The network belongs to a parser, which reads the same words with it later.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <span>
#include <vector>

#include "scoring/network/network_scorer.hpp"
#include "tagging/candidates.hpp"

namespace headwise::tagging {

struct TagNetwork {
  const NetworkScorerShape* scorer;
  WeightTables tables;
  std::shared_ptr<const WordView> words;  // how it looks at words
  double weight;
};

// One for each thread.
class TagListener {
 public:
  explicit TagListener(const TagNetwork& network)
      : network_(&network),
        scorer_(network.scorer->make_tag_scorer(network.tables)),
        atoms_(sentences_at_once, Atoms(network.words)),
        other_atoms_(network.words) {}

  // Sentences that are about to be tagged, no more than `sentences_at_once`. They must stay as they are until the next
  // ones are expected.
  void expect(std::span<const Sentence* const> sentences) {
    for (std::size_t i = 0; i < sentences.size(); ++i) atoms_[i].assign(*sentences[i]);
    scorer_->expect(std::span(atoms_).first(sentences.size()));
    expected_.assign(sentences.begin(), sentences.end());
  }

  // Says what it thinks of the tags that each word may have.
  void hear(const Sentence& sentence, Candidates& candidates) {
    const Matrix& scores = scorer_->read(atoms_of(sentence));
    for (int i = 0; i < candidates.words(); ++i)
      for (const int label : candidates.of(i))
        candidates.opinions.push_back(network_->weight * static_cast<double>(scores.row(i + 1)[label]));
  }

 private:
  const Atoms& atoms_of(const Sentence& sentence) {
    for (std::size_t i = 0; i < expected_.size(); ++i)
      if (expected_[i] == &sentence) return atoms_[i];
    other_atoms_.assign(sentence);
    return other_atoms_;
  }

  const TagNetwork* network_;
  std::unique_ptr<TagScorer> scorer_;
  std::vector<const Sentence*> expected_;
  std::vector<Atoms> atoms_;  // of those
  Atoms other_atoms_;
};

}  // namespace headwise::tagging
