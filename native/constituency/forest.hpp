// Derivations that are all listed: nodes in an order in which each follows those it is built from.
//
// A forest is built once a sentence; then it is searched again and again with other prices on its variables, which
// is what dual decomposition asks of it (Rush et al. 2010, section 4). Every operation is O(edges).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <span>
#include <vector>

#include "constituency/bracketing.hpp"
#include "constituency/derivations.hpp"

namespace headwise::constituency {

class Forest {
 public:
  struct Node {
    std::int32_t label = -1, begin = 0, end = 0;  // the bracket that it stands for; label −1: part of one
  };

  int nodes() const { return static_cast<int>(nodes_.size()); }
  std::size_t edge_count() const { return edges_.size(); }
  int goal() const { return nodes() - 1; }
  const Node& node(int number) const { return nodes_[at(number)]; }
  std::span<const Edge> edges_of(int number) const {
    return {edges_.data() + begins_[at(number)], begins_[at(number) + 1] - begins_[at(number)]};
  }
  template <class F>
  void edges(int number, F f) const {
    for (const Edge& edge : edges_of(number)) f(edge);
  }

  // A node after all its edges' nodes; its edges follow.
  void add(const Node& node, std::span<const Edge> edges) {
    nodes_.push_back(node);
    edges_.insert(edges_.end(), edges.begin(), edges.end());
    begins_.push_back(edges_.size());
  }
  void clear() {
    nodes_.clear();
    edges_.clear();
    begins_.assign(1, 0);
  }

  // The price of an edge's variable; without prices everything is free.
  static double price(const Edge& edge, std::span<const double> prices) {
    return edge.variable < 0 || prices.empty() ? 0.0 : prices[at(edge.variable)];
  }

  // The best derivation of every node, bottom up; −inf where there is none.
  void best(std::span<const double> prices, std::vector<double>& chart) const {
    chart.resize(nodes_.size());
    for (int number = 0; number < nodes(); ++number) {
      double greatest = trees::kImpossible;
      for (const Edge& edge : edges_of(number)) {
        double value = edge.score + price(edge, prices);
        if (edge.left >= 0) value += chart[at(edge.left)];
        if (edge.right >= 0) value += chart[at(edge.right)];
        if (value > greatest) greatest = value;
      }
      chart[at(number)] = greatest;
    }
  }

  // Walks the best derivation below the goal: visit(node, edge), parents first, left to right.
  template <class Visit>
  void walk_best(std::span<const double> prices, const std::vector<double>& chart, Visit visit) const {
    std::vector<int> stack{goal()};
    while (!stack.empty()) {
      const int number = stack.back();
      stack.pop_back();
      const Edge* chosen = nullptr;
      double greatest = trees::kImpossible;
      for (const Edge& edge : edges_of(number)) {
        double value = edge.score + price(edge, prices);
        if (edge.left >= 0) value += chart[at(edge.left)];
        if (edge.right >= 0) value += chart[at(edge.right)];
        if (value > greatest) greatest = value, chosen = &edge;
      }
      visit(number, *chosen);
      if (chosen->right >= 0) stack.push_back(chosen->right);
      if (chosen->left >= 0) stack.push_back(chosen->left);
    }
  }

  // The log of the summed weight exp(score) of all derivations of every node.
  void sums(std::span<const double> prices, std::vector<double>& chart) const {
    chart.resize(nodes_.size());
    std::vector<double> values;
    for (int number = 0; number < nodes(); ++number) {
      values.clear();
      double greatest = trees::kImpossible;
      for (const Edge& edge : edges_of(number)) {
        double value = edge.score + price(edge, prices);
        if (edge.left >= 0) value += chart[at(edge.left)];
        if (edge.right >= 0) value += chart[at(edge.right)];
        values.push_back(value);
        greatest = std::max(greatest, value);
      }
      double sum = 0;
      if (greatest > trees::kImpossible)
        for (const double value : values) sum += std::exp(value - greatest);
      chart[at(number)] = greatest > trees::kImpossible ? greatest + std::log(sum) : greatest;
    }
  }

  // The probability of every node, and use(edge, p) for every edge, given the sums.
  template <class Use>
  void probabilities(std::span<const double> prices, const std::vector<double>& chart, std::vector<double>& usage,
                     Use use) const {
    usage.assign(nodes_.size(), 0.0);
    if (nodes_.empty() || !(chart.back() > trees::kImpossible)) return;
    usage.back() = 1.0;
    for (int number = goal(); number >= 0; --number) {
      if (usage[at(number)] == 0.0) continue;
      for (const Edge& edge : edges_of(number)) {
        double value = edge.score + price(edge, prices) - chart[at(number)];
        if (edge.left >= 0) value += chart[at(edge.left)];
        if (edge.right >= 0) value += chart[at(edge.right)];
        const double p = usage[at(number)] * std::exp(value);
        if (edge.left >= 0) usage[at(edge.left)] += p;
        if (edge.right >= 0) usage[at(edge.right)] += p;
        use(edge, p);
      }
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> begins_{0};
};

}  // namespace headwise::constituency
