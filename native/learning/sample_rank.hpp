// SampleRank (Wick et al. 2011; Zhang et al. 2014, "Steps to excellence", section 3.3 and Figure 4): learning from the
// trees that a chain of samples comes by. Two kinds of constraints:
//
//   pairs  of two successive samples, the one with fewer wrong heads scores higher, by the number that it has fewer;
//   gold   the gold tree scores higher than a sample, by the number of wrong heads of the sample.
//
// Each that is violated moves the weights as little as repairs it (MIRA).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "parsing/higher_order_parser.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"

namespace headwise::learning {

// The weights of parts and, after them in the same table, of features of whole trees.
inline Weights tables_of(const HigherOrderShape& shape, const AveragedWeights& weights) {
  return {weights.current(), nullptr, weights.current() + shape.base.arc_table_size()};
}

struct SampleRankSettings {
  int samples_a_word = 1;
  bool pairs = true, gold = true;
};

class SampleRank {
 public:
  SampleRank(const HigherOrderShape& shape, const SampleRankSettings& settings) : shape_(&shape), settings_(settings), parser_(shape) {}

  // A chain from a tree that is drawn by its arcs, with the weights as they are after each step.
  template <class Rule>
  void learn(Rule rule, const TrainingExample& example, const std::vector<std::uint8_t>& flags, AveragedWeights& weights,
             SparseDifference& difference, TrainingCounts& counts) {
    const auto score = [&] { parser_.score(example.atoms, tables_of(*shape_, weights), flags, nullptr); };
    Random random(default_seed, weights.steps());
    score();
    parser_.draw_first_order_tree(random, here_);
    const int samples = settings_.samples_a_word * static_cast<int>(example.heads.size());
    for (int sample = 0; sample < samples; ++sample) {
      before_ = here_;
      parser_.step_of_chain(random, here_, proposed_);
      bool moved = false;
      const int errors = wrong(before_, example.heads), proposed_errors = wrong(proposed_, example.heads);
      if (settings_.pairs && errors != proposed_errors) {
        const bool better = proposed_errors < errors;
        moved |= require(rule, better ? proposed_ : before_, better ? before_ : proposed_,
                         std::abs(errors - proposed_errors), weights, difference, counts);
      }
      if (const int errors_now = wrong(here_, example.heads); settings_.gold && errors_now > 0)
        moved |= require(rule, example.heads, here_, errors_now, weights, difference, counts);
      weights.next_step();
      if (moved && sample + 1 < samples) score();
    }
    counts.words += example.heads.size();
    counts.wrong_heads += static_cast<std::uint64_t>(wrong(here_, example.heads));
  }

 private:
  static int wrong(std::span<const int> heads, std::span<const int> gold) {
    int count = 0;
    for (std::size_t m = 0; m < gold.size(); ++m) count += heads[m] != gold[m];
    return count;
  }

  // score(better) − score(worse) ≥ margin. True where that had to be repaired.
  template <class Rule>
  bool require(Rule rule, std::span<const int> better, std::span<const int> worse, double margin,
               AveragedWeights& weights, SparseDifference& difference, TrainingCounts& counts) {
    parser_.for_each_feature(better, [&](std::uint32_t f) { difference.add(f, +1); });
    parser_.for_each_feature(worse, [&](std::uint32_t f) { difference.add(f, -1); });
    const double violation = margin - difference.dot(weights.current());
    counts.loss += std::max(0.0, violation);
    difference.apply(weights, violation > 0 ? rule.step(violation, difference.squared_norm()) : 0.0);
    return violation > 0;
  }

  const HigherOrderShape* shape_;
  SampleRankSettings settings_;
  HigherOrderParser parser_;
  std::vector<int> here_, before_, proposed_;
};

}  // namespace headwise::learning
