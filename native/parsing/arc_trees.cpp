#include "parsing/arc_trees.hpp"

#include <cmath>

namespace headwise::parsing {

void ArcTrees::score(const Reading& reading) {
  const Atoms& atoms = scorers_.read(reading.atoms, reading.tables);
  words_ = atoms.words();
  arc_features_.assign(atoms);
  shape_->filter.read_tags(atoms, tags_);
  scores_.arcs.resize(at(words_ + 1) * at(words_ + 1));
  const auto allowed = [&](int h, int m) {
    return reading.arcs.empty() ? shape_->filter.allows(tags_, h, m) : reading.arcs[arc(h, m)] != 0;
  };
  arc_features_.score(reading.tables["arcs"], shape_->arc_mask, scores_.arcs.data(), allowed);
  scorers_.add_arcs(scores_.arcs);
  if (shape_->labels_in_search()) {
    unlabelled_ = scores_.arcs;
    label_features_.assign(atoms);
    label_weights_ = reading.tables["labels"];
    add_labels(reading);
  }
  if (!reading.gold) return;
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h)
      if (h != m && h != reading.gold->heads[at(m - 1)]) scores_.arcs[arc(h, m)] += reading.gold->cost;
}

void ArcTrees::copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const {
  dense.assign(of_arcs.begin(), of_arcs.end());
  for (int m = 1; m <= words_; ++m) dense[arc(m, m)] = elsewhere;
  for (int h = 0; h <= words_; ++h) dense[arc(h, 0)] = elsewhere;
}

void ArcTrees::arcs_into(int m, std::vector<ArcInto>& arcs) const {
  arcs.clear();
  for (int h = 0; h <= words_; ++h)
    if (scores_.arcs[arc(h, m)] > kImpossible) arcs.push_back({h, arc(h, m)});
}

double ArcTrees::shortfall(const LabelledTree& gold, double rival_score) {
  // With labels in the search the table holds arc + best label (+ cost): the gold label is summed anew.
  for (int m = 1; m <= words_; ++m) {
    const int h = gold.heads[at(m - 1)];
    if (shape_->label_mode != LabelMode::joint) {
      rival_score -= scores_.arcs[arc(h, m)];
      continue;
    }
    rival_score -= sum_label(h, m, gold.labels[at(m - 1)]);
    rival_score -= unlabelled_[arc(h, m)];
  }
  return rival_score;
}

void ArcTrees::add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) {
  for (int m = 1; m <= words_; ++m) numbers.arcs[arc(heads[at(m - 1)], m)] += amount;
}

void ArcTrees::labels_in_search(std::span<const int> heads, std::vector<int>& labels) {
  labels.assign(heads.size(), -1);
  if (!shape_->labels_in_search()) return;
  for (int m = 1; m <= words_; ++m) labels[at(m - 1)] = arc_label_[arc(heads[at(m - 1)], m)];
}

void ArcTrees::list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const {
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h)
      if (const double amount = numbers.arcs[arc(h, m)]; std::abs(amount) > negligible) {
        indices_.clear();
        list_arc(h, m, indices_);
        parts.add(indices_, amount);
      }
  list_scorers(numbers, negligible, parts);
}

void ArcTrees::list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
                               FeatureSink& labels) {
  const bool joint = shape_->label_mode == LabelMode::joint;
  for (int m = 1; m <= words_; ++m) {
    const int good = better.heads[at(m - 1)], bad = worse.heads[at(m - 1)];
    const auto list = [&](int h, double amount) {
      indices_.clear();
      list_arc(h, m, indices_);
      parts.add(indices_, amount);
    };
    const auto list_with_label = [&](int h, int label, double amount) {
      indices_.clear();
      list_label(h, m, label, indices_);
      labels.add(indices_, amount);
    };
    if (good != bad) {
      list(good, +1);
      list(bad, -1);
    }
    if (joint && (good != bad || better.labels[at(m - 1)] != worse.labels[at(m - 1)])) {
      list_with_label(good, better.labels[at(m - 1)], +1);
      list_with_label(bad, worse.labels[at(m - 1)], -1);
    }
  }
  list_scorers(better.heads, worse.heads, parts);
}

// The labels of an arc share its probability.
double ArcTrees::list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                                     const CandidateTables& wanted, const CandidateTables& actual, double negligible,
                                     FeatureSink& labels) {
  if (!shape_->labels_in_search()) return 0.0;
  double loss = 0;
  std::vector<std::uint32_t> rows;
  for (int m = 1; m <= words_; ++m) {
    const int known = shape_->label_mode == LabelMode::joint ? known_labels[at(m - 1)] : -1;
    for (int h = 0; h <= words_; ++h) {
      const double target = wanted.arcs[arc(h, m)], p = actual.arcs[arc(h, m)];
      const bool labelled = known >= 0 && h == known_heads[at(m - 1)];
      if (!labelled && !(std::abs(target - p) > negligible)) continue;
      const LabelCandidates& candidates = label_candidates(h, m);
      const float* sums = sum_label_weights(h, m);
      const double log_sum = sum_labels(sums, candidates, shares_);
      rows.clear();
      label_features_.for_each(h, m, shape_->label_mask, [&](std::uint32_t row) { rows.push_back(row); });
      for (std::size_t k = 0; k < candidates.labels.size(); ++k) {
        const int label = candidates.labels[k];
        const double aim = !labelled ? target * shares_[k] : label == known ? target : 0.0;
        const double gradient = aim - p * shares_[k];
        if (std::abs(gradient) <= negligible) continue;
        indices_.clear();
        for (const std::uint32_t row : rows) indices_.push_back(row + static_cast<std::uint32_t>(label));
        labels.add(indices_, gradient);
      }
      if (labelled) loss += log_sum - sums[known];  // −log p(label | arc)
    }
  }
  return loss;
}

const float* ArcTrees::sum_label_weights(int h, int m) {
  const LabelCandidates& candidates = label_candidates(h, m);
  label_sums_.clear();
  label_features_.for_each(h, m, shape_->label_mask,
                           [&](std::uint32_t row) { label_sums_.add(label_weights_ + row, candidates); });
  return label_sums_.sum(shape_->labels.count, candidates);
}

double ArcTrees::sum_label(int h, int m, int label) {
  double sum = 0;
  label_features_.for_each(h, m, shape_->label_mask, [&](std::uint32_t row) {
    sum += label_weights_[row + static_cast<std::uint32_t>(label)];
  });
  return sum;
}

void ArcTrees::add_labels(const Reading& reading) {
  const Gold* gold = reading.gold;
  arc_label_.assign(scores_.arcs.size(), -1);
  const bool best_only = reading.over_labels == OverLabels::best;
  for (int m = 1; m <= words_; ++m)
    for (int h = 0; h <= words_; ++h) {
      if (scores_.arcs[arc(h, m)] == kImpossible) continue;
      if (!reading.known_labels.empty() && reading.known_labels[at(m - 1)] >= 0) {
        arc_label_[arc(h, m)] = reading.known_labels[at(m - 1)];
        scores_.arcs[arc(h, m)] += sum_label(h, m, arc_label_[arc(h, m)]);
        continue;
      }
      const LabelCandidates& candidates = label_candidates(h, m);
      const float* sums = sum_label_weights(h, m);
      const LabelChoice best = best_label(sums, candidates, gold && best_only ? gold->labels[at(m - 1)] : -1);
      scores_.arcs[arc(h, m)] += best_only ? best.score : sum_labels(sums, candidates, shares_);
      arc_label_[arc(h, m)] = best.label;
    }
}

void ArcTrees::list_label(int h, int m, int label, std::vector<std::uint32_t>& indices) const {
  label_features_.for_each(h, m, shape_->label_mask,
                           [&](std::uint32_t row) { indices.push_back(row + static_cast<std::uint32_t>(label)); });
}

}  // namespace headwise::parsing
