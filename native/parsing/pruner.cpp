#include "parsing/pruner.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"

namespace headwise::parsing {
namespace {

// Each word by itself: the weights of its heads relative to the best. O(n²).
void weigh_heads(const std::vector<double>& scores, int n, std::vector<double>& weights) {
  const std::size_t nodes = static_cast<std::size_t>(n) + 1;
  weights.assign(nodes * nodes, 0.0);
  for (std::size_t m = 1; m < nodes; ++m) {
    double best = kImpossible;
    for (std::size_t h = 0; h < nodes; ++h) best = std::max(best, scores[h * nodes + m]);
    for (std::size_t h = 0; h < nodes; ++h) weights[h * nodes + m] = std::exp(scores[h * nodes + m] - best);
  }
}

}  // namespace

const ArcFlags& Pruner::prune(const Atoms& atoms, const float* weights, std::span<const std::uint8_t> allowed) {
  const WeightTables tables = {{"arcs", weights}};
  trees_.score({atoms, tables, allowed});
  const int n = atoms.words();
  if (is_limited(atoms)) {
    weigh_heads(trees_.scores().arcs, n, probabilities_.arcs);
  } else if (!(trees_.sum(probabilities_) > kImpossible)) {
    throw NoTree();
  }
  choose(n);
  return flags_;
}

void Pruner::choose(int n) {
  const std::vector<double>& probabilities = probabilities_.arcs;
  const PruningLimits& limits = shape_->limits;
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

bool Pruner::keep_best(const std::vector<double>& scores, bool projective) {
  const int n = trees_.words();
  const std::size_t nodes = static_cast<std::size_t>(n) + 1;
  best_.resize(static_cast<std::size_t>(n));
  const auto search = projective ? decode_projective : decode_nonprojective;
  if (!(search(scores.data(), n, shape_->model.single_root, best_.data(), decode_) > kImpossible)) return false;
  for (std::size_t m = 1; m < nodes; ++m) flags_[at(best_[m - 1]) * nodes + m] = 1;
  return true;
}

const ArcFlags& Pruner::keep_best_tree() {
  const std::vector<double>& scores = trees_.scores().arcs;
  if (!keep_best(scores, true) && (shape_->model.projective || !keep_best(scores, false))) throw NoTree();
  return flags_;
}

const ArcFlags& Pruner::keep_best_tree_with(std::span<const int> heads) {
  const std::size_t nodes = heads.size() + 1;
  std::vector<double> scores = trees_.scores().arcs;
  for (std::size_t m = 1; m < nodes; ++m)
    for (std::size_t h = 0; h < nodes; ++h)
      if (heads[m - 1] >= 0 && static_cast<int>(h) != heads[m - 1]) scores[h * nodes + m] = kImpossible;
  if (!keep_best(scores, true)) throw NoTree();
  return flags_;
}

}  // namespace headwise::parsing
