// Learning features of whole trees on top of parsers that are trained already (stacking).
//
// A parser knows the sentences that it was trained on too well to be in need of help there. So each example comes with
// the weights of a parser that has not seen it, and what is learned is what to add to the scores of such a parser:
// MIRA against the best tree that a climb reaches, moving the weights of features of whole trees alone.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "parsing/higher_order_parser.hpp"
#include "base/huge_pages.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"

namespace headwise::learning {

class GlobalTrainer {
 public:
  GlobalTrainer(HigherOrderShape shape, Mira rule)
      : shape_(std::move(shape)),
        rule_(rule),
        weights_(shape_.global_table_size()),
        difference_(shape_.global_table_size()) {}

  // The weights of parts of one parser.
  void add_parser(std::span<const float> weights) {
    parsers_.push_back(checked_table(weights, shape_.base.arc_table_size(), "arc"));
  }
  // An example, the arcs that survived pruning, and which of the parsers has not seen it.
  void add(TrainingExample example, std::vector<std::uint8_t> flags, int parser) {
    examples_.push_back({std::move(example), std::move(flags), static_cast<std::size_t>(parser)});
  }
  std::size_t parsers() const { return parsers_.size(); }

  TrainingCounts train(std::span<const std::int64_t> order) {
    HigherOrderParser parser(shape_, training_iterations);
    TrainingCounts counts;
    for (const std::int64_t i : order) {
      learn(parser, examples_[static_cast<std::size_t>(i)], counts);
      weights_.next_step();
    }
    return counts;
  }

  AveragedWeights& weights() { return weights_; }

 private:
  struct Example {
    TrainingExample tree;
    std::vector<std::uint8_t> flags;
    std::size_t parser;
  };

  void learn(HigherOrderParser& parser, const Example& example, TrainingCounts& counts) {
    const std::vector<int>& heads = example.tree.heads;
    const Gold gold{heads, example.tree.labels};
    if (!parser.search(example.tree.atoms, {parsers_[example.parser].data(), nullptr, weights_.current()}, example.flags,
                       &gold, predicted_))
      throw NoTree();
    counts.words += heads.size();
    std::uint64_t wrong = 0;
    for (std::size_t m = 0; m < heads.size(); ++m) wrong += predicted_.heads[m] != heads[m];
    counts.wrong_heads += wrong;
    const double violation = wrong ? predicted_.score - parser.whole_score(heads) : 0.0;
    if (violation <= 0) return;
    counts.loss += violation;
    parser.for_each_global_feature(heads, [&](std::uint32_t f) { difference_.add(f, +1); });
    parser.for_each_global_feature(predicted_.heads, [&](std::uint32_t f) { difference_.add(f, -1); });
    difference_.apply(weights_, rule_.step(violation, difference_.squared_norm()));
  }

  HigherOrderShape shape_;
  Mira rule_;
  AveragedWeights weights_;
  SparseDifference difference_;
  std::vector<LargeTable<float>> parsers_;
  std::vector<Example> examples_;
  ParseResult predicted_;
};

}  // namespace headwise::learning
