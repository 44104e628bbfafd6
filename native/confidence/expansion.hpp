// An estimate where no sum over trees can be computed: non-projective trees under higher-order scores.
//
// The score is expanded to first order around the tree that was found. Arc (h, m) scores what the tree's score
// changes by when m moves to h and all other words stay; the sum over all trees of these arc scores is the
// Matrix-Tree theorem's. A move that closes a cycle is scored by the parts of the graph it leaves, which are
// as well defined as those of a tree: such an arc takes part in trees where another word has moved too.
#pragma once
#include "rooms.hpp"
#include <limits>
#include <span>
#include <vector>

#include "parsing/higher_order_parser.hpp"

namespace headwise::confidence {

// scores[h * (n + 1) + m] around `heads`, a tree of the sentence that `parser` has parsed last; −inf for arcs
// that were pruned. O(arcs · n).
inline void expand_around(HigherOrderParser& parser, std::span<const int> heads, std::vector<double>& scores) {
  const Candidates& arcs = parser.candidates();
  const auto nodes = static_cast<std::size_t>(arcs.nodes());
  scores.assign(nodes * nodes, -std::numeric_limits<double>::infinity());
  std::vector<int> moved(heads.begin(), heads.end());
  const double here = parser.tree_score(heads);
  for (int arc = 0; arc < arcs.arcs(); ++arc) {
    const auto h = static_cast<std::size_t>(arcs.head(arc)), m = static_cast<std::size_t>(arcs.modifier(arc));
    moved[m - 1] = arcs.head(arc);
    scores[h * nodes + m] = moved[m - 1] == heads[m - 1] ? 0.0 : parser.tree_score(moved) - here;
    moved[m - 1] = heads[m - 1];
  }
}

}  // namespace headwise::confidence
