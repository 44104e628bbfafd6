// Model 1: every grand-sibling (Koo's thesis, 5.4.2 and B.3). O(n⁴) time, O(n³) memory; with a mask that
// keeps k heads a word, O(k²n²) time and O(kn² + k³n) memory.
//
//   C(g, h, e) = I(g, h, m) + C(h, m, e)             m the outermost modifier of h in the half
//   I(g, h, m) = I(g, h, s) + B(h, m, s)             grand-sibling (g, h, m, s)
//   I(g, h, m) = B(h, m, –)                          m the innermost modifier
//
// Parts: grand-siblings, grandchildren and siblings, and arcs and grandchildren by position.
#pragma once
#include "rooms.hpp"
#include "sibling_regions.hpp"

namespace headwise::trees {

class Model1 : public SiblingRegions, public InOrderOfSpans<Model1, 3> {
 public:
  Model1(const Candidates& arcs, bool single_root)
      : SiblingRegions(arcs, single_root, arcs.count<0, 1>(), arcs.count<1, 0>()) {}

  using Tables =
      KindList<Siblings, Positions<Arcs, 2>, Grandchildren, Positions<Grandchildren, 2>, GrandSiblings, Outermost>;
  static constexpr HeadView head_view{GrandparentView::every_modifier, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
    if (at.h == 0) return;
    if (at.outermost) visit(Outermost{}, at.g, at.h, at.m);
    visit(GrandSiblings{}, at.g, at.h, at.m, at.s);
    visit(Grandchildren{}, at.g, at.h, at.m);
  }

  int number(const Item& item) const {
    return item.kind == Kind::between ? region(item.a, item.b) : shared_number(item);
  }
  Item item(int number) const {
    return decode(number, [this](int place) { return region_item(Kind::between, place); });
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::incomplete)
      visit(Part<Grandchildren>{arcs_.grandchild(item.a, item.b)});
    else if (item.kind == Kind::between)
      visit(part_list(Part<Siblings>{arcs_.sibling(item.a, item.b)}, PositionPart<Arcs>{item.a, item.b == 0 ? 0 : 1}));
    else if (item.kind == Kind::half && is_empty(item.a, item.b))
      empty_half_parts(item.a, item.b, visit);
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    switch (item.kind) {
      case Kind::incomplete:
        return incomplete_edges(item.a, item.b, visit);
      case Kind::between:
        return region_edges(item.a, item.b, visit);
      default:
        return half_edges(item.a, item.b, visit);
    }
  }

 private:
  friend InOrderOfSpans<Model1, 3>;

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    switch (phase) {
      case 0:
        return regions(i, j, visit);
      case 1:
        return arcs_with_head(i, j, [&](int above, int arc) { visit(Item{Kind::incomplete, above, arc}); });
      default:
        return halves(i, j, visit);
    }
  }

  template <class Visit>
  void incomplete_edges(int above, int arc, Visit visit) const {
    const Index place = arcs_.grandchild(above, arc);
    const auto parts_from = [=, first = arcs_.grand_sibling(above, arc, 0)](int j, int position) {
      return [=](int k) {
        return part_list(Part<GrandSiblings>{first + j + k}, PositionPart<Grandchildren>{place, position});
      };
    };
    visit(Strip{axiom(), 0, region(arc, 0), 0, 1}, parts_from(0, 0));
    const int inner = arcs_.inner(arc);
    if (inner == 0 || (single_root() && arcs_.head(arc) == 0)) return;
    const int step = arcs_.head(arc) < arcs_.modifier(arc) ? 1 : -1;
    visit(Strip{incomplete(above, arcs_.nearer(arc, 1)), step, region(arc, 1), 1, inner}, parts_from(1, 1));
  }
};

}  // namespace headwise::trees
