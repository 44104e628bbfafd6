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

#include "base/index.hpp"
#include "parsing/sentence_trees.hpp"

namespace headwise::confidence {

// scores[h * (n + 1) + m] around `heads`, a tree of the sentence that was scored last; −inf for arcs that are not
// considered. O(arcs · n).
inline void expand_around(SentenceTrees& trees, std::span<const int> heads, std::vector<double>& scores) {
  const auto nodes = heads.size() + 1;
  scores.assign(nodes * nodes, -std::numeric_limits<double>::infinity());
  std::vector<int> moved(heads.begin(), heads.end());
  std::vector<SentenceTrees::ArcInto> arcs;
  const double here = trees.tree_score(heads);
  for (std::size_t m = 1; m < nodes; ++m) {
    trees.arcs_into(static_cast<int>(m), arcs);
    for (const auto& arc : arcs) {
      moved[m - 1] = arc.head;
      scores[at(arc.head) * nodes + m] =
          arc.head == heads[m - 1] ? 0.0 : trees.tree_score(moved) - here;
    }
    moved[m - 1] = heads[m - 1];
  }
}

}  // namespace headwise::confidence
