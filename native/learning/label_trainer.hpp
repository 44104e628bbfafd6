// Learns the labels of gold trees, each arc a multi-class problem of its own: features, and beside them the scorers that
// are learned with labels. What these have learned with parts stands still meanwhile.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "learning/averaged_weights.hpp"
#include "scoring/labeler.hpp"
#include "learning/part_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parsing/shape.hpp"

namespace headwise::learning {

class LabelTrainer {
 public:
  LabelTrainer(const ParserShape& shape, const UpdateRule& rule)
      : shape_(&shape),
        scorers_(shape.scorers, Scorers::Which::learned),
        weights_(shape.label_size_in_training()),
        difference_(follows_gradient(rule) ? 0 : weights_.size(), shape.labels_have_scorers(),
                    shape.labels_have_scorers() ? share_of(rule) : 1.0),
        steps_(follows_gradient(rule) ? weights_.size() : 0) {}

  // `parts` are the tables in training of what is not learned here.
  template <class Rule>
  void train(const Rule& rule, std::span<const Lesson> lessons, std::span<const std::int64_t> order, const float* parts,
             TrainingCounts& counts) {
    TreeLabeler labeler(shape_->label_templates, shape_->labels, shape_->filter, shape_->label_mask);
    const WeightTables tables = shape_->tables_in_training(parts, weights_.current());
    for (const std::int64_t i : order) {
      const TrainingExample& example = *lessons[at(i)].example;
      assign(labeler, example, tables);
      for (int m = 1; m <= example.atoms.words(); ++m)
        if (const int gold = example.labels[at(m) - 1]; gold >= 0)
          learn(rule, labeler, m, gold, counts);
      weights_.next_step();
    }
  }

  // The gradient of an example at other weights.
  template <class Rule>
  void gather(const Rule& rule, const TrainingExample& example, const float* weights, FeatureSink& sink,
              TrainingCounts& counts) {
    if (shape_->labels_have_scorers()) throw std::invalid_argument("objectives are of features only");
    TreeLabeler labeler(shape_->label_templates, shape_->labels, shape_->filter, shape_->label_mask);
    labeler.assign(example.atoms, example.heads);
    for (int m = 1; m <= example.atoms.words(); ++m)
      if (const int gold = example.labels[at(m) - 1]; gold >= 0)
        gather(rule, labeler, m, gold, weights, sink, counts);
  }

  AveragedWeights& weights() { return weights_; }
  GradientSteps& steps() { return steps_; }

 private:
  static double share_of(const UpdateRule& rule) {
    const auto* margins = std::get_if<Margins>(&rule);
    return margins ? margins->share : 1.0;
  }

  void assign(TreeLabeler& labeler, const TrainingExample& example, const WeightTables& tables) {
    if (!shape_->labels_have_scorers()) return labeler.assign(example.atoms, example.heads);
    scorers_.read_for_labels(example.atoms, tables);
    labeler.assign(example.atoms, example.heads, &scorers_);
  }

  void learn(const Margins& rule, TreeLabeler& labeler, int m, int gold, TrainingCounts& counts) {
    const float* sums = labeler.sums(weights_.current(), m);
    const LabelChoice best = best_label(sums, labeler.candidates(m), rule.adds_cost ? gold : -1);
    if (best.label == gold) return;
    const double violation = best.score - sums[gold];
    counts.loss += std::max(0.0, violation);
    ++counts.wrong_labels;
    add(labeler, m, gold, +1, difference_);
    add(labeler, m, best.label, -1, difference_);
    difference_.apply(weights_, rule.step(violation, difference_.squared_norm(weights_)));
  }

  template <class Rule>
    requires(Rule::follows_gradient)
  void learn(const Rule& rule, TreeLabeler& labeler, int m, int gold, TrainingCounts& counts) {
    gather(rule, labeler, m, gold, weights_.current(), steps_, counts);
    steps_.apply(weights_, rule.label_sizes, rule.row_sizes);
  }

  // A choice among the candidates by themselves: logistic regression.
  void gather(const LogLinear& rule, TreeLabeler& labeler, int m, int gold, const float* weights, FeatureSink& sink,
              TrainingCounts& counts) {
    const LabelCandidates& candidates = labeler.candidates(m);
    const float* sums = labeler.sums(weights, m);
    const double log_z = sum_labels(sums, candidates, probabilities_, gold, rule.cost);
    counts.loss += checked_loss(log_z - sums[gold]);
    counts.guessing += std::log(static_cast<double>(candidates.labels.size()));
    counts.wrong_labels += best_label(sums, candidates).label != gold;
    for (std::size_t k = 0; k < candidates.labels.size(); ++k) {
      const int label = candidates.labels[k];
      const double gradient = (label == gold ? 1.0 : 0.0) - probabilities_[k];
      if (std::abs(gradient) > rule.negligible) add(labeler, m, label, gradient, sink);
    }
  }

  void gather(const MaxMargin&, TreeLabeler& labeler, int m, int gold, const float* weights, FeatureSink& sink,
              TrainingCounts& counts) {
    const float* sums = labeler.sums(weights, m);
    const LabelChoice best = best_label(sums, labeler.candidates(m), gold);
    counts.loss += checked_loss(best.score - sums[gold]);
    if (best.label == gold) return;
    ++counts.wrong_labels;
    add(labeler, m, gold, +1, sink);
    add(labeler, m, best.label, -1, sink);
  }

  void add(const TreeLabeler& labeler, int m, int label, double amount, FeatureSink& sink) {
    indices_.clear();
    labeler.for_each_row(m, [&](std::uint32_t row) { indices_.push_back(row + static_cast<std::uint32_t>(label)); });
    sink.add(indices_, amount);
    if (shape_->labels_have_scorers())
      scorers_.list_label_gradient(m, label, amount, static_cast<std::uint32_t>(shape_->label_table_size()), sink);
  }

  const ParserShape* shape_;
  Scorers scorers_;
  AveragedWeights weights_;
  PartDifference difference_;
  GradientSteps steps_;
  std::vector<double> probabilities_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace headwise::learning
