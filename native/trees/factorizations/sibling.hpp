// Adjacent siblings over the arcs that survive pruning (McDonald and Pereira 2006; Koo's thesis, 5.3.2). With a mask
// that keeps k heads a word: O(kn²) time for halves, O(n) for each of some k²n pairs of siblings; O(n²) memory.
//
//   C(h, e) = I(h, m) + C(m, e)                m the outermost modifier of h in the half
//   I(h, m) = C(m, h+1) + A(h, m)              m is the innermost modifier: sibling part (h, m, –)
//   I(h, m) = I(h, s) + J(s, m) + A(h, m)      s is the next modifier towards h: sibling part (h, m, s)
//   J(s, m) = C(s, r) + C(m, r+1)              the region between two words that some head outside it may have
//
// dense_sibling.hpp is the same over all arcs. Here the candidate modifiers of a head lie anywhere, so that all ways to
// build an item but J come one by one; there are few of them.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "candidates.hpp"
#include "dense_sibling.hpp"
#include "head_view.hpp"
#include "spans.hpp"
#include "trees/hypergraph.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class Sibling {
 public:
  enum class Kind : std::uint8_t { complete, joined, incomplete, leaf };
  // complete: (head, end); joined: (word, word), the left one first; incomplete and leaf: (arc).
  struct Item {
    Kind kind;
    int a, b;
  };

  Sibling(Candidates arcs, bool single_root)
      : arcs_(std::move(arcs)),
        nodes_(arcs_.nodes()),
        square_(nodes_ * nodes_),
        incompletes_(2 * square_),
        leaves_(incompletes_ + arcs_.arcs()),
        single_root_(single_root),
        is_joined_(static_cast<std::size_t>(square_)) {
    for (int h = single_root ? 1 : 0; h < nodes_; ++h) {
      const int split = arcs_.first_at(h, h);
      note_pairs(arcs_.begin(h), split);
      note_pairs(split, arcs_.end(h));
    }
  }

  using Tables = KindList<Siblings, Positions<Arcs, 2>>;
  static constexpr HeadView head_view{GrandparentView::none, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
  }
  using OverAllArcs = DenseSibling;

  int words() const { return arcs_.words(); }
  bool has_senses() const { return arcs_.senses().any(); }
  std::size_t size() const { return static_cast<std::size_t>(leaves_) + arcs_.arcs(); }
  int most_edges() const { return nodes_ + 1; }
  Item goal() const { return {Kind::complete, 0, nodes_ - 1}; }
  int mirror(const Item&) const { return -1; }

  int number(const Item& item) const {
    switch (item.kind) {
      case Kind::complete:
        return complete(item.a, item.b);
      case Kind::joined:
        return joined(item.a, item.b);
      case Kind::incomplete:
        return incomplete(item.a);
      default:
        return leaf(item.a);
    }
  }
  Item item(int number) const {
    if (number >= leaves_) return {Kind::leaf, number - leaves_, 0};
    if (number >= incompletes_) return {Kind::incomplete, number - incompletes_, 0};
    const int cell = number % square_;
    return {number < square_ ? Kind::complete : Kind::joined, cell / nodes_, cell % nodes_};
  }

  int axiom() const { return 0; }
  bool is_axiom(const Item& item) const {
    return item.kind == Kind::complete && arcs_.senses().same_word(item.a, item.b);
  }
  template <class Visit>
  void axioms(Visit visit) const {
    for (int h = 0; h < nodes_; ++h) {
      visit(complete(h, arcs_.senses().first(h)));
      visit(complete(h, arcs_.senses().last(h)));
    }
  }

  Index arcs() const { return arcs_.arcs(); }
  int leaf(Index arc) const { return leaves_ + static_cast<int>(arc); }
  Index arc_of(const Item& item) const { return item.kind == Kind::leaf ? item.a : -1; }
  Arc arc(Index arc) const { return arcs_.arc(static_cast<int>(arc)); }
  int attached(const Item& item) const { return item.kind == Kind::incomplete ? leaf(item.a) : -1; }
  template <class Visit>
  void constants(const Item&, Visit) const {}

  template <class Visit>
  void bottom_up(Visit visit) const {
    spans_bottom_up(nodes_, 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }
  template <class Visit>
  void top_down(Visit visit) const {
    spans_top_down(nodes_, 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    const auto [kind, a, b] = item;
    switch (kind) {
      case Kind::joined:
        return visit(Strip{complete(a, a), 1, complete(b, a + 1), 1, b - a}, NoParts{});
      case Kind::incomplete:
        return incomplete_edges(a, visit);
      default:
        for (auto [arc, last] = outermost(a, b); arc < last; ++arc)
          visit(Strip{incomplete(arc), 0, complete(arcs_.modifier(arc), b), 0, 1}, NoParts{});
    }
  }

 private:
  int complete(int h, int e) const { return h * nodes_ + e; }
  int joined(int i, int j) const { return square_ + i * nodes_ + j; }
  int incomplete(int arc) const { return incompletes_ + arc; }

  // Arcs [first, last) of one head to one side: any two of their modifiers may be siblings.
  void note_pairs(int first, int last) {
    for (int left = first; left < last; ++left)
      for (int right = left + 1; right < last; ++right)
        if (const int i = arcs_.modifier(left), j = arcs_.modifier(right); !arcs_.senses().same_word(i, j))
          is_joined_[cell(i, j)] = 1;
  }
  std::size_t cell(int i, int j) const { return static_cast<std::size_t>(i) * nodes_ + j; }

  // The arcs [first, last) of h that may be the outermost one of its half up to e.
  std::pair<int, int> outermost(int h, int e) const {
    if (h < e) return {arcs_.first_at(h, h + 1), arcs_.first_at(h, e + 1)};
    return {arcs_.first_at(h, e), arcs_.first_at(h, h)};
  }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    const auto halves = [&](int h, int e) {
      if (const auto [first, last] = outermost(h, e); first < last) visit(Item{Kind::complete, h, e});
    };
    switch (phase) {
      case 0:
        if (is_joined_[cell(i, j)]) visit(Item{Kind::joined, i, j});
        break;
      case 1:
        if (const int arc = arcs_.find(i, j); arc >= 0) visit(Item{Kind::incomplete, arc, 0});
        if (const int arc = i > 0 ? arcs_.find(j, i) : -1; arc >= 0) visit(Item{Kind::incomplete, arc, 0});
        break;
      default:
        if (arcs_.senses().is_last(j) && (i > 0 || !single_root_ || j == nodes_ - 1)) halves(i, j);
        if (i > 0 && arcs_.senses().is_first(i)) halves(j, i);
    }
  }

  template <class Visit>
  void incomplete_edges(int arc, Visit visit) const {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    const auto parts = [=, first = arcs_.sibling(arc, 0)](int j) {
      return [=](int) { return part_list(Part<Siblings>{first + j}, PositionPart<Arcs>{arc, j == 0 ? 0 : 1}); };
    };
    const int near_head = h < m ? arcs_.senses().last(h) + 1 : arcs_.senses().first(h) - 1;
    visit(Strip{complete(m, near_head), 0, axiom(), 0, 1}, parts(0));
    if (single_root_ && h == 0) return;
    for (int j = 1; j <= arcs_.inner(arc); ++j) {
      const int inner_arc = arcs_.nearer(arc, j), s = arcs_.modifier(inner_arc);
      visit(Strip{incomplete(inner_arc), 0, s < m ? joined(s, m) : joined(m, s), 0, 1}, parts(j));
    }
  }

  Candidates arcs_;
  int nodes_, square_, incompletes_, leaves_;
  bool single_root_;
  std::vector<std::uint8_t> is_joined_;
};

}  // namespace headwise::trees
