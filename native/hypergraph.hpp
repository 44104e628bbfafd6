// One derivation, every operation: the hypergraph of all trees, and how to sum and search it.
//
// A factorization describes how trees are built from smaller pieces (items: spans of the sentence). It is
// a small struct with
//
//   Item                      a decoded item; number(item) is its place in the chart, item(number) the inverse
//   size(), goal()            how many chart entries there are; the item that stands for whole trees
//   axioms(f)                 f(number) for each item that is there without being built (an empty span)
//   is_axiom(number)
//   bottom_up(f), top_down(f) f(item) for every other item, pieces before (after) what is built from them
//   constants(item, f)        f(part) for each part that every way to build the item contains
//   edges(item, f)            f(strip, parts) for the ways to build the item, a strip at a time
//   arc(item)                 the arc that the item adds to a tree, if any
//
// Each tree has exactly one derivation, so that sums count it once. A scorer turns a part into a number:
// scores(part). Everything below and in traceback.hpp, k_best.hpp and outside.hpp is written once over
// these, and compiled for each pair of factorization and scorer.
#pragma once
#include <vector>

#include "semiring.hpp"

namespace headwise {

// `count` ways to build an item: way k joins the items left + k·left_step and right + k·right_step.
struct Strip {
  int left, left_step;
  int right, right_step;
  int count;
};

// The parts of a strip whose edges score nothing of their own.
struct NoParts {};

// An arc of the tree; head < 0 stands for none.
struct Arc {
  int head, modifier;
  explicit operator bool() const { return head >= 0; }
};

template <class Semiring>
using Chart = std::vector<typename Semiring::Value>;

// value(k) of the edges of a strip, for any semiring.
template <class Semiring, class Scores, class Parts>
auto edge_values(const Strip& strip, const Parts& parts, const Scores& scores,
                 const typename Semiring::Value* chart) {
  const auto* left = chart + strip.left;
  const auto* right = chart + strip.right;
  if constexpr (std::is_same_v<Parts, NoParts>) {
    return [=, l = strip.left_step, r = strip.right_step](int k) {
      return Semiring::times(left[k * l], right[k * r]);
    };
  } else {
    return [=, &scores, l = strip.left_step, r = strip.right_step](int k) {
      return Semiring::times(Semiring::times(left[k * l], right[k * r]), Semiring::lift(scores(parts(k))));
    };
  }
}

// The score shared by all ways to build the item.
template <class Semiring, class Factorization, class Scores>
typename Semiring::Value constant_value(const Factorization& trees, const Scores& scores,
                                        const typename Factorization::Item& item) {
  auto value = Semiring::one();
  trees.constants(item, [&](const auto& part) { value = Semiring::times(value, Semiring::lift(scores(part))); });
  return value;
}

// The sum over all derivations of every item, bottom up (the inside pass); returns that of the goal.
template <class Semiring, class Factorization, class Scores>
typename Semiring::Value inside(const Factorization& trees, const Scores& scores, Chart<Semiring>& chart) {
  chart.assign(trees.size(), Semiring::zero());
  trees.axioms([&](int number) { chart[number] = Semiring::one(); });
  auto* values = chart.data();
  trees.bottom_up([&](const auto& item) {
    typename Semiring::Sum sum;
    trees.edges(item, [&](const Strip& strip, const auto& parts) {
      sum.add(strip.count, edge_values<Semiring>(strip, parts, scores, values));
    });
    values[trees.number(item)] = Semiring::times(sum.total(), constant_value<Semiring>(trees, scores, item));
  });
  return chart[trees.number(trees.goal())];
}

}  // namespace headwise
