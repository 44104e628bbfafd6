// Word senses: a tree and a sense of every word at once, first order (Eisner 2000, section 4.2; Koo's thesis,
// 5.5.3 and B.5.1). With K senses a word, O(n³K²) time and O(n²K²) memory.
//
// A node is a word with one of its senses. The spans of first_order.hpp know the sense of their head; the
// sense at the other end need not be known, since the word there belongs to no other span:
//
//   C(h, e) = I(h, m) + C(m, e)      m any sense of any word in (h, e]
//   I(h, m) = J(h, m) + A(h, m)      the arc between two nodes, its score that of m's sense included
//   J(i, j) = C(i, r) + C(j, r+1)    i ≤ r < j
//
// The root has one sense. Nodes are numbered word · K + sense, and a span's end is a word.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>

#include "trees/hypergraph.hpp"
#include "spans.hpp"

namespace headwise::trees {

class Senses {
 public:
  enum class Kind : std::uint8_t { complete, mirrored, incomplete, joined, leaf };
  // complete: (node, word); the others: (node, node).
  struct Item {
    Kind kind;
    int a, b;
  };

  Senses(int words, int senses, bool single_root)
      : words_(words),
        senses_(senses),
        nodes_((words + 1) * senses),
        halves_(nodes_ * (words + 1)),
        square_(nodes_ * nodes_),
        single_root_(single_root) {}

  int words() const { return words_; }
  bool has_senses() const { return true; }
  std::size_t size() const { return 2 * static_cast<std::size_t>(halves_) + 3 * static_cast<std::size_t>(square_); }
  int most_edges() const { return nodes_ + 1; }
  Item goal() const { return {Kind::complete, 0, words_}; }

  int number(const Item& item) const {
    if (item.kind == Kind::complete) return complete(item.a, item.b);
    return 2 * halves_ + (static_cast<int>(item.kind) - 2) * square_ + item.a * nodes_ + item.b;
  }
  Item item(int number) const {
    if (number < halves_) return {Kind::complete, number / (words_ + 1), number % (words_ + 1)};
    if (number < 2 * halves_) return {Kind::complete, (number - halves_) % nodes_, (number - halves_) / nodes_};
    const int cell = number - 2 * halves_;
    return {static_cast<Kind>(2 + cell / square_), cell % square_ / nodes_, cell % nodes_};
  }
  int mirror(const Item& item) const { return item.kind == Kind::complete ? mirrored(item.a, item.b) : -1; }

  template <class Visit>
  void axioms(Visit visit) const {
    for (int node = 0; node < nodes_; ++node) {
      visit(complete(node, node / senses_));
      visit(mirrored(node, node / senses_));
    }
  }
  bool is_axiom(const Item& item) const { return item.kind == Kind::complete && item.a / senses_ == item.b; }
  int axiom() const { return 0; }

  Index arcs() const { return square_; }
  int leaf(Index arc) const { return 2 * (halves_ + square_) + static_cast<int>(arc); }
  Index arc_of(const Item& item) const {
    return item.kind == Kind::leaf ? static_cast<Index>(item.a) * nodes_ + item.b : -1;
  }
  Arc arc(Index arc) const {
    const int head = static_cast<int>(arc) / nodes_, modifier = static_cast<int>(arc) % nodes_;
    return {head / senses_, modifier / senses_, modifier % senses_};
  }
  int attached(const Item& item) const {
    return item.kind == Kind::incomplete ? leaf(static_cast<Index>(item.a) * nodes_ + item.b) : -1;
  }
  template <class Visit>
  void constants(const Item&, Visit) const {}

  template <class Visit>
  void bottom_up(Visit visit) const {
    spans_bottom_up(words_ + 1, 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }
  template <class Visit>
  void top_down(Visit visit) const {
    spans_top_down(words_ + 1, 3, [&](int phase, int i, int j) { span_items(phase, i, j, visit); });
  }

  template <class Visit>
  void edges(const Item& item, Visit visit) const {
    const auto [kind, a, b] = item;
    const int first = a / senses_, last = kind == Kind::complete ? b : b / senses_;
    if (kind == Kind::joined) {
      const int splits = single_root_ && first == 0 ? 1 : last - first;
      visit(Strip{complete(a, first), 1, complete(b, first + 1), 1, splits}, NoParts{});
    } else if (kind == Kind::incomplete) {
      visit(Strip{a < b ? joined(a, b) : joined(b, a), 0, axiom(), 0, 1}, NoParts{});
    } else {
      const int from = (first < last ? first + 1 : last) * senses_;
      const int count = (first < last ? last - first : first - last) * senses_;
      visit(Strip{incomplete(a, from), 1, mirrored(from, last), 1, count}, NoParts{});
    }
  }

 private:
  int complete(int node, int end) const { return node * (words_ + 1) + end; }
  int mirrored(int node, int end) const { return halves_ + end * nodes_ + node; }
  int incomplete(int head, int modifier) const { return 2 * halves_ + head * nodes_ + modifier; }
  int joined(int i, int j) const { return 2 * halves_ + square_ + i * nodes_ + j; }
  int senses_of(int word) const { return word == 0 ? 1 : senses_; }

  template <class Visit>
  void span_items(int phase, int i, int j, Visit visit) const {
    const auto pairs = [&](auto pair) {
      for (int p = 0; p < senses_of(i); ++p)
        for (int q = 0; q < senses_; ++q) pair(i * senses_ + p, j * senses_ + q);
    };
    if (phase == 0) {
      pairs([&](int a, int b) { visit(Item{Kind::joined, a, b}); });
    } else if (phase == 1) {
      pairs([&](int a, int b) {
        visit(Item{Kind::incomplete, a, b});
        if (i > 0) visit(Item{Kind::incomplete, b, a});
      });
    } else {
      if (i > 0 || !single_root_ || j == words_)
        for (int p = 0; p < senses_of(i); ++p) visit(Item{Kind::complete, i * senses_ + p, j});
      for (int q = 0; i > 0 && q < senses_; ++q) visit(Item{Kind::complete, j * senses_ + q, i});
    }
  }

  int words_, senses_, nodes_, halves_, square_;
  bool single_root_;
};

}  // namespace headwise::trees
