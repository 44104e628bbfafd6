// Coarse-to-fine pruning (Koo's thesis, 5.7.3): a fast first-order log-linear model gives every arc a probability, and
// arcs far less likely than the best head of their word are dropped.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "parsing/arc_trees.hpp"
#include "parsing/shape.hpp"

namespace headwise::parsing {

using ArcFlags = std::vector<std::uint8_t>;  // [h * (n + 1) + m]

// One for each thread. The model is one of arcs alone like any other; `flags` below are about the sentence that was
// pruned last.
class Pruner {
 public:
  explicit Pruner(const PrunerShape& shape) : shape_(&shape), trees_(shape.model, Scorers::Which::all) {}

  bool is_limited(const Atoms& atoms) const { return atoms.words() > shape_->limits.longest_summed; }

  // The arcs that survive; among `allowed` ones, where these are given.
  const ArcFlags& prune(const Atoms& atoms, const float* weights, std::span<const std::uint8_t> allowed = {});

  // What survives need not hold a tree. This keeps the best one of the pruning model as well, a projective one if there
  // is any. NoTree where there is no tree at all.
  const ArcFlags& keep_best_tree();
  // The same among the projective trees that give each word its head, where one is given (not -1).
  const ArcFlags& keep_best_tree_with(std::span<const int> heads);

  // p[h * (n + 1) + m] of the sentence that was pruned last; in very long ones, weights of heads.
  const std::vector<double>& probabilities() const { return probabilities_.arcs; }
  ArcTrees& trees() { return trees_; }

 private:
  void choose(int n);
  bool keep_best(const std::vector<double>& scores, bool projective);

  const PrunerShape* shape_;
  ArcTrees trees_;
  ArcFlags flags_;
  CandidateTables probabilities_;
  std::vector<std::size_t> order_;
  DecodeScratch decode_;
  std::vector<int> best_;
};

}  // namespace headwise::parsing
