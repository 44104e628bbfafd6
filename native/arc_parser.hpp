// The first-order parser: features → arc scores → the best tree → labels. One object is shared by all
// threads; what a thread needs while it works is in its own Scratch.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "arc_marginals.hpp"
#include "decode.hpp"
#include "distribution.hpp"
#include "parser_shape.hpp"

namespace headwise {

class ArcParser {
 public:
  explicit ArcParser(const ParserShape& shape)
      : shape_(&shape),
        arc_features_(shape.arc_templates),
        label_features_(shape.label_templates),
        labeler_(shape.label_templates, shape.labels, shape.filter, shape.label_mask) {}

  void parse(const Atoms& atoms, const Weights& weights, Decoder decoder, ParseResult& result) {
    score(atoms, weights, nullptr);
    decoder == Decoder::minimum_risk ? minimum_risk_tree(result) : best_tree(result);
    if (shape_->label_mode != LabelMode::separate) return;
    labeler_.assign(atoms, result.heads);
    labeler_.label(weights.labels, result.labels);
  }

  // The best tree, with its labels where they are part of the search. With `gold`, under cost-augmented scores.
  void search(const Atoms& atoms, const Weights& weights, const Gold* gold, ParseResult& result) {
    score(atoms, weights, gold);
    best_tree(result);
  }

  // Scores all arcs; with `gold`, with costs.
  void score(const Atoms& atoms, const Weights& weights, const Gold* gold) {
    n_ = atoms.words();
    arc_features_.assign(atoms);
    label_features_.assign(atoms);
    shape_->filter.read_tags(atoms, tags_);
    score_arcs(weights, gold);
  }

  // log Z of the scored sentence; the probabilities of its arcs are then in probabilities().
  double sum_trees() {
    return shape_->projective ? marginals_.projective(scores_.data(), n_, shape_->single_root, probabilities_)
                              : ArcMarginals::spanning(scores_.data(), n_, shape_->single_root, probabilities_);
  }

  const ArcFeatures& arc_features() const { return arc_features_; }
  LabelFeatures& label_features() { return label_features_; }
  double arc_score(int h, int m) const { return scores_[arc(h, m)]; }
  std::span<const double> scores() const { return scores_; }
  const std::vector<double>& probabilities() const { return probabilities_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t arc(int h, int m) const { return at(h) * at(n_ + 1) + at(m); }

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
    if (score > kImpossible && shape_->label_mode == LabelMode::joint)
      for (int m = 1; m <= n_; ++m) result.labels[at(m - 1)] = arc_label_[arc(result.heads[at(m - 1)], m)];
    return score;
  }

  void score_arcs(const Weights& weights, const Gold* gold) {
    scores_.resize(at(n_ + 1) * at(n_ + 1));
    arc_features_.score(weights.arcs, shape_->arc_mask, scores_.data(),
                        [&](int h, int m) { return shape_->filter.allows(tags_, h, m); });
    if (shape_->label_mode == LabelMode::joint) add_best_labels(weights, gold);
    if (gold)
      for (int m = 1; m <= n_; ++m)
        for (int h = 0; h <= n_; ++h)
          if (h != m && h != gold->heads[at(m - 1)]) scores_[arc(h, m)] += 1.0;
  }

  void add_best_labels(const Weights& weights, const Gold* gold) {
    arc_label_.assign(scores_.size(), -1);
    for (int m = 1; m <= n_; ++m)
      for (int h = 0; h <= n_; ++h) {
        if (scores_[arc(h, m)] == -std::numeric_limits<double>::infinity()) continue;
        const LabelCandidates& candidates = shape_->labels.candidates(tags_, h, m);
        label_sums_.clear();
        label_features_.for_each(h, m, shape_->label_mask, [&](std::uint32_t row) {
          label_sums_.add(weights.labels + row, candidates);
        });
        const LabelChoice best = best_label(label_sums_.sum(shape_->labels.count, candidates), candidates,
                                            gold ? gold->labels[at(m - 1)] : -1);
        scores_[arc(h, m)] += best.score;
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
  std::vector<double> scores_, probabilities_;
  std::vector<int> tags_, arc_label_;
  LabelSums label_sums_;
};

}  // namespace headwise
