#include "learning/trainer.hpp"

#include <utility>
#include <variant>

#include "base/threads.hpp"

namespace headwise::learning {

Trainer::Trainer(ParserShape shape, const UpdateRule& rule, const Rivals& rivals)
    : shape_(std::move(shape)),
      rule_(rule),
      parts_(shape_.size_in_training()),
      label_trainer_(shape_, rule),
      learner_(make_learner(rule, rivals, {shape_, parts_, label_trainer_.weights()}, label_trainer_.steps())),
      gradient_(shape_) {}

TrainingCounts Trainer::train(std::span<const std::int64_t> order, int threads) {
  TrainingCounts counts, label_counts;
  const bool labels_apart = shape_.label_mode == LabelMode::separate;
  parallel_for(labels_apart ? 2 : 1, threads, [&](std::size_t task, int) {
    if (task == 1)
      std::visit([&](const auto& rule) { label_trainer_.train(rule, lessons_, order, label_counts); }, rule_);
    else
      for (const std::int64_t i : order) learner_->learn(lessons_[static_cast<std::size_t>(i)], counts);
  });
  return counts += label_counts;
}

}  // namespace headwise::learning
