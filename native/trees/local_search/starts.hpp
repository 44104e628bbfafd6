// Trees to start a local search from: the first-order optimum, and trees drawn at random, each tree as likely as
// any other or in proportion to exp(first-order score).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "trees/decode.hpp"
#include "trees/spanning/arborescence.hpp"
#include "trees/factorizations/candidates.hpp"
#include "trees/parts.hpp"
#include "trees/search_defaults.hpp"
#include "base/index.hpp"
#include "base/random.hpp"
#include "trees/spanning/sample_spanning_tree.hpp"
#include "trees/spanning/spanning_weights.hpp"

namespace headwise::trees {

// score(arc) of every candidate at [h * (n + 1) + m], −inf elsewhere.
template <class Score>
std::vector<double> dense_arcs(const Candidates& arcs, Score score) {
  const auto nodes = static_cast<std::size_t>(arcs.nodes());
  std::vector<double> dense(nodes * nodes, kImpossible);
  for (int arc = 0; arc < arcs.arcs(); ++arc)
    dense[at(arcs.head(arc)) * nodes + at(arcs.modifier(arc))] = score(arc);
  return dense;
}

class FirstOrderTrees {
 public:
  template <class Score>
  FirstOrderTrees(const Candidates& arcs, bool single_root, Score score)
      : words_(arcs.words()), single_root_(single_root), scores_(dense_arcs(arcs, score)) {}

  // False where there is no tree.
  bool best(std::vector<int>& heads, bool projective = false) const {
    heads.resize(static_cast<std::size_t>(words_));
    if (DecodeScratch scratch; projective)
      return decode_projective(scores_.data(), words_, single_root_, heads.data(), scratch) > kImpossible;
    return Arborescence().solve(scores_.data(), words_, single_root_, heads.data());
  }

  // There must be a tree. O(n³) the first time, then O(n²).
  void draw(Random& random, std::vector<int>& heads) {
    heads.resize(static_cast<std::size_t>(words_));
    if (!sampler_)
      sampler_ = SpanningWeights(scores_.data(), words_ + 1, 1).with([&](const auto& weights) {
        return Sampler(SpanningTreeSampler(weights, single_root_));
      });
    std::visit([&](auto& sampler) { sampler.draw(random, heads.data()); }, *sampler_);
  }

 private:
  using Sampler = std::variant<SpanningTreeSampler<double>, SpanningTreeSampler<Scaled>>;
  int words_;
  bool single_root_;
  std::vector<double> scores_;
  std::optional<Sampler> sampler_;
};

}  // namespace headwise::trees
