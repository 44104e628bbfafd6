// The judge of a higher-order parser: exact over projective trees, an estimate over all trees. The pruner's
// probabilities speak for the arcs that were pruned (in very long sentences they are weights of heads).
#pragma once
#include "rooms.hpp"
#include "confidence/expansion.hpp"
#include "confidence/judge.hpp"
#include "confidence/part_scored_trees.hpp"

namespace headwise::confidence {

class HigherOrderJudge final : public Judge {
 public:
  // How much of the background is for arcs that even the pruner never considered.
  static constexpr double filtered_share = 0.01;

  HigherOrderJudge(const HigherOrderShape& shape, const Weights& weights, const float* pruner_weights)
      : Judge(shape.base, weights.labels),
        shape_(&shape),
        weights_(weights),
        pruner_weights_(pruner_weights),
        parser_(shape),
        parts_(parser_, shape) {}

 protected:
  void parse(const Atoms& atoms, ParseResult& result) override {
    n_ = atoms.words();
    parser_.parse(atoms, weights_, pruner_weights_, Decoder::map, result);
    if (shape_->base.projective) return;
    expand_around(parser_, result.heads, expanded_);
    expansion_.assign(expanded_, n_, false, shape_->base.single_root);
  }

  void background(std::vector<double>& probabilities) override {
    probabilities = parser_.pruner().probabilities();
    spread_heads(probabilities, n_, filtered_share);
  }

  const Matrix* label_opinion(std::span<const int> heads) override { return parser_.label_opinion(weights_, heads); }

  ScoredTrees& trees() override {
    if (shape_->base.projective) return parts_;
    return expansion_;
  }

 private:
  const HigherOrderShape* shape_;
  Weights weights_;
  const float* pruner_weights_;
  HigherOrderParser parser_;
  PartScoredTrees parts_;
  ArcScoredTrees expansion_;
  std::vector<double> expanded_;
  int n_ = 0;
};

}  // namespace headwise::confidence
