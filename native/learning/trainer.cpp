#include "learning/trainer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "base/threads.hpp"

namespace headwise::learning {

Trainer::Trainer(ParserShape shape, const UpdateRule& rule, const Rivals& rivals)
    : shape_(std::move(shape)),
      rule_(rule),
      parts_(shape_.size_in_training()),
      label_trainer_(shape_, rule),
      learner_(make_learner(rule, rivals, {shape_, parts_, label_trainer_.weights()}, label_trainer_.steps())),
      gradient_(shape_) {}

void Trainer::freeze_rare(int least) {
  struct Occurrences final : FeatureSink {
    Occurrences(std::size_t size, int enough) : counts(size), most(enough) {}
    void add(std::span<const std::uint32_t> indices, double) override {
      for (const std::uint32_t i : indices) counts[i] = std::min(most, counts[i] + 1);
    }
    std::vector<int> counts;
    int most;
  } occurrences(parts_.size(), least);
  const LargeTable<float> zeros(std::max(parts_.size(), label_trainer_.weights().size()), 0.0f);
  const WeightTables tables = shape_.tables_in_training(zeros.data(), zeros.data());
  const auto trees = make_trees(shape_, Scorers::Which::learned);
  CandidateTables gold;
  for (const Lesson& lesson : lessons_) {
    if (lesson->is_partial()) throw std::invalid_argument("rare features are counted in whole trees");
    trees->score({lesson->atoms, tables, lesson.arcs});
    gold.clear_like(trees->scores());
    trees->add_tree(lesson->heads, 1.0, gold);
    trees->list_features(gold, 0.5, occurrences);
  }
  std::vector<bool> frozen(parts_.size());
  for (std::size_t i = 0; i < shape_.arc_table_size(); ++i) frozen[i] = occurrences.counts[i] < least;
  parts_.freeze(std::move(frozen));
}

TrainingCounts Trainer::train(std::span<const std::int64_t> order, int threads) {
  TrainingCounts counts, label_counts;
  const bool labels_apart = shape_.label_mode == LabelMode::separate;
  // What labels get of scorers that are learned with parts has to stand still.
  const int together = shape_.labels_have_scorers() ? 1 : threads;
  parallel_for(labels_apart ? 2 : 1, together, [&](std::size_t task, int) {
    if (task == 1)
      std::visit([&](const auto& rule) { label_trainer_.train(rule, lessons_, order, parts_.current(), label_counts); },
                 rule_);
    else
      for (const std::int64_t i : order) learner_->learn(lessons_[at(i)], counts);
  });
  return counts += label_counts;
}

}  // namespace headwise::learning
