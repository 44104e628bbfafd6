// The gradient of one sentence's loss at higher order: φ(gold) − E[φ], with a probability for every part.
//
// As at first order (arc_gradient.hpp), where heads are missing gold is an expectation itself. Sums are over the
// projective trees among the candidates. A parser of non-projective trees also meets others: there the gold tree and
// the tree that the parser would choose, where they cross, are single trees beside the projective ones, so that Z
// is Z(projective) + exp(s(gold)) + exp(s(chosen)). Were the chosen tree not there, nothing would teach the parser
// which crossings to leave alone.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "parsing/higher_order_parser.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "treebank/projectivity.hpp"

namespace headwise::learning {

class PartGradient {
 public:
  explicit PartGradient(const HigherOrderShape& shape) : is_projective_(shape.base.projective), parser_(shape, training_iterations) {}

  // Calls sink.add(index, amount).
  template <class Sink>
  void gather(const LogLinear& rule, const TrainingExample& example, const std::vector<std::uint8_t>& flags,
              const Weights& weights, Sink& sink, TrainingCounts& counts) {
    const Gold gold{example.heads, example.labels, rule.cost};
    parser_.score(example.atoms, weights, flags, rule.cost != 0 ? &gold : nullptr);
    double log_z, gold_score, rest = 1.0;  // `rest` is the probability of the projective trees
    if (example.is_partial()) {
      gold_score = parser_.sum_trees_with(example.heads);
      gradient_ = parser_.probabilities();
      log_z = parser_.sum_trees();
    } else {
      const double projective = parser_.sum_trees();
      gold_score = parser_.tree_score(example.heads);
      find_crossing_trees(example, gold_score);
      log_z = projective;
      for (const CrossingTree& tree : crossing_)
        log_z = std::max(log_z, tree.score) + std::log1p(std::exp(-std::abs(log_z - tree.score)));
      rest = std::exp(projective - log_z);
      gradient_.clear_like(parser_.tables());
      parser_.add_tree(example.heads, 1.0, gradient_);
      for (const CrossingTree& tree : crossing_) parser_.add_tree(tree.heads, -std::exp(tree.score - log_z), gradient_);
    }
    if (!(log_z > kImpossible)) throw NoTree();
    for (const auto kind : CandidateTables::kinds())
      for (std::size_t i = 0; i < (gradient_.*kind).size(); ++i)
        (gradient_.*kind)[i] -= rest * (parser_.probabilities().*kind)[i];
    parser_.for_each_feature(gradient_, rule.negligible,
                             [&](std::uint32_t index, double amount) { sink.add(index, amount); });
    counts.loss += checked_loss(log_z - gold_score);
    count_words(example, counts);
  }

  template <class Sink>
  void gather(const MaxMargin&, const TrainingExample& example, const std::vector<std::uint8_t>& flags,
              const Weights& weights, Sink& sink, TrainingCounts& counts) {
    const Gold gold{example.heads, example.labels};
    if (!parser_.search(example.atoms, weights, flags, &gold, predicted_)) throw NoTree();
    counts.words += example.heads.size();
    std::uint64_t wrong = 0;
    for (std::size_t m = 0; m < example.heads.size(); ++m) wrong += predicted_.heads[m] != example.heads[m];
    counts.wrong_heads += wrong;
    if (!wrong) return;
    counts.loss += checked_loss(std::max(0.0, predicted_.score - parser_.tree_score(example.heads)));
    parser_.for_each_feature(example.heads, [&](std::uint32_t f) { sink.add(f, +1); });
    parser_.for_each_feature(predicted_.heads, [&](std::uint32_t f) { sink.add(f, -1); });
  }

 private:
  struct CrossingTree {
    std::span<const int> heads;
    double score;
  };

  void find_crossing_trees(const TrainingExample& example, double gold_score) {
    crossing_.clear();
    if (is_projective_) return;
    if (!nonprojective_arcs(example.heads).empty()) crossing_.push_back({example.heads, gold_score});
    if (parser_.best_tree(predicted_) && predicted_.heads != example.heads &&
        !nonprojective_arcs(predicted_.heads).empty())
      crossing_.push_back({predicted_.heads, predicted_.score});
  }

  void count_words(const TrainingExample& example, TrainingCounts& counts) const {
    const Candidates& arcs = parser_.candidates();
    const std::vector<double>& probabilities = parser_.probabilities().arcs;
    for (int m = 1; m <= arcs.words(); ++m) {
      int likeliest = arcs.into(m)[0];
      for (const int arc : arcs.into(m))
        if (probabilities[static_cast<std::size_t>(arc)] > probabilities[static_cast<std::size_t>(likeliest)])
          likeliest = arc;
      const int gold = example.heads[static_cast<std::size_t>(m) - 1];
      counts.wrong_heads += gold >= 0 && arcs.head(likeliest) != gold;
      counts.guessing += std::log(static_cast<double>(arcs.into(m).size()));
    }
    counts.words += example.heads.size();
  }

  bool is_projective_;
  HigherOrderParser parser_;
  CandidateTables gradient_;
  std::vector<CrossingTree> crossing_;
  ParseResult predicted_;
};

}  // namespace headwise::learning
