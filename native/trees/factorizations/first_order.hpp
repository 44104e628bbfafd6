// Projective trees scored arc by arc: Eisner's algorithm (Eisner 2000; Koo's thesis, 5.3.1).
// O(n³) time, O(n²) memory.
//
//   I(h, m) = J(h, m) + A(h, m)
//
// J is one item for both directions of the arc, which saves a quarter of the work. With a single root,
// node 0 has no modifier before its only one: J(0, m) allows the split r = 0 alone.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "dense_chart.hpp"
#include "eisner.hpp"
#include "eisner_sums.hpp"
#include "head_view.hpp"
#include "sibling.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class FirstOrder : public DenseChart {
 public:
  using DenseChart::DenseChart;

  using Tables = KindList<>;
  static constexpr HeadView head_view{GrandparentView::none, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree&, Visit&&) {}
  // Over the arcs that survive pruning: siblings that score nothing.
  using OverCandidates = Sibling;

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

  // Sums over trees in plain doubles, where those do.
  using SumsInDoubles = EisnerSums;

  // The same in vectors, for the best derivation only.
  void fill_best(MaxPlus::Chart& chart) const {
    thread_local std::vector<double> memory;
    EisnerDiagonals spans{nullptr, nodes(), single_root()};
    if (memory.size() < spans.size()) memory.resize(spans.size(), kImpossible);
    spans.memory = memory.data();
    for (int i = 0; i < nodes(); ++i) spans.right(0)[i] = spans.left(0)[i] = 0.0;
    each_pair([&](int w, int i, int right, int left) {
      spans.right_arc(w)[i] = chart[leaf(right)];
      spans.left_arc(w)[i] = i > 0 ? chart[leaf(left)] : kImpossible;
    });
    simd::eisner(spans);
    const int all_mirrored = mirrored(0, 0), all_incomplete = incomplete(0, 0), all_joined = joined(0, 0);
    each_pair([&](int w, int i, int right, int left) {
      chart.set(all_joined + right, spans.joined(w)[i]);
      chart.set(all_incomplete + right, spans.right_arc(w)[i]);
      chart.set(all_incomplete + left, spans.left_arc(w)[i]);
      chart.set(right, spans.right(w)[i]);
      chart.set(all_mirrored + left, spans.right(w)[i]);
      chart.set(left, spans.left(w)[i]);
      chart.set(all_mirrored + right, spans.left(w)[i]);
    });
  }

 private:
  // visit(w, i, the cell of (i, i + w), the cell of (i + w, i)), diagonal by diagonal.
  template <class Visit>
  void each_pair(Visit visit) const {
    for (int w = 1; w < nodes(); ++w)
      for (int i = 0, right = w, left = w * nodes(); i + w < nodes(); ++i, right += nodes() + 1, left += nodes() + 1)
        visit(w, i, right, left);
  }
};

}  // namespace headwise::trees
