// Model 0: every grandchild (Koo's thesis, 5.4.1 and B.2). O(n⁴) time, O(n³) memory; with a mask that keeps
// k heads a word, O(k²n²) time and O(kn²) memory.
//
//   C(g, h, e) = I(g, h, m) + C(h, m, e)                 m the outermost modifier of h in the half
//   I(g, h, m) = C(g, h, r) + C(h, m, r+1) + A(h, m)     the halves of h and m meet between r and r + 1
//
// Where nothing of h lies before m (r = h), m is the innermost modifier. Parts: grandchildren (g, h, m), and
// arcs and grandchildren by position.
#pragma once
#include "rooms.hpp"
#include "grandparent_chart.hpp"
#include "head_view.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class Model0 : public GrandparentChart, public InOrderOfSpans<Model0, 2> {
 public:
  Model0(const Candidates& arcs, bool single_root)
      : GrandparentChart(arcs, single_root, 0, arcs.count<1, 0>()) {}

  using Tables = KindList<Positions<Arcs, 2>, Grandchildren, Positions<Grandchildren, 2>>;
  static constexpr HeadView head_view{GrandparentView::every_modifier, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    if (at.h > 0) visit(Grandchildren{}, at.g, at.h, at.m);
  }

  int number(const Item& item) const { return shared_number(item); }
  Item item(int number) const {
    return decode(number, [](int) { return Item{Kind::nothing, 0, 0}; });
  }
  int attached(const Item& item) const { return item.kind == Kind::incomplete ? leaf(item.b) : -1; }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::incomplete)
      visit(Part<Grandchildren>{arcs_.grandchild(item.a, item.b)});
    else if (item.kind == Kind::half && is_empty(item.a, item.b))
      empty_half_parts(item.a, item.b, visit);
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    if (item.kind == Kind::incomplete)
      incomplete_edges(item.a, item.b, visit);
    else
      half_edges(item.a, item.b, [](Index) { return NoParts{}; }, visit);
  }

 private:
  friend InOrderOfSpans<Model0, 2>;

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    if (phase == 0)
      arcs_with_head(i, j, [&](int above, int arc) { visit(Item{Kind::incomplete, above, arc}); });
    else
      halves(i, j, visit);
  }

  template <class Visit>
  void incomplete_edges(int above, int arc, Visit visit) const {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    const Index place = arcs_.grandchild(above, arc);
    const auto position = [=](int at) {
      return [=](int) { return part_list(PositionPart<Arcs>{arc, at}, PositionPart<Grandchildren>{place, at}); };
    };
    const int near_head = cell_towards(h, m);  // that of m's inner half that reaches up to h
    visit(Strip{axiom(), 0, half(arc, near_head), 0, 1}, position(0));
    if (single_root() && h == 0) return;
    const int first = h < m ? near_head + 1 : m + 1;
    const int last = h < m ? m : near_head - 1;
    if (first <= last)
      visit(Strip{half(above, first), 1, half(arc, first), 1, last - first + 1}, position(1));
  }
};

}  // namespace headwise::trees
