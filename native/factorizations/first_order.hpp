// Projective trees scored arc by arc: Eisner's algorithm (Eisner 2000; Koo's thesis, 5.3.1).
// O(n³) time, O(n²) memory.
//
//   complete C(h, e)     h and all its descendants between h and e          C(h, h) is an axiom
//   joined   J(i, j)     C(i, r) and C(j, r+1) side by side, i ≤ r < j      i and j await an arc
//   incomplete I(h, m)   J(min, max) with the arc h → m
//
//   I(h, m) = J(h, m) + arc(h, m)          C(h, e) = I(h, m) + C(m, e) for some m in (h, e]
//
// J is one item for both directions of the arc, which saves a quarter of the work.
// With a single root, node 0 takes no modifier before its only one: J(0, m) allows r = 0 alone.
#pragma once
#include <cstddef>
#include <cstdint>

#include "hypergraph.hpp"

namespace headwise {

class FirstOrder {
 public:
  enum class Kind : std::uint8_t { complete, incomplete, joined };
  // complete: (head, endpoint); incomplete: (head, modifier); joined: (first, last).
  struct Item {
    Kind kind;
    int a, b;
  };

  FirstOrder(int words, bool single_root)
      : words_(words), nodes_(words + 1), square_(nodes_ * nodes_), single_root_(single_root) {}

  std::size_t size() const { return 3 * static_cast<std::size_t>(square_); }
  Item goal() const { return {Kind::complete, 0, words_}; }
  int number(const Item& item) const {
    return static_cast<int>(item.kind) * square_ + item.a * nodes_ + item.b;
  }
  Item item(int number) const {
    const int cell = number % square_;
    return {static_cast<Kind>(number / square_), cell / nodes_, cell % nodes_};
  }

  template <class Visit>
  void axioms(Visit visit) const {
    for (int h = 0; h < nodes_; ++h) visit(complete(h, h));
  }
  bool is_axiom(int number) const { return number < square_ && number % (nodes_ + 1) == 0; }

  // Spans by their last word, then from short to long: every piece of a span comes before it.
  template <class Visit>
  void bottom_up(Visit visit) const {
    for (int j = 1; j < nodes_; ++j)
      for (int i = j - 1; i >= 0; --i) {
        visit(Item{Kind::joined, i, j});
        visit(Item{Kind::incomplete, i, j});
        if (i > 0) visit(Item{Kind::incomplete, j, i});
        if (is_used(i, j)) visit(Item{Kind::complete, i, j});
        if (i > 0) visit(Item{Kind::complete, j, i});
      }
  }
  template <class Visit>
  void top_down(Visit visit) const {
    for (int j = words_; j >= 1; --j)
      for (int i = 0; i < j; ++i) {
        if (i > 0) visit(Item{Kind::complete, j, i});
        if (is_used(i, j)) visit(Item{Kind::complete, i, j});
        if (i > 0) visit(Item{Kind::incomplete, j, i});
        visit(Item{Kind::incomplete, i, j});
        visit(Item{Kind::joined, i, j});
      }
  }

  template <class Visit>
  void constants(const Item& item, Visit visit) const {
    if (item.kind == Kind::incomplete) visit(Arc{item.a, item.b});
  }
  Arc arc(const Item& item) const {
    return item.kind == Kind::incomplete ? Arc{item.a, item.b} : Arc{-1, -1};
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    const auto [kind, a, b] = item;
    switch (kind) {
      case Kind::joined:
        visit(Strip{complete(a, a), 1, complete(b, a + 1), 1, single_root_ && a == 0 ? 1 : b - a}, NoParts{});
        break;
      case Kind::incomplete:
        visit(Strip{joined(a, b), 0, complete(0, 0), 0, 1}, NoParts{});
        break;
      case Kind::complete:
        if (a < b)
          visit(Strip{incomplete(a, a + 1), 1, complete(a + 1, b), nodes_, b - a}, NoParts{});
        else
          visit(Strip{incomplete(a, b), 1, complete(b, b), nodes_, a - b}, NoParts{});
        break;
    }
  }

 private:
  int complete(int h, int e) const { return h * nodes_ + e; }
  int incomplete(int h, int m) const { return square_ + h * nodes_ + m; }
  int joined(int a, int b) const { return 2 * square_ + (a < b ? a * nodes_ + b : b * nodes_ + a); }
  // With a single root, the root's own span is of use only when it covers the sentence.
  bool is_used(int i, int j) const { return i > 0 || !single_root_ || j == words_; }

  int words_, nodes_, square_;
  bool single_root_;
};

}  // namespace headwise
