// The probability of every arc under first-order scores.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "trees/distribution.hpp"
#include "trees/expectations.hpp"
#include "trees/factorizations/eisner_sums.hpp"
#include "trees/factorizations/first_order.hpp"
#include "trees/spanning/spanning_marginals.hpp"
#include "trees/spanning/spanning_weights.hpp"
#include "trees/sum_of_weights.hpp"

namespace headwise::trees {

// Probabilities of arcs under a first-order log-linear model, [h * (n + 1) + m], and log Z; −inf where there is no tree.
class ArcMarginals {
 public:
  double sum(bool projective_trees, const double* scores, int n, bool single_root, double* probabilities) {
    return projective_trees ? projective(scores, n, single_root, probabilities)
                            : spanning(scores, n, single_root, probabilities);
  }

  // Projective trees by inside-outside: O(n³). In doubles where they do, else in scaled numbers.
  double projective(const double* scores, int n, bool single_root, double* probabilities) {
    if (sums_.inside(scores, n, single_root) && sums_.outside(probabilities)) return sums_.log_total();
    const FirstOrder trees(n, single_root);
    PartScores table;
    table.labels = scores;
    const Scaled total = inside(SumOfWeights{}, trees, table, chart_, scratch_);
    if (!(total.significand > 0)) return kImpossible;
    std::fill_n(probabilities, static_cast<std::size_t>(n + 1) * static_cast<std::size_t>(n + 1), 0.0);
    PartMarginals marginals;
    marginals.labels = probabilities;
    part_marginals(trees, table, chart_, scratch_, usage_, marginals);
    return total.log();
  }

  // All trees by the Matrix-Tree theorem: O(n³).
  static double spanning(const double* scores, int n, bool single_root, double* probabilities) {
    const int nodes = n + 1;
    const SpanningWeights weights(scores, nodes, 1);
    const Scaled total = weights.with([&]<class Number>(WeightMatrix<Number>&& w) {
      return Elimination<Number>(std::move(w), single_root).total();
    });
    const auto width = static_cast<std::size_t>(simd::padded(nodes));
    std::vector<double> by_modifier(static_cast<std::size_t>(nodes) * width);
    const bool has_tree = weights.with([&]<class Number>(WeightMatrix<Number>&& w) {
      thread_local SpanningMarginals<Number> marginals;
      return marginals.run(std::move(w), single_root, by_modifier.data());
    });
    if (!has_tree) return kImpossible;
    transpose(by_modifier.data(), static_cast<int>(width), nodes, probabilities, nodes);
    return total.log() + weights.total_shift();
  }

  // Each word by itself: the softmax over its heads. O(n²).
  static void local(const double* scores, int n, std::vector<double>& probabilities) {
    const std::size_t nodes = static_cast<std::size_t>(n) + 1;
    probabilities.assign(nodes * nodes, 0.0);
    for (std::size_t m = 1; m < nodes; ++m) {
      double best = kImpossible;
      for (std::size_t h = 0; h < nodes; ++h) best = std::max(best, scores[h * nodes + m]);
      for (std::size_t h = 0; h < nodes; ++h) probabilities[h * nodes + m] = std::exp(scores[h * nodes + m] - best);
    }
  }

 private:
  EisnerSums sums_;
  SumOfWeights::Chart chart_;
  SumOfWeights::Scratch scratch_;
  std::vector<double> usage_;
};

}  // namespace headwise::trees
