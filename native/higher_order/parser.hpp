// The higher-order parser: prune → score the surviving parts → the best tree under the factorization →
// labels. The dynamic programs are those of the tree library.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "distribution.hpp"
#include "factorizations/carreras.hpp"
#include "factorizations/model0.hpp"
#include "factorizations/model1.hpp"
#include "factorizations/model2.hpp"
#include "higher_order/hill_climb.hpp"
#include "higher_order/part_scorer.hpp"
#include "higher_order/pruner.hpp"
#include "higher_order/tree_score.hpp"
#include "labeler.hpp"
#include "parser_shape.hpp"

namespace headwise {

struct HigherOrderShape {
  ParserShape base;  // arcs, labels, roots
  Factorization factorization;
  HigherOrderTemplates templates;
  PrunerShape pruner;
};

class HigherOrderParser {
 public:
  explicit HigherOrderParser(const HigherOrderShape& shape)
      : shape_(&shape),
        pruner_(shape.pruner),
        arc_features_(shape.base.arc_templates),
        parts_(shape.templates),
        labeler_(shape.base.label_templates, shape.base.labels, shape.base.filter, shape.base.label_mask) {}

  void parse(const Atoms& atoms, const Weights& weights, const float* pruner_weights, ParseResult& result) {
    if (!search(atoms, weights, pruner_.prune(atoms, pruner_weights), nullptr, result) &&
        !search(atoms, weights, pruner_.keep_best_tree(), nullptr, result))
      throw NoTree();
    result.limited = pruner_.is_limited(atoms);
    label(atoms, weights, result);
  }

  // The best tree among the arcs that are flagged; with `gold`, under cost-augmented scores. False where the
  // flags leave no tree.
  [[nodiscard]] bool search(const Atoms& atoms, const Weights& weights, const std::vector<std::uint8_t>& flags, const Gold* gold,
              ParseResult& result) {
    const int n = atoms.words();
    const int nodes = n + 1;
    arcs_.emplace(n, [&](int h, int m) { return flags[at(h * nodes + m)] != 0; });
    score(atoms, weights, gold);
    result.heads.resize(at(n));
    result.labels.assign(at(n), -1);
    if (shape_->base.projective) return best_projective_tree(result);
    if (!best_projective_tree(result) && !best_spanning_tree(result)) return false;
    result.score = climb(result.heads, *arcs_, shape_->base.single_root, result.score,
                         [&](std::span<const int> heads) { return tree_score(heads); });
    return true;
  }

  void label(const Atoms& atoms, const Weights& weights, ParseResult& result) {
    if (shape_->base.label_mode == LabelMode::none) return;
    labeler_.assign(atoms, result.heads);
    labeler_.label(weights.labels, result.labels);
  }

  // Sum of the scores of a tree's parts, from the tables of the last search (costs included).
  double tree_score(std::span<const int> heads) {
    return headwise::tree_score(*arcs_, tables_.scores(labels_.data()), shape_->factorization, heads, links_);
  }

  // Calls f(index) for every feature of a tree of the sentence of the last search.
  template <class F>
  void for_each_feature(std::span<const int> heads, F f) {
    const std::uint32_t mask = shape_->base.arc_mask;
    for (std::size_t m = 1; m <= heads.size(); ++m)
      arc_features_.for_each(heads[m - 1], static_cast<int>(m), mask, f);
    links_.assign(heads);
    parts_.for_each_feature(shape_->factorization, links_, mask, f);
  }

  const Candidates& candidates() const { return *arcs_; }
  const std::vector<double>& arc_scores() const { return dense_; }
  const PartScorer::Tables& tables() const { return tables_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void score(const Atoms& atoms, const Weights& weights, const Gold* gold) {
    const int nodes = atoms.words() + 1;
    arc_features_.assign(atoms);
    dense_.resize(at(nodes) * at(nodes));
    arc_features_.score(weights.arcs, shape_->base.arc_mask, dense_.data(),
                        [&](int h, int m) { return arcs_->find(h, m) >= 0; });
    labels_.resize(at(arcs_->arcs()));
    for (int arc = 0; arc < arcs_->arcs(); ++arc) {
      const int h = arcs_->head(arc), m = arcs_->modifier(arc);
      labels_[at(arc)] = dense_[at(h * nodes + m)] + (gold && gold->heads[at(m - 1)] != h ? 1.0 : 0.0);
    }
    parts_.assign(atoms);
    parts_.score(*arcs_, shape_->factorization, weights.arcs, shape_->base.arc_mask, tables_);
  }

  bool best_projective_tree(ParseResult& result) {
    const bool single_root = shape_->base.single_root;
    switch (shape_->factorization) {
      case Factorization::carreras:
        return decode(Carreras(*arcs_, single_root), result);
      case Factorization::model0:
        return decode(Model0(*arcs_, single_root), result);
      case Factorization::model2:
        return decode(Model2(*arcs_, single_root), result);
      default:  // arcs and siblings are what is left of model 1 without its other tables
        return decode(Model1(*arcs_, single_root), result);
    }
  }

  // The best tree by its arcs alone, for candidates among which every tree has crossing arcs.
  bool best_spanning_tree(ParseResult& result) {
    const int nodes = arcs_->nodes();
    by_arcs_.assign(at(nodes) * at(nodes), kImpossible);
    for (int arc = 0; arc < arcs_->arcs(); ++arc)
      by_arcs_[at(arcs_->head(arc) * nodes + arcs_->modifier(arc))] = labels_[at(arc)];
    if (!decode_.arborescence.solve(by_arcs_.data(), nodes - 1, shape_->base.single_root, result.heads.data()))
      return false;
    result.score = tree_score(result.heads);
    return true;
  }

  template <class Trees>
  bool decode(const Trees& trees, ParseResult& result) {
    const PartScores scores = tables_.scores(labels_.data());
    result.score = inside(MaxPlus{}, trees, scores, decode_.chart, decode_.sums);
    if (!(result.score > kImpossible)) return false;
    best_tree(trees, scores, decode_.chart, decode_.stack, {result.heads.data()});
    return true;
  }

  const HigherOrderShape* shape_;
  Pruner pruner_;
  ArcFeatures arc_features_;
  PartScorer parts_;
  TreeLabeler labeler_;
  std::optional<Candidates> arcs_;
  SiblingLinks links_;
  PartScorer::Tables tables_;
  DecodeScratch decode_;
  std::vector<double> dense_, labels_, by_arcs_;
};

}  // namespace headwise
