// The parts of a sentence whose words have one of several tags (Koo's thesis, B.5.1): what a parser of larger parts
// scores where tags are still to be chosen. Arcs and parts are between nodes, words with a tag; the words around a node
// are seen with the tags of the first reading.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <span>
#include <vector>

#include "parsing/pruner.hpp"
#include "parsing/shape.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/part_scorer.hpp"

namespace headwise::parsing {

// One for each thread. For parsers whose scores are those of features.
class SenseParts {
 public:
  SenseParts(const ParserShape& shape, const WeightTables& tables);

  // readings[0] is the sentence, readings[k] the same with another tag for retagged[k - 1], in the order of words.
  void score(std::span<const Atoms> readings, std::span<const int> retagged);

  // Of the sentence that was scored last. Each reading has a tree: the best one of the pruning model is there.
  const Candidates& candidates() const { return *arcs_; }
  const CandidateTables& scores() const { return scores_; }

 private:
  void list_nodes(int words, std::span<const int> retagged);
  void prune(std::span<const Atoms> readings);
  bool survives(int h, int m) const;

  const ParserShape* shape_;
  WeightTables tables_;
  Scorers scorers_;
  Pruner pruner_;
  ArcFeatures arc_features_;
  PartScorer parts_;
  std::vector<Atoms> seen_;
  std::vector<TaggedNodes::Node> nodes_;
  std::vector<int> counts_;
  std::vector<ArcFlags> flags_;  // of each reading
  std::optional<Candidates> arcs_;
  CandidateTables scores_;
};

}  // namespace headwise::parsing
