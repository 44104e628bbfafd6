// Scores of sibling parts (h, m, s) packed into the order in which a chart is filled.
//
// A table over all triples of nodes is three times as large as the parts that exist, s lying between h and m,
// and a search that goes from span to span finds each row on another page. Packed, it is read from end to end.
#pragma once
#include "rooms.hpp"

#include "base/index.hpp"

namespace headwise::trees {

// The place of (h, m, –); those of (h, m, s) follow, s from left to right. spans.hpp's order, from short to
// long: spans of width w have 2w places each, and there are nodes − w of them.
inline Index sibling_row(int nodes, int h, int m) {
  const Index i = h < m ? h : m, j = h < m ? m : h, width = j - i;
  const Index before = width * (width - 1) * (3 * nodes - 2 * width + 1) / 3;
  return before + 2 * width * i + (h < m ? 0 : width);
}
inline Index sibling_count(int nodes) { return sibling_row(nodes, nodes - 1, 0) + nodes - 1; }

// visit(place, triple, count) for runs of parts that lie side by side both packed and, from `triple` on, in a
// table over all triples of nodes.
template <class Visit>
void each_sibling_run(int nodes, Visit visit) {
  for (int h = 0; h < nodes; ++h)
    for (int m = 1; m < nodes; ++m) {
      if (h == m) continue;
      const Index row = sibling_row(nodes, h, m), triples = (Index{h} * nodes + m) * nodes;
      visit(row, triples + h, Index{1});
      visit(row + 1, triples + (h < m ? h : m) + 1, Index{h < m ? m - h : h - m} - 1);
    }
}

}  // namespace headwise::trees
