// Search by sampling (Zhang et al. 2014, "Steps to excellence", Figure 1): a chain of trees at a falling temperature;
// the best tree that comes up wins. Whenever it ends, there is a tree.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <vector>

#include "trees/local_search/chain.hpp"
#include "trees/local_search/starts.hpp"

namespace headwise::trees {

struct AnnealLimits {
  std::uint64_t seed = default_seed;
  int steps_a_word = 200;
  double hottest = 1.0, coldest = 0.05;  // the temperature falls geometrically
  ChainSettings chain{};
};

// From a tree of the first-order distribution; where arcs may not cross, from the best one of first order. Returns the
// best score; `heads` is empty where there is no tree.
inline double best_tree_by_annealing(MovableTree& tree, const PartScores& scores, bool single_root,
                                     const AnnealLimits& limits, std::vector<int>& heads) {
  FirstOrderTrees first_order(tree.candidates(), single_root, [&](int arc) { return scores.labels[arc]; });
  heads.clear();
  if (std::vector<int> start; first_order.best(start, limits.chain.projective)) {
    Random random(limits.seed);
    if (!limits.chain.projective) first_order.draw(random, start);
    tree.assign(start);
    heads = start;
    double best = tree.score();
    TreeChain chain(tree, scores, single_root, limits.chain);
    const double steps = static_cast<double>(limits.steps_a_word) * tree.words();
    const double cooling = std::pow(limits.coldest / limits.hottest, 1.0 / steps);
    double temperature = limits.hottest;
    for (double step = 0; step < steps; ++step, temperature *= cooling) {
      chain.step(temperature, random);
      if (tree.score() > best + 1e-9) {
        best = tree.score();
        tree.copy_heads(heads);
      }
    }
    return best;
  }
  return kImpossible;
}

}  // namespace headwise::trees
