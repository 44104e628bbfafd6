// Siblings and outermost grandchildren (Carreras 2007; Koo's thesis, 5.3.3). O(n⁴) time, O(n³) memory; with
// a mask that keeps k heads a word, O(k²n²) time and O(kn²) memory.
//
//   C(g, h, e) = O(h, m) + C(h, m, e)               grandchild (g, h, m): m the outermost modifier of h
//   O(h, m)    = R(h, m, r) + C(h, m, r+1) + A(h, m)
//   R(h, m, r) = O(h, s) + C(h, s, r)               sibling (h, m, s); r = h: no modifier before m
//
// The paper's closed spans know their outermost modifier c and are looked at once to pick c for the head
// above (its φ(h, m, c)) and once for the next sibling. Picking c, and picking s, are items of their own
// here: the indices are independent, so this is O(n⁴) and not O(n⁵).
#pragma once
#include "rooms.hpp"
#include "grandparent_chart.hpp"
#include "head_view.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class Carreras : public GrandparentChart {
 public:
  Carreras(const Candidates& arcs, bool single_root)
      : GrandparentChart(arcs, single_root, Index{arcs.arcs()} * (arcs.nodes() + 1), 0) {}

  using Tables = KindList<Siblings, Positions<Arcs, 2>, Grandchildren>;
  static constexpr HeadView head_view{GrandparentView::last_modifiers, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
    if (at.h > 0 && at.outermost) visit(Grandchildren{}, at.g, at.h, at.m);
  }

  int number(const Item& item) const {
    if (item.kind == Kind::open) return open(item.a);
    return item.kind == Kind::reach ? reach(item.a, item.b) : shared_number(item);
  }
  Item item(int number) const {
    return decode(number, [&](int place) {
      const int arcs = arcs_.arcs();
      if (place < arcs) return Item{Kind::open, place, 0};
      return Item{Kind::reach, (place - arcs) / nodes(), (place - arcs) % nodes()};
    });
  }
  int attached(const Item& item) const { return item.kind == Kind::open ? leaf(item.a) : -1; }

  template <class Visit>
  void bottom_up(Visit visit) const {
    empty_halves(visit);
    empty_reaches(visit);
    spans_bottom_up(nodes(), 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }
  template <class Visit>
  void top_down(Visit visit) const {
    spans_top_down(nodes(), 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
    empty_reaches(visit);
    empty_halves(visit);
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::half && is_empty(item.a, item.b)) empty_half_parts(item.a, item.b, visit);
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    switch (item.kind) {
      case Kind::open:
        return open_edges(item.a, visit);
      case Kind::reach:
        return reach_edges(item.a, item.b, visit);
      default:
        break;
    }
    if (is_empty(item.a, item.b)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, NoParts{});
    } else {
      const auto [first, count, cell] = outermost(arcs_.modifier(item.a), item.b);
      const Index grandchild = arcs_.grandchild(item.a, first);
      visit(Strip{open(first), 1, half(first, cell), cells(), count},
            [=](int k) { return Part<Grandchildren>{grandchild + k}; });
    }
  }

 private:
  int open(int arc) const { return own() + arc; }
  // The end of the reach that covers the head alone.
  int nearest(int arc) const {
    const int h = arcs_.head(arc);
    return h < arcs_.modifier(arc) ? arcs_.senses().last(h) : arcs_.senses().first(h);
  }
  int reach(int arc, int r) const { return own() + arcs_.arcs() + arc * nodes() + r; }

  template <class Visit>
  void empty_reaches(Visit visit) const {
    for (int arc = 0; arc < arcs_.arcs(); ++arc) visit(Item{Kind::reach, arc, nearest(arc)});
  }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    if (phase == 0) {
      if (const int arc = arcs_.find(i, j); arc >= 0) visit(Item{Kind::open, arc, 0});
      if (const int arc = i > 0 ? arcs_.find(j, i) : -1; arc >= 0) visit(Item{Kind::open, arc, 0});
    } else if (phase == 1) {
      halves(i, j, visit);
    } else if (const SenseNodes& senses = arcs_.senses(); !senses.same_word(i, j)) {
      if (senses.is_last(j) && (i > 0 || !single_root()))
        for (int arc = arcs_.first_at(i, j + 1); arc < arcs_.end(i); ++arc) visit(Item{Kind::reach, arc, j});
      for (int arc = arcs_.begin(j); senses.is_first(i) && arc < arcs_.first_at(j, i); ++arc)
        visit(Item{Kind::reach, arc, i});
    }
  }

  template <class Visit>
  void open_edges(int arc, Visit visit) const {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    const int near = nearest(arc), first = h < m ? near : m + 1;
    const int count = h < m ? (h == 0 && single_root() ? 1 : m - near) : near - m;
    visit(Strip{reach(arc, first), 1, half(arc, h < m ? first + 1 : first), 1, count}, NoParts{});
  }

  template <class Visit>
  void reach_edges(int arc, int r, Visit visit) const {
    const int h = arcs_.head(arc);
    const auto parts_from = [=, first = arcs_.sibling(arc, 0)](int j, int position) {
      return [=](int k) { return part_list(Part<Siblings>{first + j + k}, PositionPart<Arcs>{arc, position}); };
    };
    if (r == nearest(arc)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, parts_from(0, 0));
      return;
    }
    const int split = arcs_.first_at(h, h);
    if (r > h) {
      const int count = arcs_.first_at(h, r + 1) - split;
      if (count > 0) visit(Strip{open(split), 1, half(split, r + 1), cells(), count}, parts_from(1, 1));
    } else {
      const int count = split - arcs_.first_at(h, r);
      if (count > 0) visit(Strip{open(split - 1), -1, half(split - 1, r), -cells(), count}, parts_from(1, 1));
    }
  }
};

}  // namespace headwise::trees
