// Adjacent siblings over all arcs (McDonald and Pereira 2006; Koo's thesis, 5.3.2).
// O(n³) time, O(n²) memory besides the O(n³) scores.
//
//   I(h, m) = C(m, h+1) + A(h, m)              m is the innermost modifier: sibling part (h, m, h)
//   I(h, m) = I(h, s) + J(s, m) + A(h, m)      s is the next modifier towards h: sibling part (h, m, s)
//
// Here J(s, m) is the region between two siblings. With a single root, node 0 takes an innermost modifier
// only. Sibling scores are packed: sibling_table.hpp.
#pragma once
#include "rooms.hpp"
#include "dense_chart.hpp"
#include "sibling_table.hpp"

namespace headwise::trees {

class DenseSibling : public DenseChart {
 public:
  using DenseChart::DenseChart;

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    const auto [kind, a, b] = item;
    switch (kind) {
      case Kind::joined:
        visit(Strip{complete(a, a), 1, complete(b, a + 1), 1, b - a}, NoParts{});
        break;
      case Kind::incomplete:
        incomplete_edges(a, b, visit);
        break;
      default:
        complete_edges(a, b, visit);
    }
  }

 private:
  template <class Visit>
  void incomplete_edges(int h, int m, Visit visit) const {
    const Index arc = static_cast<Index>(h) * nodes() + m;
    const auto parts_from = [=, row = sibling_row(nodes(), h, m)](int rank, int position) {
      return [=](int k) { return part_list(Part<Siblings>{row + rank + k}, PositionPart<Arcs>{arc, position}); };
    };
    visit(Strip{complete(m, h < m ? h + 1 : h - 1), 0, axiom(), 0, 1}, parts_from(0, 0));
    if (single_root() && h == 0) return;
    const int first = (h < m ? h : m) + 1, count = (h < m ? m - h : h - m) - 1;
    visit(Strip{incomplete(h, first), 1, joined(m, first), 1, count}, parts_from(1, 1));
  }
};

}  // namespace headwise::trees
