// Great-grand-siblings: Model 1 with one more ancestor (Koo's thesis, B.5.2). O(n⁵) time, O(n⁴) memory; with a mask
// that keeps k heads a word, O(k³n²) time and O(k²n² + k⁴n) memory, tables included.
//
//   C(f, g, h, e) = I(f, g, h, m) + C(g, h, m, e)      m the outermost modifier of h in the half
//   I(f, g, h, m) = I(f, g, h, s) + B(g, h, m, s)      great-grand-sibling (f, g, h, m, s)
//   I(f, g, h, m) = B(g, h, m, –)                      m the innermost modifier
//   B(g, h, m, s) = C(g, h, s, r) + C(g, h, m, r+1) + A(h, m)
//   B(g, h, m, –) = C(g, h, m, h+1) + A(h, m)
//
// Spans know the path of two arcs down to their head, f → g → h (gg-spans); regions the arc into it. Nothing is above
// the root: its own half has a path of its own, and the words below it have top(), the arc into it, for their upper
// one.
//
// Parts: those of Model 1, great-grandchildren and great-grand-siblings.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <utility>
#include <vector>

#include "candidate_chart.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class GreatGrandSibling : public CandidateChart, public InOrderOfSpans<GreatGrandSibling, 3> {
 public:
  // half: (path, cell); incomplete: (path, arc); between: (path, j), for the arc that the path ends with; leaf: (arc).
  GreatGrandSibling(Candidates arcs, bool single_root)
      : CandidateChart(std::move(arcs), single_root),
        root_path_(static_cast<int>(arcs_.count<1, 0>())),
        regions_(1 + (root_path_ + 1) * cells()),
        incompletes_(regions_ + static_cast<int>(arcs_.count<1, 1>())) {
    leaves_ = incompletes_ + static_cast<int>(arcs_.count<2, 0>()) + arcs_.degree(0);
    paths_.reserve(static_cast<std::size_t>(root_path_) + 1);
    for (int above = 0; above <= arcs_.arcs(); ++above) {
      const int h = arcs_.modifier(above);
      for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) paths_.push_back({above, arc});
    }
    paths_.push_back({-1, arcs_.top()});
  }

  using Tables = KindList<Siblings, Positions<Arcs, 2>, Grandchildren, Positions<Grandchildren, 2>, GrandSiblings,
                          Outermost, GreatGrandchildren, GreatGrandSiblings>;
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
    if (at.h == 0) return;
    if (at.outermost) visit(Outermost{}, at.g, at.h, at.m);
    visit(GrandSiblings{}, at.g, at.h, at.m, at.s);
    visit(Grandchildren{}, at.g, at.h, at.m);
    if (at.g == 0) return;
    visit(GreatGrandchildren{}, at.f, at.g, at.h, at.m);
    visit(GreatGrandSiblings{}, at.f, at.g, at.h, at.m, at.s);
  }

  Item goal() const { return {Kind::half, root_path_, nodes()}; }

  int number(const Item& item) const {
    switch (item.kind) {
      case Kind::half:
        return half(item.a, item.b);
      case Kind::incomplete:
        return incomplete(item.a, item.b);
      case Kind::between:
        return region(item.a, item.b);
      case Kind::leaf:
        return leaf(item.a);
      default:
        return axiom();
    }
  }
  Item item(int number) const {
    if (number >= leaves_) return {Kind::leaf, number - leaves_, 0};
    if (number >= incompletes_) return incomplete_item(number - incompletes_);
    if (number >= regions_) return region_item(number - regions_);
    if (number == axiom()) return {Kind::nothing, 0, 0};
    return half_item(number);
  }

  int attached(const Item& item) const { return item.kind == Kind::between ? leaf(paths_[item.a].lower) : -1; }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    const auto [upper, lower] = paths_[item.kind == Kind::leaf ? root_path_ : item.a];
    if (item.kind == Kind::incomplete && upper >= 0) {
      visit(Part<GreatGrandchildren>{GreatGrandchildren::place(arcs_, {upper, lower, item.b})});
    } else if (item.kind == Kind::between) {
      const int position = item.b == 0 ? 0 : 1;
      const Index grandchild = arcs_.grandchild(upper, lower);
      visit(part_list(Part<Siblings>{arcs_.sibling(lower, item.b)}, PositionPart<Arcs>{lower, position},
                      Part<GrandSiblings>{arcs_.grand_sibling(upper, lower, item.b)}, Part<Grandchildren>{grandchild},
                      PositionPart<Grandchildren>{grandchild, position}));
    } else if (item.kind == Kind::half && is_empty(item.a, item.b)) {
      empty_half_parts(lower, item.b, visit);
    }
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
  friend InOrderOfSpans<GreatGrandSibling, 3>;

  // Two successive arcs. Numbered by Candidates::pair, and the root's own path after all others.
  struct Path {
    int upper, lower;
  };

  int region(int path, int j) const {
    const auto [upper, lower] = paths_[path];
    return regions_ + static_cast<int>(arcs_.grand_sibling(upper, lower, j));
  }
  int incomplete(int path, int arc) const {
    const auto [upper, lower] = paths_[path];
    const Index place =
        upper >= 0 ? arcs_.place<2, 0>({upper, lower, arc}) : arcs_.count<2, 0>() + arc - arcs_.begin(0);
    return incompletes_ + static_cast<int>(place);
  }
  int path_below_arc(int above, int arc) const { return static_cast<int>(arcs_.pair(above, arc)); }
  int path_below(int path, int arc) const { return path_below_arc(paths_[path].lower, arc); }

  Item incomplete_item(Index place) const {
    const Index count = arcs_.count<2, 0>();
    if (place >= count) return {Kind::incomplete, root_path_, arcs_.begin(0) + static_cast<int>(place - count)};
    const int upper = arcs_.uppermost<2, 0>(place), first = arcs_.begin(arcs_.modifier(upper));
    // Among all pairs, those whose upper arc comes after `upper`.
    const Index pair = place - arcs_.place<2, 0>({upper, first, arcs_.begin(arcs_.modifier(first))}) +
                       arcs_.pair(first, arcs_.begin(arcs_.modifier(first)));
    const auto [lower, arc] = paths_[pair];
    return {Kind::incomplete, static_cast<int>(arcs_.pair(upper, lower)), arc};
  }
  Item region_item(Index place) const {
    const int upper = arcs_.uppermost<1, 1>(place), first = arcs_.begin(arcs_.modifier(upper));
    const Index sibling = place - arcs_.grand_sibling(upper, first, 0) + arcs_.sibling(first, 0);
    const int lower = arcs_.arc_of_sibling(sibling);
    return {Kind::between, static_cast<int>(arcs_.pair(upper, lower)),
            static_cast<int>(sibling - arcs_.sibling(lower, 0))};
  }

  bool is_empty(int path, int cell) const { return is_around(arcs_.modifier(paths_[path].lower), cell); }
  template <class Visit>
  void empty_halves(Visit visit) const {
    for (int path = 0; path <= root_path_; ++path) empty_halves_of(path, arcs_.modifier(paths_[path].lower), visit);
  }

  // visit(path) for the paths down to h from outside the span from i to j.
  template <class Visit>
  void paths_above(int h, int i, int j, Visit visit) const {
    if (h == 0) return visit(root_path_);
    arcs_above(h, i, j, [&](int lower) {
      arcs_above(arcs_.head(lower), i, j, [&](int upper) { visit(static_cast<int>(arcs_.pair(upper, lower))); });
    });
  }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    if (arcs_.senses().same_word(i, j)) return;
    switch (phase) {
      case 0:
        return regions(i, j, [&](int arc, int rank) {
          const int h = arcs_.head(arc);
          arcs_above(h, std::min(i, h), std::max(j, h),
                     [&](int above) { visit(Item{Kind::between, path_below_arc(above, arc), rank}); });
        });
      case 1:
        return arcs_between(i, j, [&](int arc) {
          paths_above(arcs_.head(arc), i, j, [&](int path) { visit(Item{Kind::incomplete, path, arc}); });
        });
      default:
        return halves(i, j, [&](int h, auto f) { paths_above(h, i, j, f); }, visit);
    }
  }

  template <class Visit>
  void region_edges(int path, int j, Visit visit) const {
    const auto [upper, lower] = paths_[path];
    const int innermost = cell_towards(arcs_.head(lower), arcs_.modifier(lower));
    CandidateChart::region_edges(
        lower, j, [&, above = upper](int arc) { return path_below_arc(above, arc); }, innermost, visit);
  }

  template <class Visit>
  void incomplete_edges(int path, int arc, Visit visit) const {
    const auto [upper, lower] = paths_[path];
    const int below = path_below(path, arc), step = arcs_.head(arc) < arcs_.modifier(arc) ? 1 : -1;
    const int inner = single_root() && arcs_.head(arc) == 0 ? 0 : arcs_.inner(arc);
    const Strip innermost{axiom(), 0, region(below, 0), 0, 1};
    const Strip others{inner ? incomplete(path, arcs_.nearer(arc, 1)) : axiom(), step, region(below, 0) + 1, 1, inner};
    if (upper < 0) {
      visit(innermost, NoParts{});
      if (inner) visit(others, NoParts{});
      return;
    }
    const auto parts_from = [first = GreatGrandSiblings::place(arcs_, {upper, lower, arc}, 0)](int j) {
      return [=](int k) { return Part<GreatGrandSiblings>{first + j + k}; };
    };
    visit(innermost, parts_from(0));
    if (inner) visit(others, parts_from(1));
  }

  template <class Visit>
  void half_edges(int path, int cell, Visit visit) const {
    if (is_empty(path, cell)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    const int above = paths_[path].lower, h = arcs_.modifier(above);
    const auto [first, count, end] = outermost(h, cell);
    visit(Strip{incomplete(path, first), 1, half(path_below(path, first), end), cells(), count},
          [place = arcs_.grandchild(above, first)](int k) { return Part<Outermost>{place + k}; });
  }

  int root_path_, regions_, incompletes_;
  std::vector<Path> paths_;
};

}  // namespace headwise::trees
