// What charts over candidate arcs share whose spans know the way down to their head: the arc into it (grandparent_chart.hpp),
// or two arcs (great_grand_sibling.hpp).
//
//   half C(a, e)        for a way a that ends in h: h and all its descendants between h and e, what is above lying outside
//   leaf A(a)           the arc a with one of its labels
//
// Where e = h the half is empty: that is where the null grandchild parts are scored (Koo's thesis, B.1.5). The empty halves
// on the two sides are different items: the left halves of h (e ≤ h) lie in cells e, the right ones in cells e + 1, which
// keeps both contiguous. Where words have senses (sense_nodes.hpp), h stands for the first and the last of its word there.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "candidates.hpp"
#include "spans.hpp"
#include "trees/hypergraph.hpp"

namespace headwise::trees {

enum class CandidateKind : std::uint8_t { nothing, half, incomplete, between, tri_sibling, open, reach, leaf };

// half: (way, cell); incomplete: (way, arc below it); between and tri_sibling: (way, j); open and leaf: (arc);
// reach: (arc, endpoint).
struct CandidateItem {
  CandidateKind kind;
  int a, b;
};

class CandidateChart {
 public:
  using Item = CandidateItem;
  using Kind = CandidateKind;

  int words() const { return arcs_.words(); }
  int nodes() const { return nodes_; }
  bool has_senses() const { return arcs_.senses().any(); }
  std::size_t size() const { return static_cast<std::size_t>(leaves_) + arcs_.arcs(); }
  int most_edges() const { return nodes_ + 2; }
  const Candidates& candidates() const { return arcs_; }
  int mirror(const Item&) const { return -1; }

  int axiom() const { return 0; }
  bool is_axiom(const Item& item) const { return item.kind == Kind::nothing; }
  template <class Visit>
  void axioms(Visit visit) const {
    visit(0);
  }

  Index arcs() const { return arcs_.arcs(); }
  int leaf(Index arc) const { return leaves_ + static_cast<int>(arc); }
  Index arc_of(const Item& item) const { return item.kind == Kind::leaf ? item.a : -1; }
  Arc arc(Index arc) const { return arcs_.arc(static_cast<int>(arc)); }

 protected:
  CandidateChart(Candidates arcs, bool single_root)
      : arcs_(std::move(arcs)), nodes_(arcs_.nodes()), cells_(nodes_ + 1), single_root_(single_root) {}

  int cells() const { return cells_; }
  bool single_root() const { return single_root_; }
  int half(int way, int cell) const { return 1 + way * cells_ + cell; }
  Item half_item(int number) const { return {Kind::half, (number - 1) / cells_, (number - 1) % cells_}; }

  // A half of h is empty in the two cells around it.
  bool is_around(int h, int cell) const { return cell == left_cell(h) || cell == right_cell(h); }
  int left_cell(int h) const { return arcs_.senses().first(h); }
  int right_cell(int h) const { return arcs_.senses().last(h) + 1; }
  int cell_towards(int h, int m) const { return h < m ? right_cell(h) : left_cell(h); }
  template <class Visit>
  void empty_halves_of(int way, int h, Visit visit) const {
    visit(Item{Kind::half, way, left_cell(h)});
    visit(Item{Kind::half, way, right_cell(h)});
  }
  template <class Visit>
  void empty_half_parts(int arc, int cell, Visit visit) const {
    const int h = arcs_.modifier(arc);
    const bool inner = (cell <= h) == (arcs_.head(arc) < h);
    const Index place = arcs_.no_grandchild(arc, inner);
    visit(part_list(Part<Grandchildren>{place}, PositionPart<Grandchildren>{place, 0}));
  }

  // visit(arc) for the arcs into h from outside the span from i to j.
  template <class Visit>
  void arcs_above(int h, int i, int j, Visit visit) const {
    for (const int arc : arcs_.into(h))
      if (arcs_.head(arc) < i || arcs_.head(arc) > j) visit(arc);
  }
  // The halves over the span from i to j; ways(h, f) calls f(way) for all down to h from outside it.
  template <class Ways, class Visit>
  void halves(int i, int j, Ways ways, Visit visit) const {
    const SenseNodes& senses = arcs_.senses();
    if (senses.same_word(i, j)) return;
    if (senses.is_last(j) && (i > 0 || !single_root_ || j == nodes_ - 1))
      ways(i, [&](int way) { visit(Item{Kind::half, way, j + 1}); });
    if (i > 0 && senses.is_first(i)) ways(j, [&](int way) { visit(Item{Kind::half, way, i}); });
  }
  // visit(arc) for the arc between i and j, in either direction.
  template <class Visit>
  void arcs_between(int i, int j, Visit visit) const {
    for (const auto& [h, m] : {std::pair{i, j}, std::pair{j, i}})
      if (const int arc = m == 0 ? -1 : arcs_.find(h, m); arc >= 0) visit(arc);
  }
  // visit(arc, rank) for the regions over the span from i to j, by their outer arc and the rank of their inner end: with a
  // head on either side, or with no inner end.
  template <class Visit>
  void regions(int i, int j, Visit visit) const {
    const auto below = [&](int outer, int inner, bool head_is_left) {
      for (const int arc : arcs_.into(outer)) {
        const int h = arcs_.head(arc);
        if (h < 0 || (head_is_left ? h >= i : h <= j) || (h == 0 && single_root_)) continue;
        if (const int other = arcs_.find(h, inner); other >= 0) visit(arc, arcs_.inner(other) + 1);
      }
    };
    if (arcs_.senses().same_word(i, j)) return;
    if (i > 0) {
      below(j, i, true);
      below(i, j, false);
      if (const int arc = arcs_.find(j, i); arc >= 0) visit(arc, 0);
    }
    if (const int arc = arcs_.find(i, j); arc >= 0) visit(arc, 0);
  }
  // A region under an arc, between its modifier and the j-th one nearer to the head (0: the head); way_of(arc) is the way
  // that ends with an arc of this head.
  template <class WayOf, class Visit>
  void region_edges(int arc, int j, WayOf way_of, int innermost, Visit visit) const {
    const int m = arcs_.modifier(arc);
    if (j == 0) {
      visit(Strip{half(way_of(arc), innermost), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    const int inner_arc = arcs_.nearer(arc, j), s = arcs_.modifier(inner_arc);
    const int first = std::min(s, m) + 1, count = s < m ? m - s : s - m;
    visit(Strip{half(way_of(inner_arc), first), 1, half(way_of(arc), first), 1, count}, NoParts{});
  }

  // The arcs of the head of a half that may be its outermost one: [first, last), and the cell of theirs that
  // ends where the half does.
  struct OutermostArcs {
    int first, count, cell;
  };
  OutermostArcs outermost(int h, int cell) const {
    const int first = arcs_.first_at(h, cell > h ? h + 1 : cell);
    return {first, arcs_.first_at(h, cell > h ? cell : h) - first, cell};
  }

  Candidates arcs_;
  int leaves_ = 0;  // where they begin, after everything else

 private:
  int nodes_, cells_;
  bool single_root_;
};

}  // namespace headwise::trees
