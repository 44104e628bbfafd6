// The judge of a first-order parser: exact. Arcs outside the filter are all alike to it.
#pragma once
#include "rooms.hpp"
#include "parsing/arc_parser.hpp"
#include "confidence/judge.hpp"

namespace headwise::confidence {

class ArcJudge final : public Judge {
 public:
  ArcJudge(const ParserShape& shape, const Weights& weights)
      : Judge(shape, weights.labels), shape_(&shape), weights_(weights), parser_(shape) {}

 protected:
  void parse(const Atoms& atoms, ParseResult& result) override {
    n_ = atoms.words();
    parser_.parse(atoms, weights_, Decoder::map, result);
    trees_.assign(parser_.scores(), n_, shape_->projective, shape_->single_root);
  }

  void background(std::vector<double>& probabilities) override {
    probabilities.assign(at(n_ + 1) * at(n_ + 1), 0.0);
    spread_heads(probabilities, n_, 1.0);
  }

  ScoredTrees& trees() override { return trees_; }

 private:
  const ParserShape* shape_;
  Weights weights_;
  ArcParser parser_;
  ArcScoredTrees trees_;
  int n_ = 0;
};

}  // namespace headwise::confidence
