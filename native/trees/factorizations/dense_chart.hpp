// What the O(n³) factorizations share: a chart of squares over pairs of nodes.
//
//   complete   C(h, e)   h and all its descendants between h and e; C(h, h) is an axiom
//   incomplete I(h, m)   everything between h and m once the arc h → m is there
//   joined     J(i, j)   C(i, r) and C(j, r+1) side by side, i ≤ r < j: two halves that meet
//   leaf       A(h, m)   the arc h → m with one of its labels
//
//   C(h, e) = I(h, m) + C(m, e) for some m in (h, e]
//
// Complete spans are stored by head and, mirrored, by end, joined ones by either word, so that all strips
// are contiguous.
// With a single root, the root's own spans are of use only when they cover the sentence.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>

#include "trees/hypergraph.hpp"
#include "spans.hpp"

namespace headwise::trees {

enum class DenseKind : std::uint8_t { complete, mirrored, incomplete, joined, leaf };

struct DenseItem {
  DenseKind kind;
  int a, b;
};

class DenseChart {
 public:
  using Item = DenseItem;
  using Kind = DenseKind;

  DenseChart(int words, bool single_root)
      : words_(words), nodes_(words + 1), square_(nodes_ * nodes_), single_root_(single_root) {}

  int words() const { return words_; }
  int nodes() const { return nodes_; }
  bool single_root() const { return single_root_; }
  std::size_t size() const { return 5 * static_cast<std::size_t>(square_); }
  int most_edges() const { return nodes_ + 1; }
  Item goal() const { return {Kind::complete, 0, words_}; }

  int number(const Item& item) const {
    return static_cast<int>(item.kind) * square_ + item.a * nodes_ + item.b;
  }
  Item item(int number) const {
    // The quotient by comparison: a division costs more, and no branch could foresee it.
    const int square = (number >= square_) + (number >= 2 * square_) + (number >= 3 * square_) +
                       (number >= 4 * square_);
    const auto kind = static_cast<Kind>(square);
    const int cell = number - square * square_, a = cell / nodes_, b = cell - a * nodes_;
    if (kind == Kind::mirrored) return {Kind::complete, b, a};
    if (kind == Kind::joined && a > b) return {kind, b, a};
    return {kind, a, b};
  }
  int mirror(const Item& item) const {
    if (item.kind == Kind::complete) return mirrored(item.a, item.b);
    return item.kind == Kind::joined ? joined(item.b, item.a) : -1;
  }

  template <class Visit>
  void axioms(Visit visit) const {
    for (int h = 0; h < nodes_; ++h) {
      visit(complete(h, h));
      visit(mirrored(h, h));
    }
  }
  bool is_axiom(const Item& item) const { return item.kind == Kind::complete && item.a == item.b; }
  int axiom() const { return 0; }

  Index arcs() const { return square_; }
  int leaf(Index arc) const { return static_cast<int>(DenseKind::leaf) * square_ + static_cast<int>(arc); }
  Index arc_of(const Item& item) const {
    return item.kind == Kind::leaf ? static_cast<Index>(item.a) * nodes_ + item.b : -1;
  }
  Arc arc(Index arc) const { return {static_cast<int>(arc) / nodes_, static_cast<int>(arc) % nodes_}; }
  int attached(const Item& item) const {
    return item.kind == Kind::incomplete ? leaf(static_cast<Index>(item.a) * nodes_ + item.b) : -1;
  }

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

 protected:
  int complete(int h, int e) const { return h * nodes_ + e; }
  int mirrored(int h, int e) const { return square_ + e * nodes_ + h; }
  int incomplete(int h, int m) const { return 2 * square_ + h * nodes_ + m; }
  int joined(int i, int j) const { return 3 * square_ + i * nodes_ + j; }

  template <class Visit>
  void complete_edges(int h, int e, Visit visit) const {
    if (h < e)
      visit(Strip{incomplete(h, h + 1), 1, mirrored(h + 1, e), 1, e - h}, NoParts{});
    else
      visit(Strip{incomplete(h, e), 1, mirrored(e, e), 1, h - e}, NoParts{});
  }

 private:
  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    switch (phase) {
      case 0:
        visit(Item{Kind::joined, i, j});
        break;
      case 1:
        visit(Item{Kind::incomplete, i, j});
        if (i > 0) visit(Item{Kind::incomplete, j, i});
        break;
      default:
        if (i > 0 || !single_root_ || j == words_) visit(Item{Kind::complete, i, j});
        if (i > 0) visit(Item{Kind::complete, j, i});
    }
  }

  int words_, nodes_, square_;
  bool single_root_;
};

}  // namespace headwise::trees
