// Margins against what head automata choose when nobody makes them agree (Koo et al. 2010, section 6): needs no search
// for trees.
#pragma once
#include "rooms.hpp"
#include <algorithm>

#include "base/index.hpp"
#include "learning/learner.hpp"
#include "learning/part_difference.hpp"
#include "parsing/part_trees.hpp"

namespace headwise::learning {

class RelaxedLearner final : public Learner {
 public:
  RelaxedLearner(const Margins& rule, LearnedWeights weights)
      : rule_(rule),
        weights_(weights),
        tables_(weights.tables()),
        trees_(weights.shape, Scorers::Which::learned),
        difference_(weights.shape, rule.share) {}

  void learn(const Lesson& lesson, TrainingCounts& counts) override {
    const Gold gold{lesson->heads, lesson->labels};
    trees_.score({lesson->atoms, tables_, lesson.arcs, rule_.adds_cost ? &gold : nullptr});
    const double violation = trees_.search_relaxed(rival_) - trees_.tree_score(lesson->heads);
    counts.words += lesson->heads.size();
    if (violation > 0 || !rival_.has_arcs_of(lesson->heads)) {
      std::uint64_t found = 0;
      for (const auto& [h, m] : rival_.arcs()) found += lesson->heads[at(m) - 1] == h;
      counts.wrong_heads += lesson->heads.size() - found;
      counts.loss += std::max(0.0, violation);
      difference_.choose_factor(weights_.parts.steps());
      trees_.list_difference(lesson->heads, rival_, difference_);
      difference_.apply(weights_.parts, rule_.step(violation, difference_.squared_norm(weights_.parts)));
    }
    weights_.next_step();
  }

 private:
  Margins rule_;
  LearnedWeights weights_;
  WeightTables tables_;
  PartTrees trees_;
  PartDifference difference_;
  RelaxedTree rival_;
};

}  // namespace headwise::learning
