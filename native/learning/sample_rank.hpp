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
#include <cstdlib>
#include <span>
#include <unordered_map>
#include <vector>

#include "learning/learner.hpp"
#include "learning/part_difference.hpp"
#include "parsing/part_trees.hpp"

namespace headwise::learning {

class SampleRank final : public Learner {
 public:
  SampleRank(const Margins& rule, const Rivals& settings, LearnedWeights weights)
      : rule_(rule),
        settings_(settings),
        weights_(weights),
        tables_(weights.tables()),
        trees_(weights.shape, Scorers::Which::learned),
        difference_(weights.shape, rule.share) {}

  // A chain from a tree that is drawn by its arcs, or from where the last one of the example ended, with the weights as
  // they are after each step.
  void learn(const Lesson& lesson, TrainingCounts& counts) override {
    const std::vector<int>& gold = lesson->heads;
    if (lesson.arcs.empty()) allow_arcs(lesson->atoms);
    const ArcFlags& arcs = lesson.arcs.empty() ? allowed_ : lesson.arcs;
    const auto score = [&] { trees_.score({lesson->atoms, tables_, arcs}); };
    Random random(default_seed, weights_.parts.steps());
    score();
    std::vector<int>* kept = chain(*lesson.example);
    if (kept && !kept->empty())
      here_ = *kept;
    else
      trees_.draw_first_order_tree(random, here_);
    const int samples = settings_.samples_a_word * static_cast<int>(gold.size());
    for (int sample = 0; sample < samples; ++sample) {
      before_ = here_;
      trees_.step_of_chain(random, here_, proposed_);
      bool moved = false;
      const int errors = wrong(before_, gold), proposed_errors = wrong(proposed_, gold);
      if (settings_.pairs && errors != proposed_errors) {
        const bool better = proposed_errors < errors;
        moved |= require(better ? proposed_ : before_, better ? before_ : proposed_,
                         std::abs(errors - proposed_errors), counts);
      }
      if (const int errors_now = wrong(here_, gold); settings_.gold && errors_now > 0)
        moved |= require(gold, here_, errors_now, counts);
      weights_.next_step();
      if (moved && sample + 1 < samples) score();
    }
    if (kept) *kept = here_;
    counts.words += gold.size();
    counts.wrong_heads += static_cast<std::uint64_t>(wrong(here_, gold));
  }

  std::vector<int>* chain(const TrainingExample& example) override {
    return settings_.keeps_chains ? &chains_[&example] : nullptr;
  }

 private:
  // Of arcs alone, nothing is pruned but what the filter says.
  void allow_arcs(const Atoms& atoms) {
    const std::size_t nodes = static_cast<std::size_t>(atoms.words()) + 1;
    const ArcFilter& filter = weights_.shape.filter;
    filter.read_tags(atoms, tags_);
    allowed_.assign(nodes * nodes, 0);
    for (std::size_t h = 0; h < nodes; ++h)
      for (std::size_t m = 1; m < nodes; ++m)
        allowed_[h * nodes + m] = h != m && filter.allows(tags_, static_cast<int>(h), static_cast<int>(m));
  }

  static int wrong(std::span<const int> heads, std::span<const int> gold) {
    int count = 0;
    for (std::size_t m = 0; m < gold.size(); ++m) count += heads[m] != gold[m];
    return count;
  }

  // score(better) − score(worse) ≥ margin. True where that had to be repaired.
  bool require(std::span<const int> better, std::span<const int> worse, double margin, TrainingCounts& counts) {
    difference_.choose_factor(weights_.parts.steps());
    trees_.list_difference(LabelledTree{better, {}}, LabelledTree{worse, {}}, difference_, difference_);
    const double violation = margin - difference_.dot(weights_.parts.current());
    counts.loss += std::max(0.0, violation);
    difference_.apply(weights_.parts, violation > 0 ? rule_.step(violation, difference_.squared_norm(weights_.parts)) : 0.0);
    return violation > 0;
  }

  Margins rule_;
  Rivals settings_;
  LearnedWeights weights_;
  WeightTables tables_;
  PartTrees trees_;
  PartDifference difference_;
  std::vector<int> here_, before_, proposed_, tags_;
  ArcFlags allowed_;
  std::unordered_map<const TrainingExample*, std::vector<int>> chains_;
};

}  // namespace headwise::learning
