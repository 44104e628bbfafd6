// Trains a parser by exponentiated gradient; its labels, which are a choice for each word by itself, by steps along
// the gradient of the same kind of objective.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learning/dual_sums.hpp"
#include "learning/exponentiated_gradient.hpp"
#include "learning/label_trainer.hpp"
#include "base/threads.hpp"

namespace headwise::learning {

inline const ParserShape& base_of(const ParserShape& shape) { return shape; }
inline const ParserShape& base_of(const HigherOrderShape& shape) { return shape.base; }

template <class Sums>
class DualTrainer {
 public:
  DualTrainer(typename Sums::Shape shape, const ExponentiatedGradientSettings& settings, const StepSizes& label_steps)
      : shape_(std::move(shape)),
        label_rule_(settings.objective == DualObjective::log_linear ? UpdateRule{LogLinear{label_steps, label_steps, 0.0, 1e-3}}
                                                                    : UpdateRule{MaxMargin{label_steps, label_steps}}),
        labels_(base_of(shape_), label_rule_),
        dual_(shape_, base_of(shape_).arc_table_size(), settings) {}

  void add(typename Sums::Example example) {
    label_examples_.push_back(example);
    dual_.add(std::move(example));
  }

  // Labels are learned one sentence after the other; so are trees, unless they are to be moved by batch().
  TrainingCounts train(std::span<const std::int64_t> order, int threads, bool online) {
    TrainingCounts counts;
    const bool labelled = base_of(shape_).label_mode == LabelMode::separate;
    parallel_for(2, threads, [&](std::size_t task, int) {
      if (task == 0 && online) dual_.online(order);
      if (task == 1 && labelled)
        std::visit(
            [&](const auto& rule) {
              if constexpr (rule.follows_gradient) labels_.train(rule, label_examples_, order, counts);
            },
            label_rule_);
    });
    for (const std::int64_t i : order) counts.words += label_examples_[static_cast<std::size_t>(i)].heads.size();
    return counts;
  }

  ExponentiatedGradient<Sums>& dual() { return dual_; }
  AveragedWeights& labels() { return labels_.weights(); }
  GradientSteps& label_steps() { return labels_.steps(); }

 private:
  typename Sums::Shape shape_;
  UpdateRule label_rule_;
  LabelTrainer labels_;
  ExponentiatedGradient<Sums> dual_;
  std::vector<TrainingExample> label_examples_;
};

}  // namespace headwise::learning
