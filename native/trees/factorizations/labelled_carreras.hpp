// Siblings and outermost grandchildren, with the label of an arc in its factor (Carreras 2007, 2.1): label l of (h, m)
// is scored with the sibling of m, and with the outermost modifiers of m on either side. O(n⁴L) time, O(n³L) memory; with
// a mask that keeps k heads a word, O(k²n²L) and O(kn²L).
//
//   C(g, h, l, e) = E(h, m, e)                             l and m, the outermost modifier of h
//   E(h, m, e)    = O(h, m, l) + C(h, m, l, e)             any l
//   O(h, m, l)    = R(h, m, l, r) + C(h, m, l, r+1) + A(h, m)
//   R(h, m, l, r) = E(h, s, r)                             l and s; r = h: no modifier before m
//
// As in carreras.hpp, of which this is the same with labelled arcs for arcs; the label is forgotten (E) where an arc is
// closed, so labels of different arcs never meet.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "labelled_arcs.hpp"
#include "spans.hpp"
#include "trees/hypergraph.hpp"

namespace headwise::trees {

class LabelledCarreras {
 public:
  enum class Kind : std::uint8_t { nothing, half, closed, open, reach, leaf };
  // half: (labelled arc, cell), cells as in grandparent_chart.hpp; closed: (arc, cell); open: (labelled arc); reach:
  // (labelled arc, endpoint); leaf: (arc).
  struct Item {
    Kind kind;
    int a, b;
  };

  LabelledCarreras(const LabelledArcs& labelled, bool single_root)
      : labelled_(&labelled),
        arcs_(&labelled.arcs()),
        nodes_(arcs_->nodes()),
        cells_(nodes_ + 1),
        closed_(1 + (labelled.count() + 1) * cells_),
        open_(closed_ + arcs_->arcs() * cells_),
        reach_(open_ + labelled.count()),
        leaves_(reach_ + labelled.count() * nodes_),
        single_root_(single_root) {
    for (int arc = 0; arc < arcs_->arcs(); ++arc) most_labels_ = std::max(most_labels_, labelled.labels(arc));
  }

  int words() const { return nodes_ - 1; }
  std::size_t size() const { return static_cast<std::size_t>(leaves_) + static_cast<std::size_t>(arcs_->arcs()); }
  int most_edges() const { return std::max(nodes_ + 2, most_labels_); }
  Item goal() const { return {Kind::half, labelled_->top(), nodes_}; }
  int mirror(const Item&) const { return -1; }

  int number(const Item& item) const {
    switch (item.kind) {
      case Kind::half:
        return half(item.a, item.b);
      case Kind::closed:
        return closed(item.a, item.b);
      case Kind::open:
        return open(item.a);
      case Kind::reach:
        return reach(item.a, item.b);
      case Kind::leaf:
        return leaf(item.a);
      default:
        return axiom();
    }
  }
  Item item(int number) const {
    if (number >= leaves_) return {Kind::leaf, number - leaves_, 0};
    if (number >= reach_) return {Kind::reach, (number - reach_) / nodes_, (number - reach_) % nodes_};
    if (number >= open_) return {Kind::open, number - open_, 0};
    if (number >= closed_) return {Kind::closed, (number - closed_) / cells_, (number - closed_) % cells_};
    if (number == axiom()) return {Kind::nothing, 0, 0};
    return {Kind::half, (number - 1) / cells_, (number - 1) % cells_};
  }

  int axiom() const { return 0; }
  bool is_axiom(const Item& item) const { return item.kind == Kind::nothing; }
  template <class Visit>
  void axioms(Visit visit) const {
    visit(0);
  }
  Index arcs() const { return arcs_->arcs(); }
  int leaf(Index arc) const { return leaves_ + static_cast<int>(arc); }
  Index arc_of(const Item& item) const { return item.kind == Kind::leaf ? item.a : -1; }
  Arc arc(Index arc) const { return {arcs_->head(static_cast<int>(arc)), arcs_->modifier(static_cast<int>(arc))}; }
  int attached(const Item& item) const { return item.kind == Kind::open ? leaf(labelled_->arc(item.a)) : -1; }

  template <class Visit>
  void bottom_up(Visit visit) const {
    empty_items(visit);
    spans_bottom_up(nodes_, 4, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }
  template <class Visit>
  void top_down(Visit visit) const {
    spans_top_down(nodes_, 4, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
    empty_items(visit);
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::open) {
      visit(LabelledPart<LabelledKind::arc>{item.a});
    } else if (item.kind == Kind::half && is_empty(item.a, item.b)) {
      const int arc = labelled_->arc(item.a), h = arcs_->modifier(arc), side = item.b == h ? 0 : 1;
      const bool faces_head = (side == 0) == (arcs_->head(arc) < h);
      visit(part_list(Part<Grandchildren>{arcs_->no_grandchild(arc, faces_head)},
                      LabelledPart<LabelledKind::grandchild>{labelled_->no_grandchild(item.a, side)}));
    }
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    switch (item.kind) {
      case Kind::closed:
        return visit(Strip{open(labelled_->first(item.a)), 1, half(labelled_->first(item.a), item.b), cells_,
                           labelled_->labels(item.a)},
                     NoParts{});
      case Kind::open:
        return open_edges(item.a, visit);
      case Kind::reach:
        return reach_edges(item.a, item.b, visit);
      default:
        return half_edges(item.a, item.b, visit);
    }
  }

 private:
  int half(int labelled, int cell) const { return 1 + labelled * cells_ + cell; }
  int closed(int arc, int cell) const { return closed_ + arc * cells_ + cell; }
  int open(int labelled) const { return open_ + labelled; }
  int reach(int labelled, int r) const { return reach_ + labelled * nodes_ + r; }

  // A half is empty in the two cells around its head.
  bool is_empty(int labelled, int cell) const {
    const int h = arcs_->modifier(labelled_->arc(labelled));
    return cell == h || cell == h + 1;
  }

  // visit(labelled arc) for those of the arcs [first, last).
  template <class Visit>
  void each_label(int first, int last, Visit visit) const {
    for (int labelled = labelled_->first(first); labelled < labelled_->first(last); ++labelled) visit(labelled);
  }
  template <class Visit>
  void empty_items(Visit visit) const {
    for (int labelled = 0; labelled <= labelled_->top(); ++labelled) {
      const int arc = labelled_->arc(labelled), h = arcs_->modifier(arc);
      visit(Item{Kind::half, labelled, h});
      visit(Item{Kind::half, labelled, h + 1});
      if (labelled < labelled_->top()) visit(Item{Kind::reach, labelled, arcs_->head(arc)});
    }
  }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    const bool from_left = i > 0 || !single_root_ || j == words();  // or the root has no such half
    switch (phase) {
      case 0:
        for (const auto& [h, m] : {std::pair{i, j}, std::pair{j, i}})
          if (const int arc = m > 0 ? arcs_->find(h, m) : -1; arc >= 0)
            each_label(arc, arc + 1, [&](int labelled) { visit(Item{Kind::open, labelled, 0}); });
        return;
      case 1:
        if (from_left)
          for (int arc = arcs_->first_at(i, i + 1); arc < arcs_->first_at(i, j + 1); ++arc)
            visit(Item{Kind::closed, arc, j + 1});
        for (int arc = arcs_->first_at(j, std::max(i, 1)); i > 0 && arc < arcs_->first_at(j, j); ++arc)
          visit(Item{Kind::closed, arc, i});
        return;
      case 2:
        if (from_left) halves(i, i, j, j + 1, visit);
        if (i > 0) halves(j, i, j, i, visit);
        return;
      default:
        if (i > 0 || !single_root_)
          each_label(arcs_->first_at(i, j + 1), arcs_->end(i),
                     [&](int labelled) { visit(Item{Kind::reach, labelled, j}); });
        each_label(arcs_->begin(j), arcs_->first_at(j, i), [&](int labelled) { visit(Item{Kind::reach, labelled, i}); });
    }
  }
  // The halves of h over the span from i to j, whose heads are outside of it.
  template <class Visit>
  void halves(int h, int i, int j, int cell, Visit visit) const {
    for (const int arc : arcs_->into(h))
      if (arcs_->head(arc) < i || arcs_->head(arc) > j)
        each_label(arc, arc + 1, [&](int labelled) { visit(Item{Kind::half, labelled, cell}); });
  }

  template <class Visit>
  void half_edges(int labelled, int cell, Visit visit) const {
    if (is_empty(labelled, cell)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    const int above = labelled_->arc(labelled), h = arcs_->modifier(above);
    const int first = arcs_->first_at(h, cell > h ? h + 1 : cell);
    const int count = arcs_->first_at(h, cell > h ? cell : h) - first;
    visit(Strip{closed(first, cell), cells_, axiom(), 0, count},
          [grandchild = arcs_->grandchild(above, first), own = labelled_->grandchild(labelled, first)](int k) {
            return part_list(Part<Grandchildren>{grandchild + k}, LabelledPart<LabelledKind::grandchild>{own + k});
          });
  }

  template <class Visit>
  void open_edges(int labelled, Visit visit) const {
    const int arc = labelled_->arc(labelled), h = arcs_->head(arc), m = arcs_->modifier(arc);
    const int first = h < m ? h : m + 1;
    const int count = h < m ? (h == 0 && single_root_ ? 1 : m - h) : h - m;
    visit(Strip{reach(labelled, first), 1, half(labelled, h < m ? first + 1 : first), 1, count}, NoParts{});
  }

  template <class Visit>
  void reach_edges(int labelled, int r, Visit visit) const {
    const int arc = labelled_->arc(labelled), h = arcs_->head(arc), split = arcs_->first_at(h, h);
    const auto parts_from = [sibling = arcs_->sibling(arc, 0), own = labelled_->sibling(labelled, 0)](int j) {
      return [=](int k) {
        return part_list(Part<Siblings>{sibling + j + k}, LabelledPart<LabelledKind::sibling>{own + j + k});
      };
    };
    if (r == h) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, parts_from(0));
    } else if (r > h) {
      const int count = arcs_->first_at(h, r + 1) - split;
      if (count > 0) visit(Strip{closed(split, r + 1), cells_, axiom(), 0, count}, parts_from(1));
    } else {
      const int count = split - arcs_->first_at(h, r);
      if (count > 0) visit(Strip{closed(split - 1, r), -cells_, axiom(), 0, count}, parts_from(1));
    }
  }

  const LabelledArcs* labelled_;
  const Candidates* arcs_;
  int nodes_, cells_, closed_, open_, reach_, leaves_, most_labels_ = 0;
  bool single_root_;
};

}  // namespace headwise::trees
