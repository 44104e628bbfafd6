// A network beside a tagger: weight · log p(tag | word, sentence) is added to what features say of a tag, wherever tags are
// scored. The network belongs to a parser, which reads the same words with it later. Where the parser has several, the
// mean of their log-probabilities counts.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "parsing/parser_model.hpp"
#include "scoring/network/network_scorer.hpp"
#include "tagging/candidates.hpp"

namespace headwise::tagging {

struct TagNetwork {
  std::vector<const NetworkScorerShape*> members;
  WeightTables tables;
  std::shared_ptr<const WordView> words;  // how it looks at words
  double weight;
};

// The network of a parser, which must stay where it is.
inline TagNetwork network_of(const ParserModel& parser, double weight) {
  if (!(weight >= 0 && std::isfinite(weight)))
    throw std::invalid_argument("the weight of a network must be a number that is not negative");
  TagNetwork network{{}, parser.tables(), parser.shape().words, weight};
  for (const auto& scorer : parser.shape().scorers)
    if (const auto* member = dynamic_cast<const NetworkScorerShape*>(scorer.get())) {
      member->encoded().keep_for_others();
      network.members.push_back(member);
    }
  if (network.members.empty()) throw std::invalid_argument("the parser has no network");
  return network;
}

// One for each thread.
class TagListener {
 public:
  explicit TagListener(const TagNetwork& network)
      : weight_(network.weight / static_cast<double>(network.members.size())),
        atoms_(sentences_at_once, Atoms(network.words)),
        other_atoms_(network.words) {
    for (const NetworkScorerShape* member : network.members)
      scorers_.push_back(member->make_tag_scorer(network.tables));
  }

  // Sentences that are about to be tagged, no more than `sentences_at_once`. They must stay as they are until the next
  // ones are expected.
  void expect(std::span<const Sentence* const> sentences) {
    for (std::size_t i = 0; i < sentences.size(); ++i) atoms_[i].assign(*sentences[i]);
    for (const auto& scorer : scorers_) scorer->expect(std::span(atoms_).first(sentences.size()));
    expected_.assign(sentences.begin(), sentences.end());
  }

  // Says what it thinks of the tags that each word may have.
  void add_to(const Sentence& sentence, Candidates& candidates) {
    const Atoms& atoms = atoms_of(sentence);
    scores_.clear();
    for (const auto& scorer : scorers_) scores_.push_back(&scorer->read(atoms));
    for (int i = 0; i < candidates.words(); ++i)
      for (const int label : candidates.of(i)) {
        double opinion = 0;
        for (const Matrix* scores : scores_) opinion += weight_ * static_cast<double>(scores->row(i + 1)[label]);
        candidates.opinions.push_back(opinion);
      }
  }

 private:
  const Atoms& atoms_of(const Sentence& sentence) {
    for (std::size_t i = 0; i < expected_.size(); ++i)
      if (expected_[i] == &sentence) return atoms_[i];
    other_atoms_.assign(sentence);
    return other_atoms_;
  }

  double weight_;  // of each
  std::vector<std::unique_ptr<TagScorer>> scorers_;
  std::vector<const Matrix*> scores_;
  std::vector<const Sentence*> expected_;
  std::vector<Atoms> atoms_;  // of those
  Atoms other_atoms_;
};

}  // namespace headwise::tagging
