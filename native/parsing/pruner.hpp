// Coarse-to-fine pruning (Koo's thesis, 5.7.3): a fast first-order log-linear model gives every arc a
// probability, and arcs far less likely than the best head of their word are dropped.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scoring/arc_filter.hpp"
#include "trees/arc_marginals.hpp"
#include "trees/decode.hpp"
#include "trees/distribution.hpp"
#include "scoring/features/arc_features.hpp"

namespace headwise::parsing {

struct PruningLimits {
  double threshold = 1e-3;  // relative to the best head of the word
  int most_heads = 10;      // a word
  // In longer sentences heads are compared word by word, without regard to trees: O(n²) instead of O(n³).
  int longest_summed = 300;
};

// The arcs that survive, as flags [h * (n + 1) + m].
class SurvivingArcs {
 public:
  void choose(const std::vector<double>& probabilities, int n, const PruningLimits& limits) {
    const std::size_t nodes = static_cast<std::size_t>(n) + 1;
    flags_.assign(nodes * nodes, 0);
    for (std::size_t m = 1; m < nodes; ++m) {
      order_.clear();
      double best = 0;
      for (std::size_t h = 0; h < nodes; ++h) best = std::max(best, probabilities[h * nodes + m]);
      for (std::size_t h = 0; h < nodes; ++h)
        if (probabilities[h * nodes + m] > limits.threshold * best) order_.push_back(h);
      const auto likelier = [&](std::size_t a, std::size_t b) {
        const double p = probabilities[a * nodes + m], q = probabilities[b * nodes + m];
        return p != q ? p > q : a < b;
      };
      if (order_.size() > static_cast<std::size_t>(limits.most_heads)) {
        std::nth_element(order_.begin(), order_.begin() + limits.most_heads, order_.end(), likelier);
        order_.resize(static_cast<std::size_t>(limits.most_heads));
      }
      for (const std::size_t h : order_) flags_[h * nodes + m] = 1;
    }
  }

  void keep(std::span<const int> heads) {
    for (std::size_t m = 1; m <= heads.size(); ++m)
      flags_[static_cast<std::size_t>(heads[m - 1]) * (heads.size() + 1) + m] = 1;
  }

  std::vector<std::uint8_t>& flags() { return flags_; }
  const std::vector<std::uint8_t>& flags() const { return flags_; }

 private:
  std::vector<std::uint8_t> flags_;
  std::vector<std::size_t> order_;
};

// What a pruner computes, without its weights.
struct PrunerShape {
  ArcFilter filter;
  ArcTemplates templates;
  std::uint32_t mask;
  bool projective;
  bool single_root;
  PruningLimits limits;
};

class Pruner {
 public:
  explicit Pruner(const PrunerShape& shape) : shape_(&shape), features_(shape.templates) {}

  // log Z and the probabilities of all arcs; the score table stays for whoever needs it.
  double marginals(const Atoms& atoms, const float* weights) {
    score(atoms, weights);
    return sum(scores_);
  }
  // The same over the trees that give each word its head, where one is given (not -1); of the sentence scored last.
  double marginals_with(std::span<const int> heads) { return sum(constrained(heads)); }

  bool is_limited(const Atoms& atoms) const { return atoms.words() > shape_->limits.longest_summed; }

  const std::vector<std::uint8_t>& prune(const Atoms& atoms, const float* weights) {
    if (is_limited(atoms)) {
      score(atoms, weights);
      ArcMarginals::local(scores_.data(), n_, probabilities_);
    } else {
      marginals(atoms, weights);
    }
    surviving_.choose(probabilities_, n_, shape_->limits);
    return surviving_.flags();
  }

  // What survives need not hold a tree. This keeps the best projective tree of the pruning model as well, of the
  // sentence that was pruned last.
  const std::vector<std::uint8_t>& keep_best_tree() {
    best_.resize(static_cast<std::size_t>(n_));
    decode_projective(scores_.data(), n_, shape_->single_root, best_.data(), decode_);
    surviving_.keep(best_);
    return surviving_.flags();
  }

  const std::vector<std::uint8_t>& flags() const { return surviving_.flags(); }

  // The same among the trees that give each word its head, where one is given (not -1).
  const std::vector<std::uint8_t>& keep_best_tree_with(std::span<const int> heads) {
    best_.resize(static_cast<std::size_t>(n_));
    if (!(decode_projective(constrained(heads).data(), n_, shape_->single_root, best_.data(), decode_) > kImpossible))
      throw NoTree();
    surviving_.keep(best_);
    return surviving_.flags();
  }

  const ArcFeatures& features() const { return features_; }
  const std::vector<double>& probabilities() const { return probabilities_; }
  const std::vector<double>& scores() const { return scores_; }

 private:
  double sum(const std::vector<double>& scores) {
    return marginals_.sum(shape_->projective, scores.data(), n_, shape_->single_root, probabilities_);
  }

  const std::vector<double>& constrained(std::span<const int> heads) {
    const std::size_t nodes = static_cast<std::size_t>(n_) + 1;
    constrained_ = scores_;
    for (std::size_t m = 1; m < nodes; ++m)
      for (std::size_t h = 0; h < nodes; ++h)
        if (heads[m - 1] >= 0 && static_cast<int>(h) != heads[m - 1]) constrained_[h * nodes + m] = kImpossible;
    return constrained_;
  }

  void score(const Atoms& atoms, const float* weights) {
    n_ = atoms.words();
    features_.assign(atoms);
    shape_->filter.read_tags(atoms, tags_);
    scores_.resize(static_cast<std::size_t>(n_ + 1) * static_cast<std::size_t>(n_ + 1));
    features_.score(weights, shape_->mask, scores_.data(),
                    [&](int h, int m) { return shape_->filter.allows(tags_, h, m); });
  }

  const PrunerShape* shape_;
  int n_ = 0;
  ArcFeatures features_;
  ArcMarginals marginals_;
  DecodeScratch decode_;
  SurvivingArcs surviving_;
  std::vector<int> tags_, best_;
  std::vector<double> scores_, probabilities_, constrained_;
};

}  // namespace headwise::parsing
