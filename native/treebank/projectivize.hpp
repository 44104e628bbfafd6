// The projective tree nearest to a tree, for training projective parsers on trees with crossing arcs.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "trees/decode.hpp"

namespace headwise::treebank {

// The projective tree that shares the most arcs with the tree heads (heads[m - 1] in 0…n): the best tree under
// an oracle that scores the tree's own arcs 1 (Carreras 2007, footnote 2; Koo 2010, section 4.6.1).
//
// Several trees may share as many arcs. Among them the oracle prefers those that lift: a word that loses its
// head should go to an ancestor of it, the nearer the better, as in pseudo-projective parsing (Nivre and
// Nilsson, 2005). All these preferences together weigh less than one arc. O(n³) time, O(n²) memory.
inline std::vector<int> projectivize(std::span<const std::int32_t> heads, bool single_root,
                                     DecodeScratch& scratch) {
  const int n = static_cast<int>(heads.size());
  const auto nodes = static_cast<std::size_t>(n) + 1;
  std::vector<double> oracle(nodes * nodes, 0.0);
  const double lift = 1.0 / static_cast<double>(nodes);
  for (int m = 1; m <= n; ++m) {
    int ancestor = m, steps = 0;
    do {
      ancestor = heads[at(ancestor) - 1];
      ++steps;
      const double score = steps == 1 ? 1.0 : lift * (1.0 - steps * lift);
      oracle[at(ancestor) * nodes + at(m)] = score;
    } while (ancestor != 0);
  }
  std::vector<int> projective(heads.size());
  decode_projective(oracle.data(), n, single_root, projective.data(), scratch);
  return projective;
}

}  // namespace headwise::treebank
