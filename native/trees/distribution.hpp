// A distribution over dependency trees: p(tree) ∝ exp(score(tree)). What every structure can do.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "trees/parts.hpp"

namespace headwise::trees {

// Thrown when the mask leaves no tree, so that there is nothing to choose from and nothing to normalize.
struct NoTree : std::runtime_error {
  explicit NoTree(const std::string& where = "")
      : std::runtime_error("no tree is left" + where + ": every tree contains a forbidden arc or part") {}
};

// heads[m - 1], labels[m - 1] and senses[m - 1] of word m; the last two are empty where there is no choice.
struct ScoredTree {
  double score = 0.0;
  std::vector<int> heads, labels, senses;
};

class Distribution {
 public:
  Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;
  virtual ~Distribution() = default;
  virtual int words() const = 0;

  virtual ScoredTree argmax() const = 0;
  // Up to k trees, best first.
  virtual std::vector<ScoredTree> top_k(int k) const = 0;
  virtual double log_partition() const = 0;
  // Adds the probability of each part to the tables that are there.
  virtual void marginals(const PartMarginals& tables) const = 0;
  virtual double entropy() const = 0;
  // −inf for a tree that the structure does not contain.
  virtual double log_probability(const ScoredTree& tree) const = 0;
  // KL(this ‖ other) in nats; `other` is over the same structure, arcs and labels.
  virtual double kl_divergence(const Distribution& other) const = 0;
  // `distinct` draws without replacement, up to as many trees as there are.
  virtual std::vector<ScoredTree> sample(int k, std::uint64_t seed, bool distinct) const = 0;
  // The number of trees modulo a prime below 2^63.
  virtual std::uint64_t count_modulo(std::uint64_t prime) const = 0;
};

}  // namespace headwise::trees
