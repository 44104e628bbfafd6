// The score of a whole tree: the sum over its parts, from the compact tables of its candidates.
#pragma once
#include <limits>
#include <span>

#include "factorizations/part_indices.hpp"
#include "higher_order/tree_parts.hpp"
#include "parts.hpp"

namespace headwise {

// Adds up the scores of parts that it is shown (tree_parts.hpp); −inf for one that is not a candidate.
struct PartSum {
  const Candidates& arcs;
  const PartScores& scores;
  double total = 0;

  void add(const double* table, Index place) {
    if (table) total += place < 0 ? -std::numeric_limits<double>::infinity() : table[place];
  }
  void arc(int h, int m) { add(scores.labels, arcs.find(h, m)); }
  void sibling(int h, int m, int s) { add(scores.siblings, place_of_sibling(arcs, h, m, s == nobody ? h : s)); }
  void tri_sibling(int h, int m, int s, int t) {
    add(scores.tri_siblings, place_of_tri_sibling(arcs, h, m, s, t == nobody ? h : t));
  }
  void grandchild(int g, int h, int m) { add(scores.grandchildren, place_of_grandchild(arcs, g, h, m)); }
  void no_grandchild(int g, int h, int side) {
    const bool faces_head = (side == 0) == (g < h);
    add(scores.grandchildren, place_of_grandchild(arcs, g, h, faces_head ? g : h));
  }
  void outermost(int g, int h, int m) { add(scores.outermost, place_of_grandchild(arcs, g, h, m)); }
  void grand_sibling(int g, int h, int m, int s) {
    add(scores.grand_siblings, place_of_grand_sibling(arcs, g, h, m, s == nobody ? h : s));
  }
};

// −inf for a tree with an arc or part that is not a candidate. `links` is scratch memory.
inline double tree_score(const Candidates& arcs, const PartScores& scores, Factorization factorization,
                         std::span<const int> heads, SiblingLinks& links) {
  links.assign(heads);
  PartSum sum{arcs, scores};
  for (int m = 1; m <= links.words(); ++m) sum.arc(links.head(m), m);
  for_each_part(factorization, links, sum);
  return sum.total;
}

}  // namespace headwise
