// Distributions over spanning trees: all dependency trees, projective or not, scored arc by arc.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "trees/spanning/arborescence.hpp"
#include "trees/distribution.hpp"
#include "trees/spanning/modular_determinant.hpp"
#include "base/random.hpp"
#include "trees/spanning/sample_spanning_tree.hpp"
#include "trees/spanning/spanning_marginals.hpp"
#include "trees/spanning/spanning_partition.hpp"
#include "trees/spanning/spanning_weights.hpp"

namespace headwise::trees {

class SpanningDistribution final : public Distribution {
 public:
  // labels[(h * (n + 1) + m) * label_count + label]; −inf on the diagonal and into node 0.
  SpanningDistribution(int words, int label_count, bool single_root, std::vector<double> labels)
      : nodes_(words + 1), labels_(label_count), single_root_(single_root), scores_(std::move(labels)) {}

  int words() const override { return nodes_ - 1; }

  ScoredTree argmax() const override {
    ScoredTree tree;
    if (!best_of(scores_, tree)) throw NoTree();
    return without_trivial_labels({std::move(tree)})[0];
  }

  // O(k n³): up to n pieces for each tree, each solved in O(n²).
  std::vector<ScoredTree> top_k(int k) const override {
    struct Candidate {
      ScoredTree tree;
      Piece piece;
      int age;
      bool operator<(const Candidate& other) const {
        return tree.score != other.tree.score ? tree.score < other.tree.score : age > other.age;
      }
    };
    std::priority_queue<Candidate> pieces;
    int age = 0;
    const auto consider = [&](const Piece& piece) {
      if (ScoredTree tree; best_of(piece.scores, tree)) pieces.push({std::move(tree), piece, age++});
    };
    consider({scores_});
    if (pieces.empty()) throw NoTree();
    std::vector<ScoredTree> found;
    while (!pieces.empty() && static_cast<int>(found.size()) < k) {
      const Candidate best = pieces.top();
      pieces.pop();
      found.push_back(best.tree);
      if (static_cast<int>(found.size()) < k) best.piece.without(best.tree, nodes_, labels_, consider);
    }
    // Rounding may make a piece look better than the one it came from by a last digit.
    std::stable_sort(found.begin(), found.end(),
                     [](const ScoredTree& a, const ScoredTree& b) { return a.score > b.score; });
    return without_trivial_labels(std::move(found));
  }

  double log_partition() const override {
    const SpanningWeights weights = weights_of(scores_);
    return total_weight(weights).log() + weights.total_shift();
  }

  void marginals(const PartMarginals& tables) const override {
    const SpanningWeights weights = weights_of(scores_);
    const std::vector<double>& arcs = arc_marginals(weights);
    if (labels_ > 1) {
      each_label(arcs, [&](Index index, int, int, int, double p) { tables.labels[index] += p; });
      return;
    }
    transpose(arcs.data(), simd::padded(nodes_), nodes_, tables.labels, nodes_);
  }

  // log Z − E[score], the scores relative to the best of each word so that little cancels.
  double entropy() const override {
    const SpanningWeights weights = weights_of(scores_);
    double result = total_weight(weights).log();
    each_label(arc_marginals(weights), [&](Index, int h, int m, int label, double p) {
      result -= p * weights.shifted(h, m, label);
    });
    return std::max(result, 0.0);  // the last digit may be lost
  }

  double log_probability(const ScoredTree& tree) const override {
    const SpanningWeights weights = weights_of(scores_);
    double result = -total_weight(weights).log();
    if (single_root_ && std::count(tree.heads.begin(), tree.heads.end(), 0) != 1) return kImpossible;
    for (int m = 1; m < nodes_; ++m)
      result += weights.shifted(tree.heads[m - 1], m, tree.labels.empty() ? 0 : tree.labels[m - 1]);
    return std::min(result, 0.0);  // the last digit may be lost
  }

  double kl_divergence(const Distribution& other) const override {
    const auto& q = dynamic_cast<const SpanningDistribution&>(other);
    const SpanningWeights weights = weights_of(scores_), q_weights = q.weights_of(q.scores_);
    double result = q.total_weight(q_weights).log() - total_weight(weights).log();
    each_label(arc_marginals(weights), [&](Index, int h, int m, int label, double p) {
      if (p > 0.0) result += p * (weights.shifted(h, m, label) - q_weights.shifted(h, m, label));
    });
    return std::max(result, 0.0);  // the last digit may be lost
  }

  std::vector<ScoredTree> sample(int k, std::uint64_t seed, bool distinct) const override {
    return without_trivial_labels(distinct ? sample_distinct(k, seed) : sample_from(scores_, k, seed, 0));
  }

  std::uint64_t count_modulo(std::uint64_t prime) const override {
    return spanning_tree_count([this](int h, int m) { return label_choices(h, m); }, nodes_, single_root_, prime);
  }

 private:
  std::vector<ScoredTree> without_trivial_labels(std::vector<ScoredTree> trees) const {
    if (labels_ == 1)
      for (auto& tree : trees) tree.labels.clear();
    return trees;
  }

  SpanningWeights weights_of(const std::vector<double>& scores) const {
    return SpanningWeights(scores.data(), nodes_, labels_);
  }
  const double* label_scores(const std::vector<double>& scores, int h, int m) const {
    return scores.data() + (static_cast<Index>(h) * nodes_ + m) * labels_;
  }
  std::uint64_t label_choices(int h, int m) const {
    const double* scores = label_scores(scores_, h, m);
    return static_cast<std::uint64_t>(
        std::count_if(scores, scores + labels_, [](double score) { return score > kImpossible; }));
  }

  Scaled sum_of_trees(const SpanningWeights& weights) const {
    return weights.with([&]<class Number>(WeightMatrix<Number>&& w) {
      return Elimination<Number>(std::move(w), single_root_).total();
    });
  }
  Scaled total_weight(const SpanningWeights& weights) const {
    const Scaled total = sum_of_trees(weights);
    if (total.is_zero()) throw NoTree();
    return total;
  }

  // The probability of h → m at [m * padded(n + 1) + h]: memory of this thread, until the next call.
  const std::vector<double>& arc_marginals(const SpanningWeights& weights) const {
    thread_local std::vector<double> arcs;
    arcs.resize(static_cast<std::size_t>(nodes_) * simd::padded(nodes_));
    std::fill_n(arcs.begin(), nodes_, 0.0);  // nothing enters the root
    const bool has_tree = weights.with([&]<class Number>(WeightMatrix<Number>&& w) {
      thread_local SpanningMarginals<Number> marginals;
      return marginals.run(std::move(w), single_root_, arcs.data());
    });
    if (!has_tree) throw NoTree();
    return arcs;
  }

  // visit(index, h, m, label, probability) for the labelled arcs of positive probability.
  template <class Visit>
  void each_label(const std::vector<double>& arcs, Visit visit) const {
    std::vector<double> shares(simd::padded(labels_)), exponents(shares.size());
    for (int m = 1; m < nodes_; ++m)
      for (int h = 0; h < nodes_; ++h) {
        const double probability = arcs[m * simd::padded(nodes_) + h];
        if (probability == 0.0) continue;
        const Index arc = static_cast<Index>(h) * nodes_ + m;
        if (labels_ == 1) {
          visit(arc, h, m, 0, probability);
          continue;
        }
        const double sum = label_shares(label_scores(scores_, h, m), shares, exponents);
        for (int label = 0; label < labels_; ++label)
          if (shares[label] > 0.0)
            visit(arc * labels_ + label, h, m, label, probability * (shares[label] / sum));
      }
  }
  // Relative weights of the labels of an arc; returns their sum.
  double label_shares(const double* scores, std::vector<double>& shares, std::vector<double>& exponents) const {
    simd::split_exps(scores, labels_, shares.data(), exponents.data());
    return simd::relate_scaled(shares.data(), exponents.data(), labels_).significand;
  }

  bool best_of(const std::vector<double>& scores, ScoredTree& tree) const {
    thread_local Arborescence arborescence;
    thread_local std::vector<double> best;
    const double* arcs = scores.data();
    if (labels_ > 1) {
      best.resize(static_cast<std::size_t>(nodes_) * nodes_);
      for (std::size_t arc = 0; arc < best.size(); ++arc)
        best[arc] = *std::max_element(scores.data() + arc * labels_, scores.data() + (arc + 1) * labels_);
      arcs = best.data();
    }
    tree.heads.resize(words());
    tree.labels.assign(words(), 0);
    if (!arborescence.solve(arcs, words(), single_root_, tree.heads.data())) return false;
    tree.score = 0.0;
    for (int m = 1; m < nodes_; ++m) {
      const double* choices = label_scores(scores, tree.heads[m - 1], m);
      tree.labels[m - 1] = static_cast<int>(std::max_element(choices, choices + labels_) - choices);
      tree.score += choices[tree.labels[m - 1]];
    }
    return true;
  }

  // k trees; tree number j draws from stream first_stream + j.
  std::vector<ScoredTree> sample_from(const std::vector<double>& scores, int k, std::uint64_t seed,
                                      std::uint64_t first_stream) const {
    const SpanningWeights weights = weights_of(scores);
    total_weight(weights);
    return weights.with([&](const auto& w) {
      SpanningTreeSampler sampler(w, single_root_);
      std::vector<ScoredTree> drawn(k);
      for (int number = 0; number < k; ++number) {
        Random random(seed, first_stream + number);
        drawn[number].heads.resize(words());
        sampler.draw(random, drawn[number].heads.data());
        draw_labels(scores, random, drawn[number]);
      }
      return drawn;
    });
  }
  void draw_labels(const std::vector<double>& scores, Random& random, ScoredTree& tree) const {
    std::vector<double> shares(simd::padded(labels_)), exponents(shares.size());
    tree.labels.assign(words(), 0);
    for (int m = 1; labels_ > 1 && m < nodes_; ++m) {
      const double sum = label_shares(label_scores(scores, tree.heads[m - 1], m), shares, exponents);
      tree.labels[m - 1] = pick_by_weight(shares.data(), labels_, sum, random.uniform());
    }
  }

  // Draws a piece in proportion to the weight of its trees, a tree from it, and cuts the piece. O(n⁴) a tree.
  std::vector<ScoredTree> sample_distinct(int k, std::uint64_t seed) const {
    std::vector<Piece> pieces;
    std::vector<double> significands, exponents;
    const auto consider = [&](const Piece& piece) {
      const SpanningWeights weights = weights_of(piece.scores);
      const Scaled total = sum_of_trees(weights);
      if (total.is_zero()) return;
      const Scaled weight = (total * Scaled::exp(weights.total_shift())).normalized();
      pieces.push_back(piece);
      significands.push_back(weight.significand);
      exponents.push_back(weight.exponent);
    };
    consider({scores_});
    if (pieces.empty()) throw NoTree();
    std::vector<ScoredTree> drawn;
    for (int number = 0; number < k && !pieces.empty(); ++number) {
      const int count = static_cast<int>(pieces.size());
      std::vector<double> shares(simd::padded(count)), powers(shares.size());
      std::copy(significands.begin(), significands.end(), shares.begin());
      std::copy(exponents.begin(), exponents.end(), powers.begin());
      const double sum = simd::relate_scaled(shares.data(), powers.data(), count).significand;
      Random random(seed ^ Random::mix(1), number);
      const int chosen = pick_by_weight(shares.data(), count, sum, random.uniform());
      const Piece piece = std::move(pieces[chosen]);
      for (auto* list : {&significands, &exponents}) {
        (*list)[chosen] = list->back();
        list->pop_back();
      }
      pieces[chosen] = std::move(pieces.back());
      pieces.pop_back();
      drawn.push_back(sample_from(piece.scores, 1, seed, number)[0]);
      piece.without(drawn.back(), nodes_, labels_, consider);
    }
    return drawn;
  }

  int nodes_, labels_;
  bool single_root_;
  std::vector<double> scores_;
};

}  // namespace headwise::trees
