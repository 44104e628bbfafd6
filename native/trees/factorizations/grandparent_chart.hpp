// What the O(n⁴) factorizations share: spans that know the head of their head (g-spans; Koo's thesis, 5.4).
//
//   half C(a, e)        for an arc a = (g, h): h and all its descendants between h and e, g lying outside
//   incomplete I(a, b)  for arcs a = (g, h) and b = (h, m): everything between h and m (models 0, 1 and 2)
//   leaf A(a)           the arc a with one of its labels
//
//   C(g, h, e) = I(g, h, m) + C(h, m, e)             m the outermost modifier of h in the half
//
// Spans are numbered by the arcs that survive pruning and by endpoints, so memory and time are in proportion
// to those arcs. Where e = h the half is empty: that is where the null grandchild parts are scored (B.1.5).
// The empty halves on the two sides are different items: the left halves of h (e ≤ h) lie in cells e, the
// right ones in cells e + 1, which keeps both contiguous. Where words have senses (sense_nodes.hpp), h stands for the
// first and the last of its word there.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <utility>

#include "candidates.hpp"
#include "trees/hypergraph.hpp"
#include "spans.hpp"

namespace headwise::trees {

enum class GrandparentKind : std::uint8_t { nothing, half, incomplete, between, tri_sibling, open, reach, leaf };

// half: (arc, cell); incomplete: (arc above, arc); between and tri_sibling: (arc, j); open and leaf: (arc);
// reach: (arc, endpoint).
struct GrandparentItem {
  GrandparentKind kind;
  int a, b;
};

class GrandparentChart {
 public:
  using Item = GrandparentItem;
  using Kind = GrandparentKind;

  // `own` chart places are for the items that only this model has, `pairs` for incomplete spans.
  GrandparentChart(Candidates arcs, bool single_root, Index own, Index pairs)
      : arcs_(std::move(arcs)),
        nodes_(arcs_.nodes()),
        cells_(nodes_ + 1),
        own_(1 + (arcs_.arcs() + 1) * cells_),
        incompletes_(own_ + static_cast<int>(own)),
        leaves_(incompletes_ + static_cast<int>(pairs)),
        single_root_(single_root) {}

  int words() const { return arcs_.words(); }
  bool has_senses() const { return arcs_.senses().any(); }
  std::size_t size() const { return static_cast<std::size_t>(leaves_) + arcs_.arcs(); }
  int most_edges() const { return nodes_ + 2; }
  const Candidates& candidates() const { return arcs_; }
  Item goal() const { return {Kind::half, arcs_.top(), nodes_}; }
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
  Arc arc(Index arc) const {
    return arcs_.arc(static_cast<int>(arc));
  }

 protected:
  int nodes() const { return nodes_; }
  int cells() const { return cells_; }
  bool single_root() const { return single_root_; }
  int own() const { return own_; }
  int half(int arc, int cell) const { return 1 + arc * cells_ + cell; }
  int incomplete(int above, int arc) const { return incompletes_ + static_cast<int>(arcs_.pair(above, arc)); }

  // The number of an item that is not the model's own, and back; own_item decodes a place among those that are.
  int shared_number(const Item& item) const {
    if (item.kind == Kind::half) return half(item.a, item.b);
    return item.kind == Kind::leaf ? leaf(item.a) : incomplete(item.a, item.b);
  }
  template <class OwnItem>
  Item decode(int number, OwnItem own_item) const {
    if (number >= leaves_) return {Kind::leaf, number - leaves_, 0};
    if (number >= incompletes_) {
      const int above = arcs_.upper_of_pair(number - incompletes_);
      return {Kind::incomplete, above, number - incomplete(above, 0)};
    }
    if (number >= own_) return own_item(number - own_);
    if (number == axiom()) return {Kind::nothing, 0, 0};
    return {Kind::half, (number - 1) / cells_, (number - 1) % cells_};
  }

  // A half is empty in the two cells around its head; on the side of a node, that is this one.
  bool is_empty(int arc, int cell) const { return cell == left_cell(arcs_.modifier(arc)) || cell == right_cell(arcs_.modifier(arc)); }
  int left_cell(int h) const { return arcs_.senses().first(h); }
  int right_cell(int h) const { return arcs_.senses().last(h) + 1; }
  int cell_towards(int h, int m) const { return h < m ? right_cell(h) : left_cell(h); }
  // Whether the modifiers of the arc's modifier in this cell (or at this node) are on the side of its head.
  bool faces_head(int above, int arc) const {
    const int h = arcs_.modifier(above);
    return (arcs_.modifier(arc) < h) == (arcs_.head(above) < h);
  }
  template <class Visit>
  void empty_half_parts(int arc, int cell, Visit visit) const {
    const int h = arcs_.modifier(arc);
    const bool inner = (cell <= h) == (arcs_.head(arc) < h);
    const Index place = arcs_.no_grandchild(arc, inner);
    visit(part_list(Part<Grandchildren>{place}, PositionPart<Grandchildren>{place, 0}));
  }
  // The arcs of the head of a half that may be its outermost one: [first, last), and the cell of theirs that
  // ends where the half does.
  struct OutermostArcs {
    int first, count, cell;
  };
  OutermostArcs outermost(int arc, int cell) const {
    const int h = arcs_.modifier(arc);
    if (cell > h) {
      const int first = arcs_.first_at(h, h + 1);
      return {first, arcs_.first_at(h, cell) - first, cell};
    }
    const int first = arcs_.first_at(h, cell);
    return {first, arcs_.first_at(h, h) - first, cell};
  }

  // An empty half is there for nothing; another one ends with its outermost modifier, and parts_from(place of the
  // first grandchild that it may be) are the parts of that.
  template <class PartsFrom, class Visit>
  void half_edges(int arc, int cell, PartsFrom parts_from, Visit visit) const {
    if (is_empty(arc, cell)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    const auto [first, count, end] = outermost(arc, cell);
    visit(Strip{incomplete(arc, first), 1, half(first, end), cells_, count},
          parts_from(arcs_.grandchild(arc, first)));
  }

  template <class Visit>
  void empty_halves(Visit visit) const {
    for (int arc = 0; arc <= arcs_.arcs(); ++arc) {
      visit(Item{Kind::half, arc, left_cell(arcs_.modifier(arc))});
      visit(Item{Kind::half, arc, right_cell(arcs_.modifier(arc))});
    }
  }
  // visit(arc) for the arcs into h from outside the span from i to j.
  template <class Visit>
  void arcs_above(int h, int i, int j, Visit visit) const {
    for (const int arc : arcs_.into(h))
      if (arcs_.head(arc) < i || arcs_.head(arc) > j) visit(arc);
  }
  // The halves over the span from i to j.
  template <class Visit>
  void halves(int i, int j, Visit visit) const {
    const SenseNodes& senses = arcs_.senses();
    if (senses.same_word(i, j)) return;
    if (senses.is_last(j) && (i > 0 || !single_root_ || j == nodes_ - 1))
      arcs_above(i, i, j, [&](int arc) { visit(Item{Kind::half, arc, j + 1}); });
    if (i > 0 && senses.is_first(i)) arcs_above(j, i, j, [&](int arc) { visit(Item{Kind::half, arc, i}); });
  }
  // visit(above, arc) for the arc between i and j, in either direction, below every possible arc.
  template <class Visit>
  void arcs_with_head(int i, int j, Visit visit) const {
    for (const auto& [h, m] : {std::pair{i, j}, std::pair{j, i}}) {
      if (m == 0) continue;
      if (const int arc = arcs_.find(h, m); arc >= 0)
        arcs_above(h, i, j, [&](int above) { visit(above, arc); });
    }
  }

  Candidates arcs_;

 private:
  int nodes_, cells_, own_, incompletes_, leaves_;
  bool single_root_;
};

}  // namespace headwise::trees
