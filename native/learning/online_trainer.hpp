// Online learning of the first-order parser, one sentence at a time: decode, compare, move the weights.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "parsing/arc_parser.hpp"
#include "learning/averaged_weights.hpp"
#include "learning/arc_gradient.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/label_trainer.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "base/threads.hpp"

namespace headwise::learning {

class OnlineTrainer {
 public:
  OnlineTrainer(ParserShape shape, UpdateRule rule)
      : shape_(std::move(shape)),
        rule_(rule),
        arcs_(shape_.arc_table_size()),
        label_trainer_(shape_, rule),
        gradient_(shape_),
        arc_steps_(follows_gradient(rule) ? arcs_.size() : 0),
        arc_difference_(follows_gradient(rule) ? 0 : arcs_.size()),
        label_difference_(shape_.label_mode == LabelMode::joint && !follows_gradient(rule) ? shape_.label_table_size()
                                                                                            : 0) {}

  void add(TrainingExample example) { examples_.push_back(std::move(example)); }

  // One pass over the examples in the given order. Arcs and labels that are learned apart are learned at
  // the same time when a second thread is allowed; the result is the same.
  TrainingCounts train(std::span<const std::int64_t> order, int threads) {
    return std::visit(
        [&](auto rule) {
          TrainingCounts counts, label_counts;
          const bool apart = shape_.label_mode == LabelMode::separate;
          const auto learn_labels = [&] { label_trainer_.train(rule, examples_, order, label_counts); };
          parallel_for(apart ? 2 : 1, threads, [&](std::size_t task, int) {
            if (task == 1) learn_labels();
            else if constexpr (rule.follows_gradient) follow_gradient(rule, order, counts);
            else train_arcs(rule, order, counts);
          });
          return counts += label_counts;
        },
        rule_);
  }

  // The objective of all examples and its gradient at other weights: arcs.add(index, amount), labels.add(…).
  template <class Rule, class Sink>
  TrainingCounts gather(const Rule& rule, const Weights& weights, Sink& arcs, Sink& labels) {
    TrainingCounts counts;
    for (const TrainingExample& example : examples_) {
      gradient_.gather(rule, example, weights, arcs, labels, counts);
      if (shape_.label_mode == LabelMode::separate) label_trainer_.gather(rule, example, weights.labels, labels, counts);
    }
    return counts;
  }

  AveragedWeights& arcs() { return arcs_; }
  AveragedWeights& labels() { return label_trainer_.weights(); }
  GradientSteps& arc_steps() { return arc_steps_; }
  GradientSteps& label_steps() { return label_trainer_.steps(); }
  const ParserShape& shape() const { return shape_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  template <class Rule>
  void follow_gradient(const Rule& rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    for (const std::int64_t i : order) {
      const TrainingExample& example = examples_[static_cast<std::size_t>(i)];
      gradient_.gather(rule, example, {arcs_.current(), labels().current()}, arc_steps_, label_steps(), counts);
      arc_steps_.apply(arcs_, rule.sizes);
      arcs_.next_step();
      if (!shape_.labels_in_search()) continue;
      label_steps().apply(labels(), rule.label_sizes);
      labels().next_step();
    }
  }

  template <class Rule>
  void train_arcs(Rule rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    ArcParser parser(shape_);
    ParseResult predicted;
    const bool joint = shape_.label_mode == LabelMode::joint;
    for (const std::int64_t i : order) {
      const TrainingExample& example = examples_[static_cast<std::size_t>(i)];
      const Gold gold{example.heads, example.labels};
      const Weights weights{arcs_.current(), label_trainer_.weights().current()};
      parser.search(example.atoms, weights, Rule::adds_cost ? &gold : nullptr, predicted);
      const int n = example.atoms.words();
      counts.words += static_cast<std::uint64_t>(n);
      bool wrong = false;
      double violation = predicted.score;
      for (int m = 1; m <= n; ++m) {
        const int h = predicted.heads[at(m - 1)], l = predicted.labels[at(m - 1)];
        const int gold_h = example.heads[at(m - 1)], gold_l = example.labels[at(m - 1)];
        counts.wrong_heads += h != gold_h;
        counts.wrong_labels += joint && l != gold_l;
        if (h != gold_h) {
          parser.arc_features().for_each(gold_h, m, shape_.arc_mask, [&](auto f) { arc_difference_.add(f, +1); });
          parser.arc_features().for_each(h, m, shape_.arc_mask, [&](auto f) { arc_difference_.add(f, -1); });
          wrong = true;
        }
        if (joint && (h != gold_h || l != gold_l)) {
          double gold_label_score = 0;
          parser.label_features().for_each(gold_h, m, shape_.label_mask, [&](std::uint32_t row) {
            label_difference_.add(row + static_cast<std::uint32_t>(gold_l), +1);
            gold_label_score += weights.labels[row + static_cast<std::uint32_t>(gold_l)];
          });
          parser.label_features().for_each(h, m, shape_.label_mask, [&](std::uint32_t row) {
            label_difference_.add(row + static_cast<std::uint32_t>(l), -1);
          });
          wrong = true;
          violation -= gold_label_score;
        } else if (joint) {
          parser.label_features().for_each(gold_h, m, shape_.label_mask, [&](std::uint32_t row) {
            violation -= weights.labels[row + static_cast<std::uint32_t>(gold_l)];
          });
        }
        violation -= joint ? gold_arc_score(parser, weights, gold_h, m) : parser.arc_score(gold_h, m);
      }
      if (wrong) {
        counts.loss += std::max(0.0, violation);
        const double norm = arc_difference_.squared_norm() + (joint ? label_difference_.squared_norm() : 0.0);
        const double step = rule.step(violation, norm);
        arc_difference_.apply(arcs_, step);
        if (joint) label_difference_.apply(label_trainer_.weights(), step);
      }
      arcs_.next_step();
      if (joint) label_trainer_.weights().next_step();
    }
  }

  // In the joint model the score table holds arc + best label (+ cost); the gold arc alone is summed anew.
  double gold_arc_score(ArcParser& parser, const Weights& weights, int h, int m) const {
    double sum = 0;
    parser.arc_features().for_each(h, m, shape_.arc_mask, [&](std::uint32_t f) { sum += weights.arcs[f]; });
    return sum;
  }

  ParserShape shape_;
  UpdateRule rule_;
  AveragedWeights arcs_;
  LabelTrainer label_trainer_;
  ArcGradient gradient_;
  GradientSteps arc_steps_;
  SparseDifference arc_difference_, label_difference_;
  std::vector<TrainingExample> examples_;
};

}  // namespace headwise::learning
