// The first-order parser: features → arc scores → the best tree → labels. One object is shared by all
// threads; what a thread needs while it works is in its own Scratch.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "trees/arc_marginals.hpp"
#include "trees/decode.hpp"
#include "trees/distribution.hpp"
#include "parsing/parser_shape.hpp"

namespace headwise::parsing {

class ArcParser {
 public:
  explicit ArcParser(const ParserShape& shape)
      : shape_(&shape),
        arc_features_(shape.arc_templates),
        label_features_(shape.label_templates),
        labeler_(shape.label_templates, shape.labels, shape.filter, shape.label_mask) {}

  void parse(const Atoms& atoms, const Weights& weights, Decoder decoder, ParseResult& result) {
    const bool sums = decoder == Decoder::minimum_risk ||
                      (decoder == Decoder::map && shape_->label_mode == LabelMode::latent);
    score(atoms, weights, nullptr, sums ? OverLabels::sum : OverLabels::best);
    decoder == Decoder::minimum_risk ? minimum_risk_tree(result) : best_tree(result);
    if (shape_->label_mode == LabelMode::separate) label(atoms, weights, result);
  }

  // Labels a tree, whatever found it.
  void label(const Atoms& atoms, const Weights& weights, ParseResult& result) {
    if (shape_->label_mode == LabelMode::separate) {
      labeler_.assign(atoms, result.heads);
      labeler_.label(weights.labels, result.labels);
    } else if (shape_->labels_in_search()) {
      label_features_.assign(atoms);
      shape_->filter.read_tags(atoms, tags_);
      for (int m = 1; m <= atoms.words(); ++m) {
        const int h = result.heads[at(m - 1)];
        result.labels[at(m - 1)] = best_label(sum_label_weights(weights, h, m), label_candidates(h, m)).label;
      }
    }
  }

  // The best tree, with its labels where they are part of the search. With `gold`, under cost-augmented scores.
  void search(const Atoms& atoms, const Weights& weights, const Gold* gold, ParseResult& result) {
    score(atoms, weights, gold, OverLabels::best);
    best_tree(result);
  }

  // What an arc scores beside its own features where it may have one of several labels: that of its best label, or
  // the log-sum over all.
  enum class OverLabels : std::uint8_t { best, sum };

  // Scores all arcs; with `gold`, with costs.
  void score(const Atoms& atoms, const Weights& weights, const Gold* gold, OverLabels over_labels) {
    n_ = atoms.words();
    arc_features_.assign(atoms);
    label_features_.assign(atoms);
    shape_->filter.read_tags(atoms, tags_);
    scores_.resize(at(n_ + 1) * at(n_ + 1));
    arc_features_.score(weights.arcs, shape_->arc_mask, scores_.data(),
                        [&](int h, int m) { return shape_->filter.allows(tags_, h, m); });
    if (shape_->labels_in_search()) add_labels(weights, gold, over_labels);
    if (gold) add_costs(*gold);
  }

  // log Z of the scored sentence; the probabilities of its arcs are then in probabilities().
  double sum_trees() { return sum_trees(scores_); }

  // The same over the trees that give each word its head, where one is given (not -1).
  double sum_trees_with(std::span<const int> heads) {
    constrained_ = scores_;
    for (int m = 1; m <= n_; ++m)
      for (int h = 0; h <= n_; ++h)
        if (const int given = heads[at(m - 1)]; given >= 0 && h != given) constrained_[arc(h, m)] = kImpossible;
    return sum_trees(constrained_);
  }

  const ArcFeatures& arc_features() const { return arc_features_; }
  const LabelFeatures& label_features() const { return label_features_; }
  const LabelCandidates& label_candidates(int h, int m) const { return shape_->labels.candidates(tags_, h, m); }
  // Where labels are part of the search: the weights of each candidate label of an arc.
  const float* sum_label_weights(const Weights& weights, int h, int m) {
    const LabelCandidates& candidates = label_candidates(h, m);
    label_sums_.clear();
    label_features_.for_each(h, m, shape_->label_mask,
                             [&](std::uint32_t row) { label_sums_.add(weights.labels + row, candidates); });
    return label_sums_.sum(shape_->labels.count, candidates);
  }
  int words() const { return n_; }
  double arc_score(int h, int m) const { return scores_[arc(h, m)]; }
  std::span<const double> scores() const { return scores_; }
  const std::vector<double>& probabilities() const { return probabilities_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t arc(int h, int m) const { return at(h) * at(n_ + 1) + at(m); }

  double sum_trees(const std::vector<double>& scores) {
    return marginals_.sum(shape_->projective, scores.data(), n_, shape_->single_root, probabilities_);
  }

  void best_tree(ParseResult& result) {
    result.score = decode(scores_, result);
    if (!(result.score > kImpossible)) throw NoTree();
  }

  void minimum_risk_tree(ParseResult& result) {
    sum_trees();
    for (std::size_t i = 0; i < scores_.size(); ++i)
      if (scores_[i] == kImpossible) probabilities_[i] = kImpossible;
    if (!(decode(probabilities_, result) > kImpossible)) throw NoTree();
    result.score = tree_score(scores_.data(), n_, result.heads.data());
  }

  double decode(const std::vector<double>& scores, ParseResult& result) {
    result.heads.resize(at(n_));
    result.labels.assign(at(n_), -1);
    const double score = shape_->projective
                             ? decode_projective(scores.data(), n_, shape_->single_root, result.heads.data(), decode_)
                             : decode_nonprojective(scores.data(), n_, shape_->single_root, result.heads.data(), decode_);
    if (score > kImpossible && shape_->labels_in_search())
      for (int m = 1; m <= n_; ++m) result.labels[at(m - 1)] = arc_label_[arc(result.heads[at(m - 1)], m)];
    return score;
  }

  void add_costs(const Gold& gold) {
    for (int m = 1; m <= n_; ++m)
      for (int h = 0; h <= n_; ++h)
        if (h != m && h != gold.heads[at(m - 1)]) scores_[arc(h, m)] += gold.cost;
  }

  void add_labels(const Weights& weights, const Gold* gold, OverLabels over_labels) {
    arc_label_.assign(scores_.size(), -1);
    for (int m = 1; m <= n_; ++m)
      for (int h = 0; h <= n_; ++h) {
        if (scores_[arc(h, m)] == kImpossible) continue;
        const LabelCandidates& candidates = label_candidates(h, m);
        const float* sums = sum_label_weights(weights, h, m);
        const bool best_only = over_labels == OverLabels::best;
        const LabelChoice best = best_label(sums, candidates, gold && best_only ? gold->labels[at(m - 1)] : -1);
        scores_[arc(h, m)] += best_only ? best.score : sum_labels(sums, candidates, label_shares_);
        arc_label_[arc(h, m)] = best.label;
      }
  }

  const ParserShape* shape_;
  int n_ = 0;
  ArcFeatures arc_features_;
  LabelFeatures label_features_;
  TreeLabeler labeler_;
  DecodeScratch decode_;
  ArcMarginals marginals_;
  std::vector<double> scores_, probabilities_, label_shares_, constrained_;
  std::vector<int> tags_, arc_label_;
  LabelSums label_sums_;
};

}  // namespace headwise::parsing
