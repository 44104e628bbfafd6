// Trains a parser one example after the other: trees by a learner, labels that are found over the finished tree beside
// them.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "learning/gradient.hpp"
#include "learning/label_trainer.hpp"
#include "learning/learner.hpp"

namespace headwise::learning {

class Trainer {
 public:
  Trainer(ParserShape shape, const UpdateRule& rule, const Rivals& rivals);
  Trainer(const Trainer&) = delete;  // its parts point into it
  Trainer& operator=(const Trainer&) = delete;

  void add(Lesson lesson) { lessons_.push_back(std::move(lesson)); }

  // Features of trees that occur less often than this in the gold trees are not learned.
  void freeze_rare(int least);

  // One pass over the examples in the given order. Trees and labels that are learned apart are learned at the same time
  // when a second thread is allowed; the result is the same.
  TrainingCounts train(std::span<const std::int64_t> order, int threads);

  // The objective of all examples and its gradient at other weights.
  template <class Rule>
  TrainingCounts gather(const Rule& rule, const WeightTables& tables, FeatureSink& parts, FeatureSink& labels) {
    TrainingCounts counts;
    for (const Lesson& lesson : lessons_) {
      gradient_.gather(rule, lesson, tables, parts, labels, counts);
      if (shape_.label_mode == LabelMode::separate)
        label_trainer_.gather(rule, *lesson.example, tables["labels"], labels, counts);
    }
    return counts;
  }

  const ParserShape& shape() const { return shape_; }
  AveragedWeights& arcs() { return parts_; }
  AveragedWeights& labels() { return label_trainer_.weights(); }
  // One of the tables that are learned, as it is.
  std::span<float> table(const std::string& name) {
    if (name == "labels") return label_trainer_.weights().weights();
    if (name == "arcs") return std::span(parts_.weights()).first(shape_.arc_table_size());
    for (const LearnedTable& own : shape_.learned_tables())
      if (own.name == name) return std::span(parts_.weights()).subspan(own.begin, own.size);
    throw std::invalid_argument("no table that is learned is called '" + name + "'");
  }
  // The trees that the chains of all examples have come to, one after the other, −1 where there is none yet; false
  // where no chain is kept.
  bool copy_chains(std::vector<int>& heads) {
    for (const Lesson& lesson : lessons_) {
      const std::vector<int>* chain = learner_->chain(*lesson.example);
      if (!chain) return false;
      if (chain->empty()) heads.insert(heads.end(), lesson->heads.size(), -1);
      heads.insert(heads.end(), chain->begin(), chain->end());
    }
    return !lessons_.empty();
  }
  void restore_chains(std::span<const int> heads) {
    for (const Lesson& lesson : lessons_) {
      std::vector<int>* chain = learner_->chain(*lesson.example);
      const std::size_t words = lesson->heads.size();
      if (!chain || heads.size() < words) throw std::invalid_argument("the training state is of another model");
      if (words > 0 && heads[0] >= 0) chain->assign(heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(words));
      heads = heads.subspan(words);
    }
  }
  GradientSteps* arc_steps() { return learner_->steps(); }
  GradientSteps* label_steps() { return &label_trainer_.steps(); }

 private:
  ParserShape shape_;
  UpdateRule rule_;
  AveragedWeights parts_;
  LabelTrainer label_trainer_;
  std::unique_ptr<Learner> learner_;
  Gradient gradient_;
  std::vector<Lesson> lessons_;
};

}  // namespace headwise::learning
