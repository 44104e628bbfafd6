#include "learning/gradient.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"
#include "learning/search_options.hpp"
#include "treebank/projectivity.hpp"

namespace headwise::learning {

void Gradient::gather(const LogLinear& rule, const Lesson& lesson, const WeightTables& tables, FeatureSink& parts,
                      FeatureSink& labels, TrainingCounts& counts) {
  const TrainingExample& example = *lesson.example;
  const Gold gold{example.heads, example.labels, rule.cost};
  trees_->score({example.atoms, tables, lesson.arcs, rule.cost != 0 ? &gold : nullptr, OverLabels::sum});
  double log_z, gold_score, rest = 1.0;  // `rest` is the probability of the trees that were summed
  crossing_.clear();
  if (example.is_partial()) {
    gold_score = trees_->sum_with(example.heads, example.labels, wanted_);
    log_z = trees_->sum(actual_);
    gradient_ = wanted_;
  } else {
    const double summed = log_z = trees_->sum(actual_);
    gold_score = trees_->tree_score(example.heads);
    find_crossing_trees(example, gold_score);
    for (const CrossingTree& tree : crossing_)
      log_z = std::max(log_z, tree.score) + std::log1p(std::exp(-std::abs(log_z - tree.score)));
    rest = std::exp(summed - log_z);
    wanted_.clear_like(trees_->scores());
    trees_->add_tree(example.heads, 1.0, wanted_);
    gradient_ = wanted_;
    for (const CrossingTree& tree : crossing_) trees_->add_tree(tree.heads, -std::exp(tree.score - log_z), gradient_);
  }
  if (!(log_z > kImpossible)) throw NoTree();
  for (const auto kind : CandidateTables::kinds())
    for (std::size_t i = 0; i < (gradient_.*kind).size(); ++i) (gradient_.*kind)[i] -= rest * (actual_.*kind)[i];
  if (!crossing_.empty() && trees_->shape().labels_in_search()) {  // labels share in single trees too
    for (const auto kind : CandidateTables::kinds())
      for (double& p : actual_.*kind) p *= rest;
    for (const CrossingTree& tree : crossing_) trees_->add_tree(tree.heads, std::exp(tree.score - log_z), actual_);
  }
  double loss = log_z - gold_score;
  loss += trees_->list_label_gradient(example.heads, example.labels, wanted_, actual_, rule.negligible, labels);
  trees_->list_features(gradient_, rule.negligible, parts);
  counts.loss += checked_loss(loss);
  count_words(example, counts);
}

void Gradient::gather(const MaxMargin&, const Lesson& lesson, const WeightTables& tables, FeatureSink& parts,
                      FeatureSink& labels, TrainingCounts& counts) {
  const TrainingExample& example = *lesson.example;
  const Gold gold{example.heads, example.labels};
  trees_->score({example.atoms, tables, lesson.arcs, &gold});
  if (!trees_->find(Decoder::map, training_search, predicted_)) throw NoTree();
  trees_->labels_in_search(predicted_.heads, predicted_labels_);
  counts.words += example.heads.size();
  bool wrong = false;
  for (std::size_t m = 0; m < example.heads.size(); ++m) {
    counts.wrong_heads += predicted_.heads[m] != example.heads[m];
    wrong |= predicted_.heads[m] != example.heads[m] ||
             (trees_->shape().label_mode == LabelMode::joint && predicted_labels_[m] != example.labels[m]);
  }
  if (!wrong) return;
  const LabelledTree own{example.heads, example.labels};
  counts.loss += checked_loss(std::max(0.0, trees_->shortfall(own, predicted_.score)));
  trees_->list_difference(own, {predicted_.heads, predicted_labels_}, parts, labels);
}

void Gradient::find_crossing_trees(const TrainingExample& example, double gold_score) {
  if (trees_->shape().sums_all_trees()) return;
  if (!nonprojective_arcs(example.heads).empty()) crossing_.push_back({example.heads, gold_score});
  if (trees_->find(Decoder::map, training_search, predicted_) && predicted_.heads != example.heads &&
      !nonprojective_arcs(predicted_.heads).empty())
    crossing_.push_back({predicted_.heads, predicted_.score});
}

void Gradient::count_words(const TrainingExample& example, TrainingCounts& counts) {
  for (int m = 1; m <= trees_->words(); ++m) {
    trees_->arcs_into(m, arcs_);
    const SentenceTrees::ArcInto* likeliest = &arcs_.front();
    for (const auto& arc : arcs_)
      if (actual_.arcs[arc.place] > actual_.arcs[likeliest->place]) likeliest = &arc;
    const int gold = example.heads[at(m) - 1];
    counts.wrong_heads += gold >= 0 && likeliest->head != gold;
    counts.guessing += std::log(static_cast<double>(arcs_.size()));
  }
  counts.words += example.heads.size();
}

}  // namespace headwise::learning
