// The log-probability of one tree: the sum, over the choices of its derivation, of the log of the share of
// the edge chosen. Each term is at most zero, so the result is; nothing is subtracted from log Z.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/expectations.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {

// `only` scores −inf every arc and label that is not in the tree, `scores` is the distribution; the chart
// is filled by inside(SumOfWeights, scores). −inf when the tree is not among those of the factorization.
template <class Factorization, class Scores>
double log_probability(const Factorization& trees, const Scores& only, const Scores& scores,
                       const SumOfWeights::Chart& chart, SumOfWeights::Scratch& scratch) {
  MaxPlus::Chart derivations;
  MaxPlus::Scratch unused;
  if (!(inside(MaxPlus{}, trees, only, derivations, unused) > kImpossible)) return kImpossible;
  std::vector<int> stack;
  double total = 0.0;
  walk_derivation(
      trees, stack, [&](const auto& item) { return best_edge(trees, only, derivations, item); },
      [&](const auto& item, const Edge& edge) {
        gather_edges(trees, scores, chart, item, scratch);
        const double exponent = scratch.exponent[edge.index];
        const double significand = scratch.significand[edge.index];
        const double top =
            simd::relate_scaled(scratch.significand.data(), scratch.exponent.data(), scratch.count).exponent;
        const double lost = exponent - top + 1022.0;  // what relate_scaled clamps
        scratch.significand[edge.index] = lost < 0.0 ? significand * 0x1p-1022 : scratch.significand[edge.index];
        total -= surprisal(scratch.significand.data(), scratch.count, edge.index);
        if (lost < 0.0) total += lost * std::numbers::ln2;
      });
  return total;
}

}  // namespace headwise::trees
