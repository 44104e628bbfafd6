// Online learning of a higher-order parser over arcs that survived pruning.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "parsing/higher_order_parser.hpp"
#include "learning/label_trainer.hpp"
#include "learning/part_gradient.hpp"
#include "learning/sample_rank.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "base/threads.hpp"

namespace headwise::learning {

// What the gold tree is compared with: the best tree, the best choices of head automata that need not agree on
// a tree (Koo et al. 2010, section 6), or trees of a chain of samples (sample_rank.hpp).
enum class Rival : std::uint8_t { tree, relaxed, samples };

// Flags of surviving arcs with the gold arcs, which are kept whatever the pruner said, or the gold tree could not be
// learned; and how many arcs survived, and how many gold ones among them.
struct GoldFlags {
  std::vector<std::uint8_t> flags;
  int survived, gold;
};

inline GoldFlags with_gold(const TrainingExample& example, std::vector<std::uint8_t> flags) {
  const std::size_t nodes = example.heads.size() + 1;
  const auto survived = static_cast<int>(std::count(flags.begin(), flags.end(), 1));
  int gold = 0;
  for (std::size_t m = 1; m < nodes; ++m) {
    if (example.heads[m - 1] < 0) continue;
    auto& flag = flags[static_cast<std::size_t>(example.heads[m - 1]) * nodes + m];
    gold += flag;
    flag = 1;
  }
  return {std::move(flags), survived, gold};
}

class HigherOrderTrainer {
 public:
  HigherOrderTrainer(HigherOrderShape shape, UpdateRule rule, Rival rival, const SampleRankSettings& sampling = {})
      : shape_(std::move(shape)),
        rule_(rule),
        rival_(rival),
        sampling_(sampling),
        parts_(shape_.base.arc_table_size() + shape_.global_table_size()),
        label_trainer_(shape_.base, rule),
        difference_(follows_gradient(rule) ? 0 : parts_.size()),
        gradient_(shape_),
        part_steps_(follows_gradient(rule) ? parts_.size() : 0) {}

  // The arcs that survived pruning, as flags. Returns how many survived, and how many gold ones among them.
  std::pair<int, int> add(TrainingExample example, std::vector<std::uint8_t> flags) {
    GoldFlags kept = with_gold(example, std::move(flags));
    examples_.push_back(std::move(example));
    flags_.push_back(std::move(kept.flags));
    return {kept.survived, kept.gold};
  }

  TrainingCounts train(std::span<const std::int64_t> order, int threads) {
    return std::visit(
        [&](auto rule) {
          TrainingCounts counts, label_counts;
          const auto learn_labels = [&] {
            if (shape_.base.label_mode != LabelMode::none) label_trainer_.train(rule, examples_, order, label_counts);
          };
          parallel_for(2, threads, [&](std::size_t task, int) {
            if (task == 1) learn_labels();
            else if constexpr (rule.follows_gradient) follow_gradient(rule, order, counts);
            else if (rival_ == Rival::relaxed) train_relaxed(rule, order, counts);
            else if (rival_ == Rival::samples) train_on_samples(rule, order, counts);
            else train_parts(rule, order, counts);
          });
          return counts += label_counts;
        },
        rule_);
  }

  // The objective of all examples and its gradient at other weights: parts.add(index, amount), labels.add(…).
  template <class Rule, class Sink>
  TrainingCounts gather(const Rule& rule, const Weights& weights, Sink& parts, Sink& labels) {
    TrainingCounts counts;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      gradient_.gather(rule, examples_[i], flags_[i], weights, parts, counts);
      if (shape_.base.label_mode != LabelMode::none)
        label_trainer_.gather(rule, examples_[i], weights.labels, labels, counts);
    }
    return counts;
  }

  AveragedWeights& arcs() { return parts_; }
  AveragedWeights& labels() { return label_trainer_.weights(); }
  GradientSteps& arc_steps() { return part_steps_; }
  GradientSteps& label_steps() { return label_trainer_.steps(); }
  const HigherOrderShape& shape() const { return shape_; }

 private:
  template <class Rule>
  void follow_gradient(const Rule& rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    for (const std::int64_t i : order) {
      const auto at = static_cast<std::size_t>(i);
      gradient_.gather(rule, examples_[at], flags_[at], {parts_.current(), nullptr}, part_steps_, counts);
      part_steps_.apply(parts_, rule.sizes);
      parts_.next_step();
    }
  }

  template <class Rule>
  void train_parts(Rule rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    HigherOrderParser parser(shape_, training_iterations);
    ParseResult predicted;
    for (const std::int64_t i : order) {
      const TrainingExample& example = examples_[static_cast<std::size_t>(i)];
      const Gold gold{example.heads, example.labels};
      if (!parser.search(example.atoms, tables_of(shape_, parts_), flags_[static_cast<std::size_t>(i)],
                         Rule::adds_cost ? &gold : nullptr, predicted))
        throw NoTree();
      counts.words += example.heads.size();
      std::uint64_t wrong = 0;
      for (std::size_t m = 0; m < example.heads.size(); ++m) wrong += predicted.heads[m] != example.heads[m];
      if (wrong) {
        counts.wrong_heads += wrong;
        const double violation = predicted.score - parser.whole_score(example.heads);
        counts.loss += std::max(0.0, violation);
        // A climb may miss trees that score higher, the gold tree among them: nothing to learn from.
        if (violation >= 0 || !parser.has_global_features()) {
          parser.for_each_feature(example.heads, [&](std::uint32_t f) { difference_.add(f, +1); });
          parser.for_each_feature(predicted.heads, [&](std::uint32_t f) { difference_.add(f, -1); });
          difference_.apply(parts_, rule.step(violation, difference_.squared_norm()));
        }
      }
      parts_.next_step();
    }
  }

  template <class Rule>
  void train_relaxed(Rule rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    HigherOrderParser parser(shape_);
    RelaxedTree rival;
    for (const std::int64_t i : order) {
      const TrainingExample& example = examples_[static_cast<std::size_t>(i)];
      const Gold gold{example.heads, example.labels};
      parser.score(example.atoms, {parts_.current(), nullptr}, flags_[static_cast<std::size_t>(i)],
                   Rule::adds_cost ? &gold : nullptr);
      const double violation = parser.search_relaxed(rival) - parser.tree_score(example.heads);
      counts.words += example.heads.size();
      if (violation > 0 || !rival.has_arcs_of(example.heads)) {
        std::uint64_t found = 0;
        for (const auto& [h, m] : rival.arcs()) found += example.heads[static_cast<std::size_t>(m) - 1] == h;
        counts.wrong_heads += example.heads.size() - found;
        counts.loss += std::max(0.0, violation);
        parser.for_each_feature(example.heads, [&](std::uint32_t f) { difference_.add(f, +1); });
        parser.for_each_feature(rival, [&](std::uint32_t f) { difference_.add(f, -1); });
        difference_.apply(parts_, rule.step(violation, difference_.squared_norm()));
      }
      parts_.next_step();
    }
  }

  template <class Rule>
  void train_on_samples(Rule rule, std::span<const std::int64_t> order, TrainingCounts& counts) {
    SampleRank ranking(shape_, sampling_);
    for (const std::int64_t i : order) {
      const auto at = static_cast<std::size_t>(i);
      ranking.learn(rule, examples_[at], flags_[at], parts_, difference_, counts);
    }
  }

  HigherOrderShape shape_;
  UpdateRule rule_;
  Rival rival_;
  SampleRankSettings sampling_;
  AveragedWeights parts_;
  LabelTrainer label_trainer_;
  SparseDifference difference_;
  PartGradient gradient_;
  GradientSteps part_steps_;
  std::vector<TrainingExample> examples_;
  std::vector<std::vector<std::uint8_t>> flags_;
};

}  // namespace headwise::learning
