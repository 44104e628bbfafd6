// Learning features of whole trees on top of parsers that are trained already (stacking).
//
// A parser knows the sentences that it was trained on too well to be in need of help there. So each example comes with
// the weights of a parser that has not seen it, and what is learned is what to add to the scores of such a parser:
// MIRA against the best tree that a climb reaches, moving the weights of features of whole trees alone.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "base/index.hpp"
#include "learning/averaged_weights.hpp"
#include "learning/search_options.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parsing/part_trees.hpp"

namespace headwise::learning {

class WholeTreeTrainer {
 public:
  WholeTreeTrainer(ParserShape shape, const Margins& rule)
      : shape_(std::move(shape)),
        rule_(rule),
        weights_(own_table(shape_).size),
        difference_(weights_.size()),
        trees_(shape_, Scorers::Which::learned) {}
  WholeTreeTrainer(const WholeTreeTrainer&) = delete;  // its parts point into it
  WholeTreeTrainer& operator=(const WholeTreeTrainer&) = delete;

  // The weights of parts of one parser, and of what was learned with them.
  void add_parser(std::span<const float> weights) {
    parsers_.push_back(checked_table(weights, shape_.size_in_training() - weights_.size(), "arc"));
  }
  // An example, and which of the parsers has not seen it.
  void add(Lesson lesson, int parser) { examples_.push_back({std::move(lesson), static_cast<std::size_t>(parser)}); }
  std::size_t parsers() const { return parsers_.size(); }

  TrainingCounts train(std::span<const std::int64_t> order) {
    TrainingCounts counts;
    for (const std::int64_t i : order) {
      learn(examples_[at(i)], counts);
      weights_.next_step();
    }
    return counts;
  }

  AveragedWeights& weights() { return weights_; }

 private:
  struct Example {
    Lesson lesson;
    std::size_t parser;
  };

  // Of all that is learned, it must come last: parsers that are trained without it have the others where they are.
  static LearnedTable own_table(const ParserShape& shape) {
    const auto learned = shape.learned_tables();
    if (learned.empty() || learned.back().name != "whole_tree")
      throw std::invalid_argument("there are no features of whole trees to learn");
    return learned.back();
  }

  void learn(const Example& example, TrainingCounts& counts) {
    const TrainingExample& tree = *example.lesson.example;
    const Gold gold{tree.heads, tree.labels};
    WeightTables tables = shape_.tables_in_training(parsers_[example.parser].data(), nullptr);
    tables.set("whole_tree", weights_.current());
    trees_.score({tree.atoms, tables, example.lesson.arcs, &gold});
    if (!trees_.find(Decoder::map, training_search, predicted_)) throw NoTree();
    counts.words += tree.heads.size();
    std::uint64_t wrong = 0;
    for (std::size_t m = 0; m < tree.heads.size(); ++m) wrong += predicted_.heads[m] != tree.heads[m];
    counts.wrong_heads += wrong;
    const double violation = wrong ? trees_.shortfall({tree.heads, tree.labels}, predicted_.score) : 0.0;
    if (violation <= 0) return;
    counts.loss += violation;
    trees_.list_whole_tree_difference(tree.heads, predicted_.heads, difference_);
    difference_.apply(weights_, rule_.step(violation, difference_.squared_norm(weights_)));
  }

  ParserShape shape_;
  Margins rule_;
  AveragedWeights weights_;
  SparseDifference difference_;
  PartTrees trees_;
  std::vector<LargeTable<float>> parsers_;
  std::vector<Example> examples_;
  Solution predicted_;
};

}  // namespace headwise::learning
