// Projective trees scored arc by arc: Eisner's algorithm (Eisner 2000; Koo's thesis, 5.3.1).
// O(n³) time, O(n²) memory.
//
//   I(h, m) = J(h, m) + A(h, m)
//
// J is one item for both directions of the arc, which saves a quarter of the work. With a single root,
// node 0 has no modifier before its only one: J(0, m) allows the split r = 0 alone.
#pragma once
#include "dense_chart.hpp"

namespace headwise {

class FirstOrder : public DenseChart {
 public:
  using DenseChart::DenseChart;

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    const auto [kind, a, b] = item;
    switch (kind) {
      case Kind::joined:
        visit(Strip{complete(a, a), 1, complete(b, a + 1), 1, single_root() && a == 0 ? 1 : b - a}, NoParts{});
        break;
      case Kind::incomplete:
        visit(Strip{a < b ? joined(a, b) : joined(b, a), 0, axiom(), 0, 1}, NoParts{});
        break;
      default:
        complete_edges(a, b, visit);
    }
  }
};

}  // namespace headwise
