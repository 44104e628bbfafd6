// Trees drawn exactly from their distribution: walk down a derivation, at each item choosing an edge with
// the probability of its share.
#pragma once
#include "rooms.hpp"
#include <unordered_map>
#include <vector>

#include "trees/expectations.hpp"
#include "base/random.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {

// One tree. The chart is filled by inside(SumOfWeights).
template <class Factorization, class Scores>
void sample_tree(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
                 SumOfWeights::Scratch& scratch, std::vector<int>& stack, Random& random,
                 const TreeArrays& tree) {
  walk_derivation(
      trees, stack,
      [&](const auto& item) {
        const double sum = relate_edges(trees, scores, chart, item, scratch);
        const int index = pick_by_weight(scratch.significand.data(), scratch.count, sum, random.uniform());
        return edge_at(trees, scores, item, index);
      },
      [&](const auto& item, const Edge& edge) { record(trees, item, edge, tree); });
}

// Draws trees one after the other from those not drawn yet.
//
// The choices made on the way down form a trie. Every node of it keeps, for each edge, the weight of the
// trees below that are left; once a tree is drawn, what is left is added up again along its path. Sums
// only: a tree of probability 1 − 1e-20 leaves the others with their exact weights.
template <class Factorization, class Scores>
class DistinctSampler {
 public:
  DistinctSampler(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
                  SumOfWeights::Scratch& scratch)
      : trees_(trees), scores_(scores), chart_(chart), scratch_(scratch) {}

  // False when every tree has been drawn.
  bool draw(Random& random, const TreeArrays& tree) {
    if (!nodes_.empty() && nodes_[0].left.is_zero()) return false;
    path_.clear();
    int node = enter(-1, -1);
    walk_derivation(
        trees_, stack_,
        [&](const auto& item) {
          if (nodes_[node].share.empty()) open(nodes_[node], item);
          const int index = choose(nodes_[node], random.uniform());
          path_.push_back({node, index});
          node = enter(node, index);
          return edge_at(trees_, scores_, item, index);
        },
        [&](const auto& item, const Edge& edge) { record(trees_, item, edge, tree); });
    nodes_[node].left = Scaled::zero();
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) close(nodes_[step->node]);
    return true;
  }

 private:
  struct Node {
    std::vector<Scaled> share;  // of each edge, among all trees below
    std::vector<int> child;     // −1: nothing drawn there yet
    Scaled left = Scaled::one();
  };
  struct Step {
    int node, edge;
  };

  int enter(int node, int edge) {
    if (node < 0) {
      if (nodes_.empty()) nodes_.emplace_back();
      return 0;
    }
    if (nodes_[node].child[edge] < 0) {
      const int fresh = static_cast<int>(nodes_.size());
      nodes_.emplace_back();
      nodes_[node].child[edge] = fresh;
    }
    return nodes_[node].child[edge];
  }

  void open(Node& node, const typename Factorization::Item& item) {
    gather_edges(trees_, scores_, chart_, item, scratch_);
    const Scaled sum =
        simd::sum_scaled(scratch_.significand.data(), scratch_.exponent.data(), scratch_.count);
    node.share.resize(scratch_.count);
    node.child.assign(scratch_.count, -1);
    for (int k = 0; k < scratch_.count; ++k)
      node.share[k] = Scaled{scratch_.significand[k] / sum.significand, scratch_.exponent[k] - sum.exponent};
  }

  // What is left below each edge, in the scratch; returns the sum.
  Scaled left_below(const Node& node) {
    const int count = static_cast<int>(node.share.size());
    scratch_.reserve(count);
    for (int k = 0; k < count; ++k) {
      const Scaled weight =
          (node.child[k] < 0 ? node.share[k] : node.share[k] * nodes_[node.child[k]].left).normalized();
      scratch_.significand[k] = weight.significand;
      scratch_.exponent[k] = weight.exponent;
    }
    return simd::relate_scaled(scratch_.significand.data(), scratch_.exponent.data(), count);
  }
  int choose(const Node& node, double u) {
    const Scaled sum = left_below(node);
    return pick_by_weight(scratch_.significand.data(), static_cast<int>(node.share.size()), sum.significand, u);
  }
  void close(Node& node) { node.left = left_below(node).normalized(); }

  const Factorization& trees_;
  const Scores& scores_;
  const SumOfWeights::Chart& chart_;
  SumOfWeights::Scratch& scratch_;
  std::vector<Node> nodes_;
  std::vector<Step> path_;
  std::vector<int> stack_;
};

}  // namespace headwise::trees
