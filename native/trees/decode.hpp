// The best tree of a sentence from its arc scores: what a first-order parser calls for every sentence.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/spanning/arborescence.hpp"
#include "trees/factorizations/first_order.hpp"
#include "trees/hypergraph.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {

// Memory that decoding reuses from sentence to sentence; one for each thread.
struct DecodeScratch {
  MaxPlus::Chart chart;
  MaxPlus::Scratch sums;
  std::vector<int> stack;
  Arborescence arborescence;
};

inline double tree_score(const double* scores, int n, const int* heads) {
  double total = 0.0;
  for (int m = 1; m <= n; ++m) total += scores[heads[m - 1] * (n + 1) + m];
  return total;
}

// The best projective tree (Eisner 2000): O(n³) time, O(n²) memory. scores[h * (n + 1) + m], −inf for a
// forbidden arc; fills heads[m - 1] and returns the score, or returns −inf when there is no tree.
inline double decode_projective(const double* scores, int n, bool single_root, int* heads,
                                DecodeScratch& scratch) {
  const FirstOrder trees(n, single_root);
  const PartScores table{.labels = scores};
  if (!(inside(MaxPlus{}, trees, table, scratch.chart, scratch.sums) > kImpossible)) return kImpossible;
  best_tree(trees, table, scratch.chart, scratch.stack, {heads});
  return tree_score(scores, n, heads);
}

// The best tree, projective or not: a maximum spanning tree in O(n²). Arguments as above.
inline double decode_nonprojective(const double* scores, int n, bool single_root, int* heads,
                                   DecodeScratch& scratch) {
  if (!scratch.arborescence.solve(scores, n, single_root, heads)) return kImpossible;
  return tree_score(scores, n, heads);
}

}  // namespace headwise::trees
