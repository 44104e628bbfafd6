#include "parsing/labelled_part_trees.hpp"

#include <algorithm>
#include <cmath>

namespace headwise::parsing {

const LabelCandidates& LabelledPartTrees::candidates(const ArcRelatives& arc) {
  const int known = known_.empty() ? -1 : known_[at(arc.m - 1)];
  return known < 0 ? labels_.candidates(arc) : labels_.only(known);
}

template <class Visit>
void LabelledPartTrees::each_factor(int number, Visit visit) const {
  const auto alone = ArcRelatives::alone(arcs_->head(number), arcs_->modifier(number));
  visit(alone, PartLabels::no_relatives, &CandidateTables::labelled_arcs, [](int labelled) { return Index{labelled}; });
  for (int j = 0; j <= arcs_->inner(number); ++j) {
    ArcRelatives arc = alone;
    if (j > 0) arc.s = arcs_->modifier(arcs_->nearer(number, j));
    visit(arc, PartLabels::with_sibling, &CandidateTables::labelled_siblings,
          [=, this](int labelled) { return labelled_->sibling(labelled, j); });
  }
  const auto visit_below = [&](int side, int child, const auto& place) {
    ArcRelatives arc = alone;
    (side == 0 ? arc.left : arc.right) = child;
    visit(arc, side == 0 ? PartLabels::with_leftmost : PartLabels::with_rightmost,
          &CandidateTables::labelled_grandchildren, place);
  };
  for (int below = arcs_->begin(alone.m); below < arcs_->end(alone.m); ++below)
    visit_below(arcs_->modifier(below) < alone.m ? 0 : 1, arcs_->modifier(below),
                [=, this](int labelled) { return labelled_->grandchild(labelled, below); });
  for (int side = 0; side < 2; ++side)
    visit_below(side, nobody, [=, this](int labelled) { return labelled_->no_grandchild(labelled, side); });
}

void LabelledPartTrees::add_labels(const Atoms& atoms, const Reading& reading) {
  over_labels_ = reading.over_labels;
  known_.assign(reading.known_labels.begin(), reading.known_labels.end());
  gold_.clear();
  if (reading.gold && over_labels_ == OverLabels::best)
    gold_.assign(reading.gold->labels.begin(), reading.gold->labels.end());
  labels_.read(atoms, reading.tables["labels"]);
  const auto candidates_of = [&](int arc) -> const LabelCandidates& {
    return candidates(ArcRelatives::alone(arcs_->head(arc), arcs_->modifier(arc)));
  };
  labelled_.emplace(*arcs_, [&](int arc) { return static_cast<int>(candidates_of(arc).labels.size()); });
  scores_.labelled_arcs.assign(at(labelled_->count()), 0.0);
  scores_.labelled_siblings.assign(at(labelled_->siblings()), 0.0);
  scores_.labelled_grandchildren.assign(at(labelled_->grandchildren()), 0.0);
  for (int arc = 0; arc < arcs_->arcs(); ++arc) {
    const LabelCandidates& candidates = candidates_of(arc);
    const int first = labelled_->first(arc), gold = gold_.empty() ? -1 : gold_[at(arcs_->modifier(arc) - 1)];
    each_factor(arc, [&](const ArcRelatives& factor, unsigned relatives, auto table, const auto& place) {
      const float* sums = labels_.sums_of(factor, relatives, candidates);
      for (std::size_t k = 0; k < candidates.labels.size(); ++k)
        (scores_.*table)[at(place(first + static_cast<int>(k)))] = sums[candidates.labels[k]];
    });
    for (std::size_t k = 0; k < candidates.labels.size(); ++k)
      if (gold >= 0 && candidates.labels[k] != gold) scores_.labelled_arcs[at(first) + k] += 1.0;
  }
}

template <class Visit>
void LabelledPartTrees::each_arc(std::span<const int> heads, Visit visit) {
  scratch_.links.assign(heads);
  for (int m = 1; m <= words_; ++m) {
    const auto arc = ArcRelatives::in(scratch_.links, m);
    const LabelCandidates& own = candidates(arc);
    visit(arc, own, labels_.sums(arc, own));
  }
}

double LabelledPartTrees::tree_score(std::span<const int> heads) {
  if (over_labels_ == OverLabels::sum) return log_weight(heads, 1.0);
  double score = score_without_labels(heads);
  each_arc(heads, [&](const ArcRelatives& arc, const LabelCandidates& own, const float* sums) {
    score += best_label(sums, own, gold_.empty() ? -1 : gold_[at(arc.m - 1)]).score;
  });
  return score;
}

double LabelledPartTrees::log_weight(std::span<const int> heads, double temperature) {
  double weight = score_without_labels(heads) / temperature;
  std::vector<float> cooler;
  each_arc(heads, [&](const ArcRelatives&, const LabelCandidates& own, const float* sums) {
    cooler.assign(at(shape_->labels.count), 0.0f);
    for (const int l : own.labels) cooler[at(l)] = static_cast<float>(sums[l] / temperature);
    weight += sum_labels(cooler.data(), own, shares_);
  });
  return weight;
}

double LabelledPartTrees::shortfall(const LabelledTree& gold, double rival_score) {
  double score = score_without_labels(gold.heads);
  scratch_.links.assign(gold.heads);
  for (int m = 1; m <= words_; ++m) score += labels_.sum(ArcRelatives::in(scratch_.links, m), gold.labels[at(m - 1)]);
  return rival_score - score;
}

void LabelledPartTrees::labels_in_search(std::span<const int> heads, std::vector<int>& labels) {
  labels.assign(heads.size(), -1);
  each_arc(heads, [&](const ArcRelatives& arc, const LabelCandidates& own, const float* sums) {
    labels[at(arc.m - 1)] = best_label(sums, own, gold_.empty() ? -1 : gold_[at(arc.m - 1)]).label;
  });
}

void LabelledPartTrees::fix_labels(std::span<const int> heads, std::span<const int> labels, CandidateTables& scores) {
  for (int arc = 0; arc < arcs_->arcs(); ++arc) {
    const int h = arcs_->head(arc), m = arcs_->modifier(arc), known = labels[at(m - 1)];
    if (known < 0 || heads[at(m - 1)] != h) continue;
    const LabelCandidates& own = labels_.candidates(ArcRelatives::alone(h, m));
    for (std::size_t k = 0; k < own.labels.size(); ++k)
      if (own.labels[k] != known) scores.labelled_arcs[at(labelled_->first(arc)) + k] = kImpossible;
  }
}

double LabelledPartTrees::list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                                              const CandidateTables& wanted, const CandidateTables& actual,
                                              double negligible, FeatureSink& labels) {
  // Where heads are missing, what is wanted is an expectation too, which counts known labels (fix_labels).
  const bool is_whole = std::find(known_heads.begin(), known_heads.end(), -1) == known_heads.end();
  for (int arc = 0; arc < arcs_->arcs(); ++arc) {
    const int first = labelled_->first(arc);
    const auto alone = ArcRelatives::alone(arcs_->head(arc), arcs_->modifier(arc));
    const LabelCandidates& own = labels_.candidates(alone);
    each_factor(arc, [&](const ArcRelatives& factor, unsigned relatives, auto table, const auto& place) {
      for (std::size_t k = 0; k < own.labels.size(); ++k) {
        const auto here = at(place(first + static_cast<int>(k)));
        const double amount = (is_whole ? 0.0 : (wanted.*table)[here]) - (actual.*table)[here];
        if (!(std::abs(amount) > negligible)) continue;
        indices_.clear();
        labels_.for_each_row(factor, relatives, [&](std::uint32_t row) {
          indices_.push_back(row + static_cast<std::uint32_t>(own.labels[k]));
        });
        labels.add(indices_, amount);
      }
    });
  }
  if (!is_whole) return 0.0;
  double loss = 0;
  each_arc(known_heads, [&](const ArcRelatives& arc, const LabelCandidates& own, const float* sums) {
    const int known = known_labels[at(arc.m - 1)];
    const double log_sum = sum_labels(sums, own, shares_);
    if (known >= 0) {
      loss += log_sum - sums[known];  // −log p(label | tree)
      list_label(arc, known, 1.0, labels);
      return;
    }
    const std::vector<double> shares = shares_;
    for (std::size_t k = 0; k < own.labels.size(); ++k) list_label(arc, own.labels[k], shares[k], labels);
  });
  return loss;
}

}  // namespace headwise::parsing
