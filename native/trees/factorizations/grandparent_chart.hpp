// What the O(n⁴) factorizations share: spans that know the head of their head (g-spans; Koo's thesis, 5.4).
//
//   half C(a, e)        for an arc a = (g, h)
//   incomplete I(a, b)  for arcs a = (g, h) and b = (h, m): everything between h and m (models 0, 1 and 2)
//
//   C(g, h, e) = I(g, h, m) + C(h, m, e)             m the outermost modifier of h in the half
//
// Spans are numbered by the arcs that survive pruning and by endpoints, so memory and time are in proportion
// to those arcs.
#pragma once
#include "rooms.hpp"
#include <utility>

#include "candidate_chart.hpp"

namespace headwise::trees {

class GrandparentChart : public CandidateChart {
 public:
  // `own` chart places are for the items that only this model has, `pairs` for incomplete spans.
  GrandparentChart(Candidates arcs, bool single_root, Index own, Index pairs)
      : CandidateChart(std::move(arcs), single_root),
        own_(1 + (arcs_.arcs() + 1) * cells()),
        incompletes_(own_ + static_cast<int>(own)) {
    leaves_ = incompletes_ + static_cast<int>(pairs);
  }

  Item goal() const { return {Kind::half, arcs_.top(), nodes()}; }

  template <class Visit>
  void empty_halves(Visit visit) const {
    for (int arc = 0; arc <= arcs_.arcs(); ++arc) empty_halves_of(arc, arcs_.modifier(arc), visit);
  }

 protected:
  int own() const { return own_; }
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
    return half_item(number);
  }

  bool is_empty(int arc, int cell) const { return is_around(arcs_.modifier(arc), cell); }
  // Whether the modifiers of the arc's modifier in this cell (or at this node) are on the side of its head.
  bool faces_head(int above, int arc) const {
    const int h = arcs_.modifier(above);
    return (arcs_.modifier(arc) < h) == (arcs_.head(above) < h);
  }

  // An empty half is there for nothing; another one ends with its outermost modifier, and parts_from(place of the
  // first grandchild that it may be) are the parts of that.
  template <class PartsFrom, class Visit>
  void half_edges(int arc, int cell, PartsFrom parts_from, Visit visit) const {
    if (is_empty(arc, cell)) {
      visit(Strip{axiom(), 0, axiom(), 0, 1}, NoParts{});
      return;
    }
    const auto [first, count, end] = outermost(arcs_.modifier(arc), cell);
    visit(Strip{incomplete(arc, first), 1, half(first, end), cells(), count},
          parts_from(arcs_.grandchild(arc, first)));
  }

  // The halves over the span from i to j.
  template <class Visit>
  void halves(int i, int j, Visit visit) const {
    CandidateChart::halves(i, j, [&](int h, auto f) { arcs_above(h, i, j, f); }, visit);
  }
  // visit(above, arc) for the arc between i and j, in either direction, below every possible arc.
  template <class Visit>
  void arcs_with_head(int i, int j, Visit visit) const {
    arcs_between(i, j, [&](int arc) {
      arcs_above(arcs_.head(arc), i, j, [&](int above) { visit(above, arc); });
    });
  }

 private:
  int own_, incompletes_;
};

}  // namespace headwise::trees
