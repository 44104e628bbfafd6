// Projective trees scored by pairs of successive modifiers (McDonald and Pereira 2006; Koo's thesis, 5.3.2).
// O(n³) time, O(n²) memory besides the O(n³) scores.
//
//   I(h, m) = C(m, h+1) + A(h, m)              m is the innermost modifier: sibling part (h, m, h)
//   I(h, m) = I(h, s) + J(s, m) + A(h, m)      s is the next modifier towards h: sibling part (h, m, s)
//
// Here J(s, m) is the region between two siblings. With a single root, node 0 takes an innermost modifier
// only. Sibling scores are laid out [h, m, s].
#pragma once
#include "dense_chart.hpp"

namespace headwise {

class Sibling : public DenseChart {
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
    const auto parts_from = [=, nodes = nodes()](int s, int position) {
      return [=](int k) {
        return part_list(SiblingPart{arc * nodes + s + k}, PositionPart{arc, position});
      };
    };
    const int inner = h < m ? h + 1 : h - 1;
    visit(Strip{complete(m, inner), 0, axiom(), 0, 1}, parts_from(h, 0));
    if (single_root() && h == 0) return;
    if (h < m)
      visit(Strip{incomplete(h, h + 1), 1, joined(m, h + 1), 1, m - h - 1}, parts_from(h + 1, 1));
    else
      visit(Strip{incomplete(h, m + 1), 1, joined(m, m + 1), 1, h - m - 1}, parts_from(m + 1, 1));
  }
};

}  // namespace headwise
