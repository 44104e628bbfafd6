// Walk down one derivation of the goal. No back-pointers are kept: a derivation visits O(n) items, and
// looking at their edges again costs less than remembering a choice for every item of the chart.
#pragma once
#include <vector>

#include "hypergraph.hpp"

namespace headwise {

// One way to build an item: the two items it joins.
struct Edge {
  int left, right;
};

// The first edge of the greatest value: ties go to the edge that the factorization lists first.
template <class Factorization, class Scores>
Edge best_edge(const Factorization& trees, const Scores& scores, const std::vector<double>& chart,
               const typename Factorization::Item& item) {
  double best = kImpossible;
  Edge edge{-1, -1};
  trees.edges(item, [&](const Strip& strip, const auto& parts) {
    const auto value = edge_values<MaxPlus>(strip, parts, scores, chart.data());
    for (int k = 0; k < strip.count; ++k) {
      if (const double candidate = value(k); candidate > best) {
        best = candidate;
        edge = {strip.left + k * strip.left_step, strip.right + k * strip.right_step};
      }
    }
  });
  return edge;
}

// Visits the items of the derivation that `pick(item)` chooses edge by edge, the goal first.
template <class Factorization, class Pick, class Visit>
void walk_derivation(const Factorization& trees, std::vector<int>& stack, Pick pick, Visit visit) {
  stack.assign(1, trees.number(trees.goal()));
  while (!stack.empty()) {
    const int number = stack.back();
    stack.pop_back();
    if (trees.is_axiom(number)) continue;
    const auto item = trees.item(number);
    visit(item);
    const Edge edge = pick(item);
    stack.push_back(edge.right);
    stack.push_back(edge.left);
  }
}

// The heads of the best tree, read off a chart filled by inside<MaxPlus>; heads[m - 1] is the head of m.
template <class Factorization, class Scores>
void best_tree(const Factorization& trees, const Scores& scores, const std::vector<double>& chart,
               std::vector<int>& stack, int* heads) {
  walk_derivation(
      trees, stack, [&](const auto& item) { return best_edge(trees, scores, chart, item); },
      [&](const auto& item) {
        if (const Arc arc = trees.arc(item)) heads[arc.modifier - 1] = arc.head;
      });
}

}  // namespace headwise
