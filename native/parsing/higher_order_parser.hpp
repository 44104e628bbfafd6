// The higher-order parser: prune → score the surviving parts → the best tree under the factorization →
// labels. The dynamic programs are those of the tree library.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trees/distribution.hpp"
#include "trees/dual/relaxed_tree.hpp"
#include "trees/dual/tree_search.hpp"
#include "scoring/whole_tree/whole_tree_score.hpp"
#include "scoring/part_scorer.hpp"
#include "parsing/pruner.hpp"
#include "trees/search.hpp"
#include "trees/tree_score.hpp"
#include "scoring/labeler.hpp"
#include "trees/local_search/anneal.hpp"
#include "trees/local_search/chain.hpp"
#include "trees/local_search/climb.hpp"
#include "scoring/network/opinion.hpp"
#include "parsing/parser_shape.hpp"
#include "scoring/roles.hpp"

namespace headwise::parsing {

struct HigherOrderShape {
  ParserShape base;  // arcs, labels, roots
  Factorization factorization;
  HigherOrderTemplates templates;
  PrunerShape pruner;
  GlobalShape global{};  // features of whole trees; none by default
  std::uint32_t global_mask = 0;  // the size of their table less one
  int global_restarts = 0;
  RoleShape roles{};  // none by default
  OpinionShape opinion{};  // of a network; none by default

  std::size_t global_table_size() const { return global.any() ? std::size_t{global_mask} + 1 : 0; }
};

class HigherOrderParser {
 public:
  // `iterations` limits dual decomposition, which searches trees whose arcs may cross; `seed` is for searches that
  // start from random trees.
  explicit HigherOrderParser(const HigherOrderShape& shape, int iterations = default_iterations,
                             std::uint64_t seed = default_seed)
      : shape_(&shape),
        iterations_(iterations),
        seed_(seed),
        pruner_(shape.pruner),
        arc_features_(shape.base.arc_templates),
        parts_(shape.templates),
        whole_(shape.global),
        roles_(shape.roles),
        opinion_(shape.opinion),
        labeler_(shape.base.label_templates, shape.base.labels, shape.base.filter, shape.base.label_mask) {}

  void parse(const Atoms& atoms, const Weights& weights, const float* pruner_weights, Decoder decoder,
             ParseResult& result) {
    const auto parse_among = [&](const std::vector<std::uint8_t>& flags) {
      score(atoms, weights, flags, nullptr);
      switch (decoder) {
        case Decoder::minimum_risk:
          return minimum_risk_tree(result);
        case Decoder::dual:
          return best_tree_by_agreement(result) && (!has_global_features() || climb_from(result));
        case Decoder::climb:
          return best_tree_from_tree_to_tree(result, [&](MovableTree& tree, const PartScores& scores) {
            best_tree_by_climbing(tree, scores, shape_->base.single_root, {.seed = seed_}, result.heads);
          });
        case Decoder::sample:
          return best_tree_from_tree_to_tree(result, [&](MovableTree& tree, const PartScores& scores) {
            best_tree_by_annealing(tree, scores, shape_->base.single_root, {.seed = seed_}, result.heads);
          });
        default:
          return best_tree(result);
      }
    };
    if (!parse_among(pruner_.prune(atoms, pruner_weights)) && !parse_among(pruner_.keep_best_tree())) throw NoTree();
    result.limited = pruner_.is_limited(atoms);
    label_as_read(atoms, weights, result);
  }

  // The best tree among the arcs that are flagged; with `gold`, under cost-augmented scores. False where the
  // flags leave no tree.
  [[nodiscard]] bool search(const Atoms& atoms, const Weights& weights, const std::vector<std::uint8_t>& flags,
                            const Gold* gold, ParseResult& result) {
    score(atoms, weights, flags, gold);
    return best_tree(result);
  }

  // Scores the parts made of arcs that are flagged; with `gold`, with costs.
  void score(const Atoms& atoms, const Weights& weights, const std::vector<std::uint8_t>& flags, const Gold* gold) {
    const int nodes = atoms.words() + 1;
    arcs_.emplace(atoms.words(), [&](int h, int m) { return flags[at(h * nodes + m)] != 0; });
    score_parts(atoms, weights, gold);
  }

  // The best tree of the sentence that was scored. False where there is none; so below. With features of whole trees,
  // the best tree of the parts is where a climb begins.
  [[nodiscard]] bool best_tree(ParseResult& result) {
    return best_tree_of_parts(result) && (!has_global_features() || climb_from(result));
  }
  [[nodiscard]] bool best_tree_of_parts(ParseResult& result) {
    if (!shape_->base.projective) return best_tree_by_agreement(result);
    make_room(result);
    result.score = best_projective_tree(shape_->factorization, *arcs_, shape_->base.single_root, tables_.scores(),
                                        result.heads.data(), decode_);
    result.exact = true;
    result.bound = result.score;
    return result.score > kImpossible;
  }

  // log Z over the projective trees of the sentence that was scored; −inf where there is none. The probabilities
  // of all parts are then in probabilities().
  double sum_trees() { return sum_trees(tables_.scores()); }

  // The same over the trees that give each word its head, where one is given (not -1).
  double sum_trees_with(std::span<const int> heads) {
    constrained_arcs_ = tables_.arcs;
    for (int arc = 0; arc < arcs_->arcs(); ++arc)
      if (const int given = heads[at(arcs_->modifier(arc) - 1)]; given >= 0 && given != arcs_->head(arc))
        constrained_arcs_[at(arc)] = kImpossible;
    PartScores scores = tables_.scores();
    scores.labels = constrained_arcs_.data();
    return sum_trees(scores);
  }

  // Over the same candidates with other numbers for the parts: log Z and probabilities, and the best score.
  double sum_trees_of(const CandidateTables& scores, CandidateTables& probabilities) {
    probabilities.clear_like(scores);
    return sum_projective_trees(shape_->factorization, *arcs_, shape_->base.single_root, scores.scores(),
                                probabilities.marginals(), sums_);
  }
  double best_score_of(const CandidateTables& scores) {
    heads_.resize(at(arcs_->words()));
    return best_projective_tree(shape_->factorization, *arcs_, shape_->base.single_root, scores.scores(), heads_.data(),
                                decode_);
  }

  // Labels a tree, whatever found it.
  void label(const Atoms& atoms, const Weights& weights, ParseResult& result) {
    if (asks_network_for_labels(weights)) opinion_.read_for_labels(atoms, weights.network);
    label_as_read(atoms, weights, result);
  }
  // What a network makes of the labels of a tree of the sentence that was scored; nullptr without one.
  const Matrix* label_opinion(const Weights& weights, std::span<const int> heads) {
    return asks_network_for_labels(weights) ? &opinion_.labels(heads) : nullptr;
  }

  // Sum of the scores of a tree's parts, from the tables of the last search (costs included).
  double tree_score(std::span<const int> heads) {
    return trees::tree_score(*arcs_, tables_.scores(), shape_->factorization, heads, links_);
  }

  // The same with the features of the whole tree.
  double whole_score(std::span<const int> heads) {
    const double of_parts = tree_score(heads);
    return has_global_features() ? of_parts + whole_.assign(links_) : of_parts;
  }
  bool has_global_features() const { return shape_->global.any(); }

  // Of the sentence that was scored: a tree drawn by the scores of its arcs; and one step of a chain of samples, with
  // the tree that was proposed, whether or not it became the next.
  void draw_first_order_tree(Random& random, std::vector<int>& heads) {
    FirstOrderTrees trees(*arcs_, shape_->base.single_root, [&](int arc) { return tables_.arcs[at(arc)]; });
    if (!trees.best(heads)) throw NoTree();
    trees.draw(random, heads);
  }
  void step_of_chain(Random& random, std::vector<int>& heads, std::vector<int>& proposed) {
    const PartScores scores = tables_.scores();
    MovableTree tree(*arcs_, scores, shape_->factorization, whole());
    tree.assign(heads);
    TreeChain(tree, scores, shape_->base.single_root, {}).step(1.0, random, [&] { tree.copy_heads(proposed); });
    tree.copy_heads(heads);
  }

  // Adds an amount to the entry of every part of a tree, in tables over the candidates of the last search.
  void add_tree(std::span<const int> heads, double amount, CandidateTables& tables) {
    add_to_tree(*arcs_, tables.marginals(), shape_->factorization, heads, amount, links_);
  }

  // Calls f(index) for every feature of a tree of the sentence of the last search. The weights of features of whole
  // trees are taken to follow those of parts in one table.
  template <class F>
  void for_each_feature(std::span<const int> heads, F f) {
    const std::uint32_t mask = shape_->base.arc_mask;
    for (std::size_t m = 1; m <= heads.size(); ++m)
      arc_features_.for_each(heads[m - 1], static_cast<int>(m), mask, f);
    links_.assign(heads);
    parts_.for_each_feature([&](auto visitor) { for_each_part(shape_->factorization, links_, visitor); }, mask, f);
    if (!has_global_features()) return;
    const auto offset = static_cast<std::uint32_t>(shape_->base.arc_table_size());
    whole_.for_each_feature(links_, [&](std::uint32_t index) { f(offset + index); });
  }
  // The same for features of whole trees alone, in a table of their own.
  template <class F>
  void for_each_global_feature(std::span<const int> heads, F f) {
    links_.assign(heads);
    whole_.for_each_feature(links_, f);
  }

  const Pruner& pruner() const { return pruner_; }
  // Of what head automata choose one by one, whether that is a tree or not (Koo et al. 2010, section 6): its
  // score, and the features of its parts. The sentence is the one that was scored last.
  double search_relaxed(RelaxedTree& chosen) {
    return chosen.choose({*arcs_, tables_.scores(), shape_->factorization, shape_->base.projective,
                          shape_->base.single_root});
  }
  template <class F>
  void for_each_feature(const RelaxedTree& chosen, F f) {
    const std::uint32_t mask = shape_->base.arc_mask;
    for (const auto& [h, m] : chosen.arcs()) arc_features_.for_each(h, m, mask, f);
    parts_.for_each_feature([&](auto visitor) { chosen.for_each_part(shape_->factorization, visitor); }, mask, f);
  }

  // Calls f(index, amount) for the features of every part over candidates whose amount is more than negligible.
  template <class F>
  void for_each_feature(const CandidateTables& amounts, double negligible, F f) {
    const std::uint32_t mask = shape_->base.arc_mask;
    for (int arc = 0; arc < arcs_->arcs(); ++arc)
      if (const double amount = amounts.arcs[at(arc)]; std::abs(amount) > negligible)
        arc_features_.for_each(arcs_->head(arc), arcs_->modifier(arc), mask,
                               [&](std::uint32_t index) { f(index, amount); });
    parts_.for_each_feature(*arcs_, amounts, negligible, mask, f);
  }

  const Candidates& candidates() const { return *arcs_; }
  const std::vector<double>& arc_scores() const { return dense_; }
  const CandidateTables& tables() const { return tables_; }
  const CandidateTables& probabilities() const { return probabilities_; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  bool asks_network(const Weights& weights) const { return shape_->opinion.any() && weights.network.weights; }
  bool asks_network_for_labels(const Weights& weights) const {
    return asks_network(weights) && shape_->opinion.network.label_count > 0;
  }

  void label_as_read(const Atoms& atoms, const Weights& weights, ParseResult& result) {
    if (shape_->base.label_mode == LabelMode::none) return;
    labeler_.assign(atoms, result.heads, label_opinion(weights, result.heads));
    labeler_.label(weights.labels, result.labels);
  }

  void score_parts(const Atoms& given, const Weights& weights, const Gold* gold) {
    const Atoms& atoms = weights.roles ? roles_.read(given, weights.roles) : given;
    const int nodes = atoms.words() + 1;
    arc_features_.assign(atoms);
    dense_.resize(at(nodes) * at(nodes));
    arc_features_.score(weights.arcs, shape_->base.arc_mask, dense_.data(),
                        [&](int h, int m) { return arcs_->find(h, m) >= 0; });
    if (asks_network(weights)) {
      opinion_.read(given, weights.network);
      opinion_.add_arcs(dense_);
    }
    tables_.arcs.resize(at(arcs_->arcs()));
    for (int arc = 0; arc < arcs_->arcs(); ++arc) {
      const int h = arcs_->head(arc), m = arcs_->modifier(arc);
      tables_.arcs[at(arc)] = dense_[at(h * nodes + m)] + (gold && gold->heads[at(m - 1)] != h ? gold->cost : 0.0);
    }
    if (has_global_features()) whole_.read(atoms, weights.global, shape_->global_mask);
    parts_.assign(atoms);
    parts_.score(*arcs_, shape_->factorization, weights.arcs, shape_->base.arc_mask, tables_);
  }

  double sum_trees(const PartScores& scores) {
    probabilities_.clear_like(tables_);
    return sum_projective_trees(shape_->factorization, *arcs_, shape_->base.single_root, scores,
                                probabilities_.marginals(), sums_);
  }

  // Dual decomposition; where it runs out of iterations, single moves from the best tree that came up.
  bool best_tree_by_agreement(ParseResult& result) {
    make_room(result);
    const SearchProblem trees{*arcs_, tables_.scores(), shape_->factorization, shape_->base.projective,
                            shape_->base.single_root};
    const auto score = [&](std::span<const int> heads) { return tree_score(heads); };
    const dual::Outcome outcome = trees::best_tree_by_agreement(trees, agreement_limits(arcs_->words(), iterations_),
                                                                   dual::nothing_known, result.heads, score);
    if (outcome.score == dual::nothing_known) return false;
    result.score = outcome.score;
    result.exact = outcome.exact();
    if (!result.exact && !shape_->base.projective) {
      MovableTree tree(*arcs_, trees.scores, shape_->factorization);  // the parts alone
      tree.assign(result.heads);
      Climber climber(tree, shape_->base.single_root);
      climber.climb();
      climber.escape();
      tree.copy_heads(result.heads);
      result.score = tree_score(result.heads);
    }
    result.bound = std::max(outcome.bound, result.score);
    return true;
  }

  WholeTreeScore* whole() { return has_global_features() ? &whole_ : nullptr; }

  // From the best tree of the parts, and from trees drawn by their arcs alone where arcs may cross, single moves to
  // where the score with all features is highest. No bound is known for it.
  bool climb_from(ParseResult& result) {
    const PartScores scores = tables_.scores();
    const bool single_root = shape_->base.single_root;
    MovableTree tree(*arcs_, scores, shape_->factorization, whole());
    Climber climber(tree, single_root, shape_->base.projective);
    tree.assign(result.heads);
    climber.climb();
    climber.escape();
    tree.copy_heads(result.heads);
    double best = tree.score();
    if (!shape_->base.projective && shape_->global_restarts > 0) {
      FirstOrderTrees first_order(*arcs_, single_root, [&](int arc) { return scores.labels[arc]; });
      for (int restart = 0; restart < shape_->global_restarts; ++restart) {
        Random random(seed_, static_cast<std::uint64_t>(restart));
        first_order.draw(random, heads_);
        tree.assign(heads_);
        climber.climb();
        climber.escape();
        if (tree.score() > best + smallest_gain) {
          best = tree.score();
          tree.copy_heads(result.heads);
        }
      }
    }
    result.score = whole_score(result.heads);
    result.exact = false;
    result.bound = -kImpossible;
    return true;
  }

  // search(tree, scores) leaves result.heads empty where there is no tree. Nothing is known of how good its tree is.
  template <class Search>
  bool best_tree_from_tree_to_tree(ParseResult& result, Search search) {
    const PartScores scores = tables_.scores();
    MovableTree tree(*arcs_, scores, shape_->factorization, whole());
    search(tree, scores);
    if (result.heads.empty()) return false;
    make_room(result);
    result.score = whole_score(result.heads);
    result.exact = false;
    result.bound = -kImpossible;
    return true;
  }

  bool minimum_risk_tree(ParseResult& result) {
    if (!(sum_trees() > kImpossible)) return false;
    make_room(result);
    const int nodes = arcs_->nodes();
    dense_probabilities_.assign(at(nodes) * at(nodes), kImpossible);
    for (int arc = 0; arc < arcs_->arcs(); ++arc)
      dense_probabilities_[at(arcs_->head(arc) * nodes + arcs_->modifier(arc))] = probabilities_.arcs[at(arc)];
    decode_projective(dense_probabilities_.data(), nodes - 1, shape_->base.single_root, result.heads.data(), decode_);
    result.score = result.bound = tree_score(result.heads);
    result.exact = true;
    return true;
  }

  void make_room(ParseResult& result) const {
    result.heads.resize(at(arcs_->words()));
    result.labels.assign(at(arcs_->words()), -1);
  }

  const HigherOrderShape* shape_;
  int iterations_;
  std::uint64_t seed_;
  Pruner pruner_;
  ArcFeatures arc_features_;
  PartScorer parts_;
  WholeTreeScore whole_;
  RoleReader roles_;
  NetworkOpinion opinion_;
  TreeLabeler labeler_;
  std::optional<Candidates> arcs_;
  LinkedTree links_;
  CandidateTables tables_, probabilities_;
  DecodeScratch decode_;
  SumScratch sums_;
  std::vector<int> heads_;
  std::vector<double> dense_, constrained_arcs_, dense_probabilities_;
};

}  // namespace headwise::parsing
