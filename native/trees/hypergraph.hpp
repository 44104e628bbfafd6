// One derivation, every operation: the hypergraph of all trees, and the inside pass over it.
//
// A factorization says how trees are built from smaller pieces (items: spans of the sentence). It is a
// small struct with
//
//   Item                      an item; number(item) is its place in the chart, item(number) the inverse
//   size(), goal()            how many places the chart has; the item that stands for whole trees
//   axioms(f), is_axiom(item) f(number) for each item that is there without being built: an empty span
//   arcs(), leaf(arc)         the arcs that trees may have are numbered too; the leaf is the item of an arc,
//   arc_of(item)              built by choosing one of its labels; arc_of tells a leaf's arc, or none
//   bottom_up(f), top_down(f) f(item) for every other item, pieces before (after) what is built from them
//   edges(item, f)            f(strip, parts) for the ways to build an item, a strip at a time; parts(k) is
//                             what edge k adds to a tree
//   constants(item, f)        f(part) for what every way to build the item adds
//   attached(item)            the leaf that every way to build the item joins as well, or −1
//   mirror(item)              a second place of the same item, or −1: what makes strips contiguous
//   most_edges()              no item has more edges
//   fill_best(chart)          optional: what inside(MaxPlus) does after the leaves, by a faster way
//
// Each tree has exactly one derivation, so that sums count it once. A scorer turns a part into a number,
// scores(part). Everything here and in traceback.hpp, expectations.hpp, k_best.hpp and sample.hpp is
// written once over these and compiled for each factorization.
#pragma once
#include "rooms.hpp"
#include "trees/parts.hpp"
#include "trees/semiring.hpp"
#include "base/simd.hpp"

namespace headwise::trees {

// The score of part k of a strip, or NoParts.
template <class Scores, class Parts>
auto part_score(const Scores& scores, const Parts& parts) {
  if constexpr (std::is_same_v<Parts, NoParts>)
    return NoParts{};
  else
    return [&scores, parts](int k) { return scores(parts(k)); };
}

// The edges of a leaf: one for each label.
template <class Visit>
void label_edges(Index arc, int label_count, int axiom, Visit visit) {
  visit(Strip{axiom, 0, axiom, 0, label_count}, [=](int k) { return LabelPart{arc * label_count + k}; });
}

// Edges of any item, leaves included.
template <class Factorization, class Scores, class Visit>
void all_edges(const Factorization& trees, const Scores& scores, const typename Factorization::Item& item,
               Visit visit) {
  if (const Index arc = trees.arc_of(item); arc >= 0)
    label_edges(arc, scores.label_count, trees.axiom(), visit);
  else
    trees.edges(item, visit);
}

// What all ways to build the item share.
template <class Semiring, class Factorization, class Scores>
typename Semiring::Value shared_value(const Semiring& ring, const Factorization& trees, const Scores& scores,
                                      const typename Semiring::Chart& chart,
                                      const typename Factorization::Item& item) {
  const int leaf = trees.attached(item);
  auto value = leaf >= 0 ? chart[leaf] : ring.one();
  trees.constants(item, [&](const auto& part) { value = ring.times(value, ring.lift(scores(part))); });
  return value;
}

// The sum over all derivations of every item, bottom up; returns that of the goal.
template <class Semiring, class Factorization, class Scores>
HEADWISE_FLATTEN typename Semiring::Value inside(const Semiring& ring, const Factorization& trees, const Scores& scores,
                                typename Semiring::Chart& chart, typename Semiring::Scratch& scratch) {
  chart.reset(trees.size(), ring.zero());
  scratch.reserve(trees.most_edges() + scores.label_count);
  trees.axioms([&](int number) { chart.set(number, ring.one()); });
  const auto sum_up = [&](const auto& edges) {
    typename Semiring::Sum sum(ring, chart, scratch);
    edges([&](const Strip& strip, const auto& parts) { sum.add(strip, part_score(scores, parts)); });
    return sum.total();
  };
  if (scores.label_count == 1) {
    chart.lift(ring, scores.labels, trees.arcs(), trees.leaf(0));
  } else {
    for (Index arc = 0; arc < trees.arcs(); ++arc)
      chart.set(trees.leaf(arc),
                sum_up([&](auto visit) { label_edges(arc, scores.label_count, trees.axiom(), visit); }));
  }
  if constexpr (std::is_same_v<Semiring, MaxPlus> && requires { trees.fill_best(chart); }) {
    trees.fill_best(chart);
    return chart[trees.number(trees.goal())];
  }
  trees.bottom_up([&](const auto& item) {
    const auto value = ring.times(sum_up([&](auto visit) { trees.edges(item, visit); }),
                                  shared_value(ring, trees, scores, chart, item));
    chart.set(trees.number(item), value);
    if (const int mirror = trees.mirror(item); mirror >= 0) chart.set(mirror, value);
  });
  return chart[trees.number(trees.goal())];
}

}  // namespace headwise::trees
