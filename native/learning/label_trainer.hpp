// Learns the labels of gold trees, each arc a multi-class problem of its own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "averaged_weights.hpp"
#include "labeler.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "parser_shape.hpp"

namespace headwise {

class LabelTrainer {
 public:
  explicit LabelTrainer(const ParserShape& shape)
      : shape_(&shape), weights_(shape.label_table_size()), difference_(shape.label_table_size()) {}

  template <class Rule>
  void train(Rule rule, std::span<const TrainingExample> examples, std::span<const std::int64_t> order,
             TrainingCounts& counts) {
    TreeLabeler labeler(shape_->label_templates, shape_->labels, shape_->filter, shape_->label_mask);
    for (const std::int64_t i : order) {
      const TrainingExample& example = examples[static_cast<std::size_t>(i)];
      labeler.assign(example.atoms, example.heads);
      for (int m = 1; m <= example.atoms.words(); ++m) {
        const int gold = example.labels[static_cast<std::size_t>(m) - 1];
        const float* sums = labeler.sums(weights_.current(), m);
        const LabelChoice best = best_label(sums, labeler.candidates(m), Rule::adds_cost ? gold : -1);
        if (best.label == gold) continue;
        const double violation = best.score - sums[gold];
        counts.loss += std::max(0.0, violation);
        ++counts.wrong_labels;
        labeler.for_each_row(m, [&](std::uint32_t row) {
          difference_.add(row + static_cast<std::uint32_t>(gold), +1);
          difference_.add(row + static_cast<std::uint32_t>(best.label), -1);
        });
        difference_.apply(weights_, rule.step(violation, difference_.squared_norm()));
      }
      weights_.next_step();
    }
  }

  AveragedWeights& weights() { return weights_; }

 private:
  const ParserShape* shape_;
  AveragedWeights weights_;
  SparseDifference difference_;
};

}  // namespace headwise
