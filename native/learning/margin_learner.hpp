// Perceptron and MIRA: search, compare, move the weights.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "learning/learner.hpp"
#include "learning/part_difference.hpp"
#include "learning/search_options.hpp"
#include "learning/sparse_difference.hpp"
#include "parsing/sentence_trees.hpp"
#include "trees/local_search/climb.hpp"

namespace headwise::learning {

// What is searched: the best tree; what climbs from random trees find (Zhang et al. 2014, "Greed is good if
// randomized"); the best head of each word by itself, whether that is a tree or not (there, Table 1).
enum class RivalSearch : std::uint8_t { best, climbed, independent };

class MarginLearner final : public Learner {
 public:
  MarginLearner(const Margins& rule, LearnedWeights weights, RivalSearch search)
      : search_(search),
        rule_(rule),
        weights_(weights),
        tables_(weights.tables()),
        trees_(make_trees(weights.shape, Scorers::Which::learned)),
        joint_(weights.shape.label_mode == LabelMode::joint),
        parts_(weights.shape, rule.share),
        labels_(joint_ ? weights.labels.size() : 0) {}

  void learn(const Lesson& lesson, TrainingCounts& counts) override {
    const Gold gold{lesson->heads, lesson->labels};
    trees_->score({lesson->atoms, tables_, lesson.arcs, rule_.adds_cost ? &gold : nullptr});
    if (!find()) throw NoTree();
    trees_->labels_in_search(predicted_.heads, predicted_labels_);
    counts.words += lesson->heads.size();
    bool wrong = false;
    for (std::size_t m = 0; m < lesson->heads.size(); ++m) {
      const bool wrong_head = predicted_.heads[m] != lesson->heads[m];
      const bool wrong_label = joint_ && predicted_labels_[m] != lesson->labels[m];
      counts.wrong_heads += wrong_head;
      counts.wrong_labels += wrong_label;
      wrong |= wrong_head || wrong_label;
    }
    if (wrong) repair({lesson->heads, lesson->labels}, counts);
    weights_.next_step();
  }

 private:
  bool find() {
    switch (search_) {
      case RivalSearch::climbed: return climb();
      case RivalSearch::independent: return choose_heads();
      default: return trees_->find(Decoder::map, training_search, predicted_);
    }
  }

  bool climb() {
    const Problem problem = trees_->problem();
    const MovableTree tree(*problem.arcs, problem.scores, problem.factorization, problem.whole);
    const ClimbLimits limits{
        .seed = weights_.parts.steps(), .patience = training_patience, .starts = Starts::first_order, .escapes = false};
    best_tree_by_climbing(tree, problem.scores, problem.single_root, limits, predicted_.heads);
    if (predicted_.heads.empty()) return false;
    predicted_.score = trees_->whole_score(predicted_.heads);
    return true;
  }

  bool choose_heads() {
    predicted_.heads.clear();
    predicted_.score = 0;
    for (int m = 1; m <= trees_->words(); ++m) {
      trees_->arcs_into(m, arcs_);
      const auto scores_less = [&](const auto& a, const auto& b) {
        return trees_->scores().arcs[a.place] < trees_->scores().arcs[b.place];
      };
      const auto best = std::max_element(arcs_.begin(), arcs_.end(), scores_less);
      if (best == arcs_.end()) return false;
      predicted_.heads.push_back(best->head);
      predicted_.score += trees_->scores().arcs[best->place];
    }
    return true;
  }

  void repair(const LabelledTree& gold, TrainingCounts& counts) {
    const double violation = trees_->shortfall(gold, predicted_.score);
    counts.loss += std::max(0.0, violation);
    // A climb may miss trees that score higher, the gold tree among them: nothing to learn from.
    if (violation < 0 && (search_ == RivalSearch::climbed || trees_->has_whole_tree_features())) return;
    parts_.choose_factor(weights_.parts.steps());
    trees_->list_difference(gold, {predicted_.heads, predicted_labels_}, parts_, labels_);
    const double share = rule_.share * rule_.share;
    const double step = rule_.step(violation, parts_.squared_norm(weights_.parts) + share * labels_.squared_norm(weights_.labels));
    parts_.apply(weights_.parts, step);
    labels_.apply(weights_.labels, share * step);
  }

  static constexpr int training_patience = 20;  // climbs without a better tree before a search ends
  RivalSearch search_;
  Margins rule_;
  LearnedWeights weights_;
  WeightTables tables_;
  std::unique_ptr<SentenceTrees> trees_;
  bool joint_;
  PartDifference parts_;
  SparseDifference labels_;
  Solution predicted_;
  std::vector<int> predicted_labels_;
  std::vector<SentenceTrees::ArcInto> arcs_;
};

}  // namespace headwise::learning
