// All trees of a sentence as a parser has scored them: p(tree) ∝ exp(score(tree) / temperature).
//
// A parser that was trained by margins gives scores on a scale of its own. Dividing them by a temperature,
// fitted on sentences that the parser has not learned from, makes probabilities of them that can be believed
// (Guo et al. 2017, section 4.2); it changes neither the best tree nor the order of the others.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <span>
#include <vector>

#include "trees/decode.hpp"
#include "parsing/pruner.hpp"

namespace headwise::confidence {

class ScoredTrees {
 public:
  virtual ~ScoredTrees() = default;
  // log Z; fills probabilities[h * (n + 1) + m] of all arcs.
  virtual double sum(double temperature, std::vector<double>& probabilities) = 0;
  // The score of a tree; −inf where it has an arc that is not considered.
  virtual double score(std::span<const int> heads) = 0;
};

// Trees that are scored arc by arc: by Eisner's algorithm or the Matrix-Tree theorem, O(n³).
class ArcScoredTrees final : public ScoredTrees {
 public:
  // scores[h * (n + 1) + m] must stay where they are.
  void assign(std::span<const double> scores, int n, bool projective, bool single_root) {
    scores_ = scores;
    n_ = n;
    projective_ = projective;
    single_root_ = single_root;
  }

  double sum(double temperature, std::vector<double>& probabilities) override {
    divided_.resize(scores_.size());
    std::transform(scores_.begin(), scores_.end(), divided_.begin(), [&](double s) { return s / temperature; });
    return marginals_.sum(projective_, divided_.data(), n_, single_root_, probabilities);
  }

  double score(std::span<const int> heads) override { return tree_score(scores_.data(), n_, heads.data()); }

 private:
  std::span<const double> scores_;
  int n_ = 0;
  bool projective_ = true, single_root_ = true;
  ArcMarginals marginals_;
  std::vector<double> divided_;
};

}  // namespace headwise::confidence
