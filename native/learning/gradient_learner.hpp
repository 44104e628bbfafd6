// Stochastic gradient: the gradient of a sentence (gradient.hpp), then a step.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <type_traits>

#include "learning/gradient.hpp"
#include "learning/learner.hpp"

namespace headwise::learning {

template <class Rule>
class GradientLearner final : public Learner {
 public:
  GradientLearner(const Rule& rule, LearnedWeights weights, GradientSteps& label_steps)
      : rule_(rule),
        weights_(weights),
        tables_(weights.tables()),
        gradient_(weights.shape),
        label_steps_(&label_steps),
        steps_(at_once() ? 0 : weights.parts.size()) {
    if (at_once()) immediate_.emplace(weights.parts, rule.sizes);
  }

  void learn(const Lesson& lesson, TrainingCounts& counts) override {
    FeatureSink& parts = immediate_ ? static_cast<FeatureSink&>(*immediate_) : steps_;
    gradient_.gather(rule_, lesson, tables_, parts, *label_steps_, counts);
    steps_.apply(weights_.parts, rule_.sizes, rule_.row_sizes);
    if (weights_.shape.labels_in_search()) label_steps_->apply(weights_.labels, rule_.label_sizes);
    weights_.next_step();
  }

  GradientSteps* steps() override { return &steps_; }

 private:
  bool at_once() const {
    if constexpr (std::is_same_v<Rule, LogLinear>) return rule_.at_once;
    return false;
  }

  Rule rule_;
  LearnedWeights weights_;
  WeightTables tables_;
  Gradient gradient_;
  GradientSteps* label_steps_;
  GradientSteps steps_;
  std::optional<ImmediateSteps> immediate_;
};

}  // namespace headwise::learning
