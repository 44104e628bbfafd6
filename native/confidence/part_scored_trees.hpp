// Projective trees under higher-order scores, over the arcs that pruning left: inside-outside as the
// factorization has it.
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "confidence/scored_trees.hpp"
#include "parsing/higher_order_parser.hpp"
#include "trees/search.hpp"

namespace headwise::confidence {

class PartScoredTrees final : public ScoredTrees {
 public:
  // The sentence that `parser` has parsed last.
  PartScoredTrees(HigherOrderParser& parser, const HigherOrderShape& shape) : parser_(&parser), shape_(&shape) {}

  double sum(double temperature, std::vector<double>& probabilities) override {
    const Candidates& arcs = parser_->candidates();
    scores_.divide(parser_->tables(), temperature);
    arc_probabilities_.assign(at(arcs.arcs()), 0.0);
    PartMarginals marginals;
    marginals.labels = arc_probabilities_.data();
    const double log_z = sum_projective_trees(shape_->factorization, arcs, shape_->base.single_root, scores_.scores(),
                                              marginals, sums_);
    const int nodes = arcs.nodes();
    probabilities.assign(at(nodes) * at(nodes), 0.0);
    for (int arc = 0; arc < arcs.arcs(); ++arc)
      probabilities[at(arcs.head(arc)) * at(nodes) + at(arcs.modifier(arc))] = arc_probabilities_[at(arc)];
    return log_z;
  }

  double score(std::span<const int> heads) override { return parser_->tree_score(heads); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  HigherOrderParser* parser_;
  const HigherOrderShape* shape_;
  CandidateTables scores_;
  std::vector<double> arc_probabilities_;
  SumScratch sums_;
};

}  // namespace headwise::confidence
