// Projective trees under higher-order scores, over the arcs that pruning left: inside-outside as the
// factorization has it.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "confidence/scored_trees.hpp"
#include "expectations.hpp"
#include "higher_order/parser.hpp"
#include "sum_of_weights.hpp"

namespace headwise {

class PartScoredTrees final : public ScoredTrees {
 public:
  // The sentence that `parser` has parsed last.
  PartScoredTrees(HigherOrderParser& parser, const HigherOrderShape& shape) : parser_(&parser), shape_(&shape) {}

  double sum(double temperature, std::vector<double>& probabilities) override {
    const Candidates& arcs = parser_->candidates();
    const PartScores scores = divided(arcs, temperature);
    const bool single_root = shape_->base.single_root;
    arc_probabilities_.assign(at(arcs.arcs()), 0.0);
    const double log_z = [&] {
      switch (shape_->factorization) {
        case Factorization::carreras:
          return sum_over(Carreras(arcs, single_root), scores);
        case Factorization::model0:
          return sum_over(Model0(arcs, single_root), scores);
        case Factorization::model2:
          return sum_over(Model2(arcs, single_root), scores);
        default:  // as in the search
          return sum_over(Model1(arcs, single_root), scores);
      }
    }();
    const int nodes = arcs.nodes();
    probabilities.assign(at(nodes) * at(nodes), 0.0);
    for (int arc = 0; arc < arcs.arcs(); ++arc)
      probabilities[at(arcs.head(arc)) * at(nodes) + at(arcs.modifier(arc))] = arc_probabilities_[at(arc)];
    return log_z;
  }

  double score(std::span<const int> heads) override { return parser_->tree_score(heads); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  PartScores divided(const Candidates& arcs, double temperature) {
    tables_.divide(parser_->tables(), temperature);
    arc_scores_.resize(at(arcs.arcs()));
    for (int arc = 0; arc < arcs.arcs(); ++arc)
      arc_scores_[at(arc)] =
          parser_->arc_scores()[at(arcs.head(arc)) * at(arcs.nodes()) + at(arcs.modifier(arc))] / temperature;
    return tables_.scores(arc_scores_.data());
  }

  template <class Trees>
  double sum_over(const Trees& trees, const PartScores& scores) {
    const Scaled total = inside(SumOfWeights{}, trees, scores, chart_, scratch_);
    PartMarginals marginals;
    marginals.labels = arc_probabilities_.data();
    part_marginals(trees, scores, chart_, scratch_, usage_, marginals);
    return total.log();
  }

  HigherOrderParser* parser_;
  const HigherOrderShape* shape_;
  PartScorer::Tables tables_;
  std::vector<double> arc_scores_, arc_probabilities_;
  SumOfWeights::Chart chart_;
  SumOfWeights::Scratch scratch_;
  std::vector<double> usage_;
};

}  // namespace headwise
