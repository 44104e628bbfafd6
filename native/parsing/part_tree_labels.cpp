// Labels in the search of larger parts: what they add to the scores of parts, and what is learned of them.
#include <algorithm>
#include <cmath>

#include "parsing/part_trees.hpp"

namespace headwise::parsing {

void PartTrees::add_labels(const Atoms& atoms, const Reading& reading) {
  const bool best_only = reading.over_labels == OverLabels::best;
  labels_.read(atoms, reading.tables["labels"]);
  for (auto& choices : choices_) choices.clear();
  labels_.score(*arcs_, reading.known_labels,
                [&]<class Kind>(Kind kind, Index place, const ArcRelatives& arc, const LabelCandidates& candidates,
                                const float* sums) {
                  std::vector<double>& table = table_of(kind, scores_);
                  const auto count = at(Kind::count(*arcs_));
                  if (table.empty()) table.assign(count, 0.0);  // a kind without features of its own
                  if (choices_[Kind::ancestors].empty()) choices_[Kind::ancestors].resize(count);
                  const int gold = reading.gold && best_only ? reading.gold->labels[at(arc.m - 1)] : -1;
                  LabelChoice best = best_label(sums, candidates, gold);
                  if (!best_only) best.score = sum_labels(sums, candidates, shares_);
                  table[at(place)] += best.score;
                  choice(kind, place) = best;
                });
}

const LabelChoice& PartTrees::choice_of(const ArcRelatives& arc) {
  const LabelChoice* found = nullptr;
  labels_.find(*arcs_, arc, [&](auto kind, Index place) { found = &choice(kind, place); });
  return *found;
}

void PartTrees::labels_in_search(std::span<const int> heads, std::vector<int>& labels) {
  labels.assign(heads.size(), -1);
  if (!shape_->labels_in_search()) return;
  scratch_.links.assign(heads);
  for (int m = 1; m <= words_; ++m) labels[at(m - 1)] = choice_of(ArcRelatives::in(scratch_.links, m)).label;
}

// The tables hold what parts score with the best label (and its cost): the gold label is summed anew.
double PartTrees::shortfall(const LabelledTree& gold, double rival_score) {
  double score = whole_score(gold.heads);
  if (shape_->label_mode == LabelMode::joint) {
    scratch_.links.assign(gold.heads);
    for (int m = 1; m <= words_; ++m) {
      const ArcRelatives arc = ArcRelatives::in(scratch_.links, m);
      score += labels_.sum(arc, gold.labels[at(m - 1)]) - choice_of(arc).score;
    }
  }
  return rival_score - score;
}

void PartTrees::list_label(const ArcRelatives& arc, int label, double amount, FeatureSink& labels) {
  indices_.clear();
  labels_.for_each_row(arc, [&](std::uint32_t row) { indices_.push_back(row + static_cast<std::uint32_t>(label)); });
  labels.add(indices_, amount);
}

void PartTrees::fix_labels(std::span<const int> heads, std::span<const int> labels, CandidateTables& scores) {
  if (shape_->label_mode != LabelMode::joint) return;
  labels_.each_part(*arcs_, [&](auto kind, Index place, const ArcRelatives& arc) {
    if (const int label = labels[at(arc.m - 1)]; label >= 0 && heads[at(arc.m - 1)] == arc.h)
      table_of(kind, scores)[at(place)] += labels_.sum(arc, label) - choice(kind, place).score;
  });
}

// The labels of an arc share the probability of the part that they are chosen with.
double PartTrees::list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                                      const CandidateTables& wanted, const CandidateTables& actual, double negligible,
                                      FeatureSink& labels) {
  if (!shape_->labels_in_search()) return 0.0;
  // Where heads are missing, the sum over what is wanted knows of known labels already (fix_labels).
  const bool is_whole = std::find(known_heads.begin(), known_heads.end(), -1) == known_heads.end();
  double loss = 0;
  labels_.each_part(*arcs_, [&](auto kind, Index place, const ArcRelatives& arc) {
    const double target = table_of(kind, wanted)[at(place)], p = table_of(kind, actual)[at(place)];
    const int known = shape_->label_mode == LabelMode::joint ? known_labels[at(arc.m - 1)] : -1;
    const bool labelled = known >= 0 && arc.h == known_heads[at(arc.m - 1)];
    if (!(labelled && target > 0) && !(std::abs(target - p) > negligible)) return;
    const LabelCandidates& candidates = labels_.candidates(arc);
    const float* sums = labels_.sums(arc, candidates);
    const double log_sum = sum_labels(sums, candidates, shares_);
    for (std::size_t k = 0; k < candidates.labels.size(); ++k) {
      const int label = candidates.labels[k];
      const double aim = !labelled ? target * shares_[k] : label == known ? target : 0.0;
      if (const double gradient = aim - p * shares_[k]; std::abs(gradient) > negligible)
        list_label(arc, label, gradient, labels);
    }
    if (labelled && is_whole && target > 0) loss += log_sum - sums[known];  // −log p(label | part)
  });
  return loss;
}

}  // namespace headwise::parsing
