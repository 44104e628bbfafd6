// Grand-tri-siblings: Model 1 with one more sibling (Koo's thesis, B.5.3). O(n⁵) time, O(n⁴) memory; with a mask that
// keeps k heads a word, O(k³n + k²n²) time and O(kn² + k⁴n) memory, tables included.
//
//   C(g, h, e)    = I(g, h, m) + C(h, m, e)          m the outermost modifier of h in the half
//   I(g, h, m)    = T(g, h, m, s)                    s the second outermost, or none
//   T(g, h, m, s) = T(g, h, s, t) + B(h, m, s)       grand-tri-sibling (g, h, m, s, t), tri-sibling (h, m, s, t)
//   T(g, h, m, –) = B(h, m, –)                       m the innermost modifier
//
// The thesis gives complete spans a sibling index too. What is outside a half does not ask for it, so picking s is an
// item of its own here, as in Model 2: then T alone takes n⁵.
//
// Parts: those of Model 1, tri-siblings and grand-tri-siblings.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "sibling_regions.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class GrandTriSibling : public SiblingRegions, public InOrderOfSpans<GrandTriSibling, 4> {
 public:
  GrandTriSibling(const Candidates& arcs, bool single_root)
      : SiblingRegions(arcs, single_root, arcs.count<0, 1>() + arcs.count<1, 1>(), arcs.count<1, 0>()) {
    for (int arc = 0; arc < arcs_.arcs(); ++arc)
      arc_of_sibling_.resize(arc_of_sibling_.size() + arcs_.inner(arc) + 1, arc);
  }

  using Tables = KindList<Siblings, Positions<Arcs, 2>, TriSiblings, Grandchildren, Positions<Grandchildren, 2>,
                          GrandSiblings, Outermost, GrandTriSiblings>;
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
    if (at.s != nobody) visit(TriSiblings{}, at.h, at.m, at.s, at.t);
    if (at.h == 0) return;
    if (at.outermost) visit(Outermost{}, at.g, at.h, at.m);
    visit(GrandSiblings{}, at.g, at.h, at.m, at.s);
    visit(Grandchildren{}, at.g, at.h, at.m);
    if (at.s != nobody) visit(GrandTriSiblings{}, at.g, at.h, at.m, at.s, at.t);
  }

  // A last-two item is (the arc into h, the place of (h, m, s) among siblings).
  int number(const Item& item) const {
    if (item.kind == Kind::between) return region(item.a, item.b);
    if (item.kind != Kind::tri_sibling) return shared_number(item);
    const auto [arc, j] = sibling_at(item.b);
    return last_two(item.a, arc, j);
  }
  Item item(int number) const {
    return decode(number, [this](int place) {
      const Index siblings = arcs_.count<0, 1>();
      if (place < siblings) return region_item(Kind::between, place);
      const Index grand_sibling = place - siblings;
      const int above = arcs_.uppermost<1, 1>(grand_sibling), first = arcs_.begin(arcs_.modifier(above));
      return last_two_item(above, grand_sibling - arcs_.grand_sibling(above, first, 0) + arcs_.sibling(first, 0));
    });
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::between) {
      visit(part_list(Part<Siblings>{arcs_.sibling(item.a, item.b)}, PositionPart<Arcs>{item.a, item.b == 0 ? 0 : 1}));
    } else if (item.kind == Kind::tri_sibling) {
      const auto [arc, j] = sibling_at(item.b);
      const Index grandchild = arcs_.grandchild(item.a, arc);
      visit(part_list(Part<GrandSiblings>{arcs_.grand_sibling(item.a, arc, j)}, Part<Grandchildren>{grandchild},
                      PositionPart<Grandchildren>{grandchild, j == 0 ? 0 : 1}));
    } else if (item.kind == Kind::half && is_empty(item.a, item.b)) {
      empty_half_parts(item.a, item.b, visit);
    }
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    switch (item.kind) {
      case Kind::incomplete:
        return visit(Strip{last_two(item.a, item.b, 0), 1, axiom(), 0, most_inner(item.b) + 1}, NoParts{});
      case Kind::between:
        return region_edges(item.a, item.b, visit);
      case Kind::tri_sibling:
        return last_two_edges(item.a, item.b, visit);
      default:
        return half_edges(item.a, item.b, visit);
    }
  }

 private:
  friend InOrderOfSpans<GrandTriSibling, 4>;

  struct SiblingAt {
    int arc, j;
  };
  SiblingAt sibling_at(int place) const {
    const int arc = arc_of_sibling_[place];
    return {arc, place - static_cast<int>(arcs_.sibling(arc, 0))};
  }
  static Item last_two_item(int above, Index sibling) { return {Kind::tri_sibling, above, static_cast<int>(sibling)}; }
  int last_two(int above, int arc, int j) const {
    return own() + static_cast<int>(arcs_.count<0, 1>() + arcs_.grand_sibling(above, arc, j));
  }
  // How many modifiers there may be between the head and the modifier of an arc.
  int most_inner(int arc) const { return single_root() && arcs_.head(arc) == 0 ? 0 : arcs_.inner(arc); }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    switch (phase) {
      case 0:
        return regions(i, j, visit);
      case 1:
        return arcs_with_head(i, j, [&](int above, int arc) {
          for (int rank = 0; rank <= most_inner(arc); ++rank) visit(last_two_item(above, arcs_.sibling(arc, rank)));
        });
      case 2:
        return arcs_with_head(i, j, [&](int above, int arc) { visit(Item{Kind::incomplete, above, arc}); });
      default:
        return halves(i, j, visit);
    }
  }

  template <class Visit>
  void last_two_edges(int above, int sibling, Visit visit) const {
    const auto [arc, j] = sibling_at(sibling);
    if (j == 0) {
      visit(Strip{region(arc, 0), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    visit(Strip{last_two(above, arcs_.nearer(arc, j), 0), 1, region(arc, j), 0, j},
          [tri_sibling = arcs_.tri_sibling(arc, j, 0),
           grand_tri_sibling = GrandTriSiblings::place(arcs_, {above, arc}, j, 0)](int i) {
            return part_list(Part<TriSiblings>{tri_sibling + i}, Part<GrandTriSiblings>{grand_tri_sibling + i});
          });
  }

  std::vector<int> arc_of_sibling_;
};

}  // namespace headwise::trees
