// Model 2: grand-siblings of the outermost modifiers and all tri-siblings (Koo's thesis, 5.4.3 and B.4).
// O(n⁴) time, O(n³) memory; with a mask that keeps k heads a word, O(k²n²) time and O(kn² + k³n) memory.
//
//   C(g, h, e) = I(g, h, m) + C(h, m, e)             m the outermost modifier of h in the half
//   I(g, h, m) = T(h, m, s)                          grand-sibling (g, h, m, s), grandchildren m and s
//   T(h, m, s) = T(h, s, t) + B(h, m, s)             tri-sibling (h, m, s, t)
//   T(h, m, –) = B(h, m, –)                          m the innermost modifier
//
// T is the incomplete s-span: the last two modifiers of h so far. The grandparent is known only above the
// outermost pair, which is what grand-sibling and grandchild parts see.
#pragma once
#include "rooms.hpp"
#include "sibling_regions.hpp"

namespace headwise::trees {

class Model2 : public SiblingRegions, public InOrderOfSpans<Model2, 4> {
 public:
  Model2(const Candidates& arcs, bool single_root)
      : SiblingRegions(arcs, single_root, 2 * arcs.count<0, 1>(), arcs.count<1, 0>()) {}

  using Tables = KindList<Siblings, Positions<Arcs, 3>, Positions<Siblings, 2>, TriSiblings, Grandchildren,
                          Positions<Grandchildren, 2>, GrandSiblings, Outermost>;
  static constexpr HeadView head_view{GrandparentView::last_modifiers, 2};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
    if (at.s != nobody) visit(TriSiblings{}, at.h, at.m, at.s, at.t);
    if (at.h == 0 || !at.outermost) return;
    visit(Outermost{}, at.g, at.h, at.m);
    visit(GrandSiblings{}, at.g, at.h, at.m, at.s);
    visit(Grandchildren{}, at.g, at.h, at.m);
    if (at.s != nobody) visit(Grandchildren{}, at.g, at.h, at.s);
  }

  int number(const Item& item) const {
    if (item.kind == Kind::between) return region(item.a, item.b);
    return item.kind == Kind::tri_sibling ? last_two(item.a, item.b) : shared_number(item);
  }
  Item item(int number) const {
    return decode(number, [this](int place) {
      const Index siblings = arcs_.count<0, 1>();
      if (place < siblings) return region_item(Kind::between, place);
      return region_item(Kind::tri_sibling, place - siblings);
    });
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::incomplete) {
      const Index place = arcs_.grandchild(item.a, item.b);
      visit(part_list(Part<Grandchildren>{place}, PositionPart<Grandchildren>{place, 0}));
    } else if (item.kind == Kind::between) {
      visit(Part<Siblings>{arcs_.sibling(item.a, item.b)});
    } else if (item.kind == Kind::half && is_empty(item.a, item.b)) {
      empty_half_parts(item.a, item.b, visit);
    }
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    switch (item.kind) {
      case Kind::incomplete:
        return incomplete_edges(item.a, item.b, visit);
      case Kind::between:
        return region_edges(item.a, item.b, visit);
      case Kind::tri_sibling:
        return last_two_edges(item.a, item.b, visit);
      default:
        return half_edges(item.a, item.b, visit);
    }
  }

 private:
  friend InOrderOfSpans<Model2, 4>;

  int last_two(int arc, int j) const {
    return own() + static_cast<int>(arcs_.count<0, 1>() + arcs_.sibling(arc, j));
  }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    switch (phase) {
      case 0:
        return regions(i, j, visit);
      case 1:
        return arcs_between(i, j, [&](int arc) {
          const int most = arcs_.head(arc) == 0 && single_root() ? 0 : arcs_.inner(arc);
          for (int rank = 0; rank <= most; ++rank) visit(Item{Kind::tri_sibling, arc, rank});
        });
      case 2:
        return arcs_with_head(i, j, [&](int above, int arc) { visit(Item{Kind::incomplete, above, arc}); });
      default:
        return halves(i, j, visit);
    }
  }

  template <class Visit>
  void last_two_edges(int arc, int j, Visit visit) const {
    if (j == 0) {
      visit(Strip{region(arc, 0), 0, axiom(), 0, 1}, [=](int) { return PositionPart<Arcs>{arc, 0}; });
      return;
    }
    const Index siblings = arcs_.sibling(arc, j);
    const auto parts_from = [=, first = arcs_.tri_sibling(arc, j, 0)](int i) {
      return [=](int k) {
        return part_list(Part<TriSiblings>{first + i + k}, PositionPart<Siblings>{siblings, i},
                         PositionPart<Arcs>{arc, i + 1});
      };
    };
    const int inner_arc = arcs_.nearer(arc, j);
    visit(Strip{last_two(inner_arc, 0), 0, region(arc, j), 0, 1}, parts_from(0));
    if (j > 1) visit(Strip{last_two(inner_arc, 1), 1, region(arc, j), 0, j - 1}, parts_from(1));
  }

  template <class Visit>
  void incomplete_edges(int above, int arc, Visit visit) const {
    const Index first = arcs_.grand_sibling(above, arc, 0);
    const Index only_one = arcs_.no_grandchild(above, faces_head(above, arc));
    visit(Strip{last_two(arc, 0), 0, axiom(), 0, 1},
          [=](int) { return part_list(Part<GrandSiblings>{first}, PositionPart<Grandchildren>{only_one, 1}); });
    const int inner = arcs_.inner(arc);
    if (inner == 0 || (single_root() && arcs_.head(arc) == 0)) return;
    const int step = arcs_.head(arc) < arcs_.modifier(arc) ? 1 : -1;
    const Index nearest = arcs_.grandchild(above, arcs_.nearer(arc, 1));
    visit(Strip{last_two(arc, 1), 1, axiom(), 0, inner}, [=](int k) {
      const Index second = nearest + k * step;
      return part_list(Part<GrandSiblings>{first + 1 + k}, Part<Grandchildren>{second},
                       PositionPart<Grandchildren>{second, 1});
    });
  }
};

}  // namespace headwise::trees
