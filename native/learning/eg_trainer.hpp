// Trains a parser by exponentiated gradient; its labels, which are a choice for each word by itself, by steps along
// the gradient of the same kind of objective.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "learning/exponentiated_gradient.hpp"
#include "learning/label_trainer.hpp"

namespace headwise::learning {

class EgTrainer {
 public:
  EgTrainer(ParserShape shape, const EgSettings& settings, const StepSizes& label_steps)
      : shape_(std::move(shape)),
        label_rule_(settings.objective == EgObjective::log_linear
                        ? UpdateRule{LogLinear{label_steps, label_steps, 0.0, 1e-3}}
                        : UpdateRule{MaxMargin{label_steps, label_steps}}),
        labels_(shape_, label_rule_),
        trees_(shape_, settings) {}
  EgTrainer(const EgTrainer&) = delete;  // its parts point into it
  EgTrainer& operator=(const EgTrainer&) = delete;

  void add(Lesson lesson) { trees_.add(std::move(lesson)); }

  // Labels are learned one sentence after the other; so are trees, unless they are to be moved by batch().
  TrainingCounts train(std::span<const std::int64_t> order, int threads, bool online) {
    TrainingCounts counts;
    parallel_for(2, threads, [&](std::size_t task, int) {
      if (task == 0 && online) trees_.online(order);
      if (task == 1 && shape_.label_mode == LabelMode::separate)
        std::visit([&](const auto& rule) { labels_.train(rule, trees_.lessons(), order, nullptr, counts); }, label_rule_);
    });
    for (const std::int64_t i : order) counts.words += trees_.lessons()[at(i)]->heads.size();
    return counts;
  }

  const ParserShape& shape() const { return shape_; }
  ExponentiatedGradient& trees() { return trees_; }
  AveragedWeights& labels() { return labels_.weights(); }
  GradientSteps& label_steps() { return labels_.steps(); }

 private:
  ParserShape shape_;
  UpdateRule label_rule_;
  LabelTrainer labels_;
  ExponentiatedGradient trees_;
};

}  // namespace headwise::learning
