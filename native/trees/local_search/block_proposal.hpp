// New heads for a few words at once, drawn from the first-order distribution while all other words keep theirs
// (Zhang, Lei, Barzilay, Jaakkola and Globerson 2014, "Steps to excellence", section 3.2.2).
//
// The paper walks at random and erases loops (its Figure 2, after Wilson 1996). The same distribution without
// walking, which can take for ever on peaked scores: the words that keep their heads form one component around the
// root and one below each word of the block; a tree over the components, weighted by the sums of the arcs between
// them, is drawn exactly, and then an arc for each of its arcs. A single root is drawn exactly too.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <vector>

#include "trees/local_search/movable_tree.hpp"
#include "base/index.hpp"
#include "base/random.hpp"
#include "trees/spanning/sample_spanning_tree.hpp"
#include "trees/spanning/spanning_weights.hpp"

namespace headwise::trees {

class BlockProposal {
 public:
  // Fills chosen[i] with the new arc into block[i]. The words of the block are detached. log_weight(arc) may be any
  // finite number.
  template <class LogWeight>
  void draw(MovableTree& tree, const std::vector<int>& block, bool single_root, LogWeight log_weight, Random& random,
            std::vector<int>& chosen) {
    gather(tree, block, single_root, log_weight);
    draw_components(static_cast<int>(block.size()), single_root && takes_root_, random);
    chosen.clear();
    for (std::size_t i = 0; i < block.size(); ++i) chosen.push_back(draw_arc(options_[i], heads_[i], random));
  }

 private:
  struct Option {
    int arc, component;
    double log_weight;
  };

  // The candidate arcs into each word of the block, and the log of their sum by component: 0 is that of the root,
  // i + 1 that of block[i].
  template <class LogWeight>
  void gather(MovableTree& tree, const std::vector<int>& block, bool single_root, LogWeight log_weight) {
    const Candidates& arcs = tree.candidates();
    takes_root_ = tree.subtree(0).size() == 1;  // else, with a single root, another word has it
    component_of_.assign(at(arcs.nodes()), 0);
    for (std::size_t i = 0; i < block.size(); ++i)
      for (const int word : tree.subtree(block[i])) component_of_[at(word)] = static_cast<int>(i) + 1;
    const std::size_t width = block.size() + 1;
    sums_.assign(width * width, kImpossible);
    options_.resize(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      options_[i].clear();
      for (const int arc : arcs.into(block[i])) {
        const int h = arcs.head(arc), component = component_of_[at(h)];
        if (component == static_cast<int>(i) + 1 || (h == 0 && single_root && !takes_root_)) continue;
        options_[i].push_back({arc, component, log_weight(arc)});
        double& sum = sums_[at(component) * width + i + 1];
        sum = log_of_sum(sum, options_[i].back().log_weight);
      }
    }
  }

  static double log_of_sum(double a, double b) {
    const auto [low, high] = std::minmax(a, b);
    return low == kImpossible ? high : high + std::log1p(std::exp(low - high));
  }

  void draw_components(int size, bool single_root, Random& random) {
    heads_.resize(at(size));
    const std::uint64_t seed = random.bits();
    // with() may compute twice: each time from the same seed.
    SpanningWeights(sums_.data(), size + 1, 1).with([&](const auto& weights) {
      Random own(seed);
      SpanningTreeSampler(weights, single_root).draw(own, heads_.data());
      return true;
    });
  }

  int draw_arc(const std::vector<Option>& options, int component, Random& random) {
    weights_.clear();
    double most = kImpossible, sum = 0;
    for (const Option& option : options)
      if (option.component == component) most = std::max(most, option.log_weight);
    for (const Option& option : options) {
      weights_.push_back(option.component == component ? std::exp(option.log_weight - most) : 0.0);
      sum += weights_.back();
    }
    const int picked = pick_by_weight(weights_.data(), static_cast<int>(weights_.size()), sum, random.uniform());
    return options[at(picked)].arc;
  }

  bool takes_root_ = false;
  std::vector<int> component_of_, heads_;
  std::vector<std::vector<Option>> options_;
  std::vector<double> sums_, weights_;
};

}  // namespace headwise::trees
