// Walk down one derivation of the goal. No back-pointers are kept: a derivation visits O(n) items, and
// looking at their edges again costs less than remembering a choice for every item of the chart.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/hypergraph.hpp"

namespace headwise::trees {

// A tree under construction: heads[m - 1] and, where asked for, labels[m - 1] and senses[m - 1].
struct TreeArrays {
  int* heads;
  int* labels = nullptr;
  int* senses = nullptr;
};

// One way to build an item: the items it joins, and its place among the item's edges.
struct Edge {
  int left = -1, right = -1, index = -1;
};

inline Edge edge_of(const Strip& strip, int k, int first_index) {
  return {strip.left + k * strip.left_step, strip.right + k * strip.right_step, first_index + k};
}

// The edge of an item by its place.
template <class Factorization, class Scores>
Edge edge_at(const Factorization& trees, const Scores& scores, const typename Factorization::Item& item,
             int index) {
  int before = 0;
  Edge edge;
  all_edges(trees, scores, item, [&](const Strip& strip, const auto&) {
    if (index >= before && index < before + strip.count) edge = edge_of(strip, index - before, before);
    before += strip.count;
  });
  return edge;
}

// The first edge of the greatest value: ties go to the edge that the factorization lists first. Finding the
// greatest value first and then its place costs one mispredicted branch rather than one for each new best.
template <class Factorization, class Scores>
HEADWISE_FLATTEN Edge best_edge(const Factorization& trees, const Scores& scores, const MaxPlus::Chart& chart,
                                const typename Factorization::Item& item) {
  MaxPlus::Scratch unused;
  MaxPlus::Sum best(MaxPlus{}, chart, unused);
  all_edges(trees, scores, item, [&](const Strip& strip, const auto& parts) {
    best.add(strip, part_score(scores, parts));
  });
  int before = 0;
  Edge edge;
  all_edges(trees, scores, item, [&](const Strip& strip, const auto& parts) {
    const auto value = MaxPlus::edge_value(chart, strip, part_score(scores, parts));
    int k = edge.index >= 0 ? strip.count : 0;
    while (k < strip.count && value(k) != best.total()) ++k;
    if (k < strip.count) edge = edge_of(strip, k, before);
    before += strip.count;
  });
  return edge;
}

// Walks the derivation that `pick(item)` chooses edge by edge, the goal first: visit(item, edge).
template <class Factorization, class Pick, class Visit>
void walk_derivation(const Factorization& trees, std::vector<int>& stack, Pick pick, Visit visit) {
  stack.assign(1, trees.number(trees.goal()));
  while (!stack.empty()) {
    const int number = stack.back();
    stack.pop_back();
    const auto item = trees.item(number);
    if (trees.is_axiom(item)) continue;
    const Edge edge = pick(item);
    visit(item, edge);
    for (const int next : {trees.attached(item), edge.right, edge.left})
      if (next >= 0 && next != trees.axiom()) stack.push_back(next);
  }
}

// Notes the arc that a step of a derivation adds to the tree, if it adds one.
template <class Factorization>
void record(const Factorization& trees, const typename Factorization::Item& item, const Edge& edge,
            const TreeArrays& tree) {
  const Index number = trees.arc_of(item);
  if (number < 0) return;
  const Arc arc = trees.arc(number);
  tree.heads[arc.modifier - 1] = arc.head;
  if (tree.labels) tree.labels[arc.modifier - 1] = edge.index;
  if (tree.senses) tree.senses[arc.modifier - 1] = arc.sense;
}

// The best tree, read off a chart filled by inside(MaxPlus).
template <class Factorization, class Scores>
void best_tree(const Factorization& trees, const Scores& scores, const MaxPlus::Chart& chart,
               std::vector<int>& stack, const TreeArrays& tree) {
  walk_derivation(
      trees, stack, [&](const auto& item) { return best_edge(trees, scores, chart, item); },
      [&](const auto& item, const Edge& edge) { record(trees, item, edge, tree); });
}

}  // namespace headwise::trees
