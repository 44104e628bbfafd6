// How many trees are local optima of a first-order score: no single head can be moved, to another tree, for a higher
// score (Zhang et al. 2014, "Greed is good if randomized", Figure 2).
//
// Words take their best heads. A cycle among these cannot stay, and in a local optimum exactly one of its words has
// its head outside; each such word is tried, with the cycle made one node that is entered there.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "trees/semiring.hpp"

namespace headwise::trees {

class LocalOptima {
 public:
  explicit LocalOptima(std::int64_t most) : most_(most) {}

  // scores[h * nodes + m], −inf for arcs that are not there; several roots. Counting stops at `most`, since there may
  // be 2^(n−1). Of heads with equal scores the first counts as the better one.
  std::int64_t count(const std::vector<double>& scores, int nodes) const {
    std::vector<int> heads(at(nodes), nobody);
    for (int m = 1; m < nodes; ++m) {
      double best = kImpossible;
      for (int h = 0; h < nodes; ++h)
        if (h != m && scores[at(h * nodes + m)] > best) {
          best = scores[at(h * nodes + m)];
          heads[at(m)] = h;
        }
      if (heads[at(m)] == nobody) return 0;
    }
    const std::vector<int> cycle = find_cycle(heads);
    if (cycle.empty()) return 1;
    std::int64_t total = 0;
    for (const int entered : cycle) {
      total += count(contract(scores, nodes, cycle, entered), nodes - static_cast<int>(cycle.size()) + 1);
      if (total >= most_) return most_;
    }
    return total;
  }

 private:
  static constexpr int nobody = -1;

  static std::vector<int> find_cycle(const std::vector<int>& heads) {
    std::vector<int> reached_from(heads.size(), 0);
    for (int start = 1; start < static_cast<int>(heads.size()); ++start) {
      int node = start;
      for (; node != 0 && reached_from[at(node)] == 0; node = heads[at(node)]) reached_from[at(node)] = start;
      if (node == 0 || reached_from[at(node)] != start) continue;
      std::vector<int> cycle(1, node);
      for (int next = heads[at(node)]; next != node; next = heads[at(next)]) cycle.push_back(next);
      return cycle;
    }
    return {};
  }

  // The nodes outside the cycle in their order, then the cycle, which only `entered` gives arcs into.
  static std::vector<double> contract(const std::vector<double>& scores, int nodes, const std::vector<int>& cycle,
                                      int entered) {
    std::vector<char> inside(at(nodes), 0);
    for (const int node : cycle) inside[at(node)] = 1;
    std::vector<int> outside;
    for (int node = 0; node < nodes; ++node)
      if (!inside[at(node)]) outside.push_back(node);
    const std::size_t width = outside.size() + 1;
    std::vector<double> smaller(width * width, kImpossible);
    for (std::size_t j = 0; j < outside.size(); ++j) {
      for (std::size_t i = 0; i < outside.size(); ++i)
        smaller[i * width + j] = scores[at(outside[i] * nodes + outside[j])];
      smaller[j * width + width - 1] = scores[at(outside[j] * nodes + entered)];
      double& leaving = smaller[(width - 1) * width + j];
      for (const int node : cycle) leaving = std::max(leaving, scores[at(node * nodes + outside[j])]);
    }
    return smaller;
  }

  std::int64_t most_;
};

}  // namespace headwise::trees
