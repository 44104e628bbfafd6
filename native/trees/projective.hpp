// Distributions over projective trees: every operation of distribution.hpp, for any factorization.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <limits>
#include <vector>

#include "trees/distribution.hpp"
#include "trees/expectations.hpp"
#include "trees/hypergraph.hpp"
#include "trees/k_best.hpp"
#include "trees/log_probability.hpp"
#include "trees/sample.hpp"
#include "trees/sum_of_weights.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {

// Charts and lists that operations reuse from problem to problem, one of each for every thread.
struct Workspace {
  MaxPlus::Chart best;
  MaxPlus::Scratch best_scratch;
  SumOfWeights::Chart weights, other_weights;
  SumOfWeights::Scratch scratch, other_scratch;
  CountModulo::Chart counts;
  CountModulo::Scratch counts_scratch;
  std::vector<double> usage;
  std::vector<int> stack;

  static Workspace& of_this_thread() {
    thread_local Workspace workspace;
    return workspace;
  }
};

// Whether there is a faster way to sum, for arcs without labels, that may give up (factorizations/eisner_sums.hpp).
template <class Factorization>
inline constexpr bool sums_in_doubles = requires { typename Factorization::SumsInDoubles; };

template <class Factorization>
class ProjectiveDistribution final : public Distribution {
 public:
  // scores.labels[arc * label_count + label] in the factorization's numbering of arcs. The tables must outlive
  // the distribution.
  ProjectiveDistribution(Factorization trees, PartScores scores) : trees_(std::move(trees)), scores_(scores) {}

  int words() const override { return trees_.words(); }
  const Factorization& factorization() const { return trees_; }

  ScoredTree argmax() const override {
    auto& work = Workspace::of_this_thread();
    const double score = search(work);
    ScoredTree tree = empty_tree();
    best_tree(trees_, scores_, work.best, work.stack, arrays(tree));
    tree.score = score;
    return tree;
  }

  std::vector<ScoredTree> top_k(int k) const override {
    auto& work = Workspace::of_this_thread();
    search(work);
    KBest<Factorization, PartScores> ranking(trees_, scores_, work.best);
    std::vector<ScoredTree> found;
    for (int rank = 0; rank < k; ++rank) {
      ScoredTree tree = empty_tree();
      if (!ranking.tree(rank, arrays(tree), tree.score)) break;
      found.push_back(std::move(tree));
    }
    return found;
  }

  double log_partition() const override {
    if constexpr (sums_in_doubles<Factorization>)
      if (auto& sums = doubles(); scores_.label_count == 1 && sums.inside(scores_.labels, words(), trees_.single_root()))
        return sums.log_total();
    return weigh(Workspace::of_this_thread()).log();
  }

  void marginals(const PartMarginals& tables) const override {
    if constexpr (sums_in_doubles<Factorization>)
      if (auto& sums = doubles(); scores_.label_count == 1 &&
                                  sums.inside(scores_.labels, words(), trees_.single_root()) &&
                                  sums.outside(tables.labels))
        return;
    auto& work = Workspace::of_this_thread();
    weigh(work);
    part_marginals(trees_, scores_, work.weights, work.scratch, work.usage, tables);
  }

  double entropy() const override {
    auto& work = Workspace::of_this_thread();
    weigh(work);
    return trees::entropy(trees_, scores_, work.weights, work.scratch, work.usage);
  }

  double log_probability(const ScoredTree& tree) const override {
    auto& work = Workspace::of_this_thread();
    weigh(work);
    std::vector<double> only_labels(trees_.arcs() * scores_.label_count, kImpossible);
    for (Index arc = 0; arc < trees_.arcs(); ++arc) {
      const auto [head, modifier, sense] = trees_.arc(arc);
      if (modifier < 1 || tree.heads[modifier - 1] != head) continue;
      if (!tree.senses.empty() && tree.senses[modifier - 1] != sense) continue;
      const Index index = arc * scores_.label_count + (tree.labels.empty() ? 0 : tree.labels[modifier - 1]);
      only_labels[index] = scores_.labels[index];
    }
    PartScores only = scores_;
    only.labels = only_labels.data();
    return trees::log_probability(trees_, only, scores_, work.weights, work.scratch);
  }

  double kl_divergence(const Distribution& other) const override {
    const auto& q = dynamic_cast<const ProjectiveDistribution&>(other);
    auto& work = Workspace::of_this_thread();
    weigh(work);
    inside(SumOfWeights{}, q.trees_, q.scores_, work.other_weights, work.other_scratch);
    return trees::kl_divergence(trees_, scores_, work.weights, q.scores_, work.other_weights, work.scratch,
                                   work.other_scratch, work.usage);
  }

  std::vector<ScoredTree> sample(int k, std::uint64_t seed, bool distinct) const override {
    auto& work = Workspace::of_this_thread();
    weigh(work);
    std::vector<ScoredTree> drawn;
    DistinctSampler<Factorization, PartScores> sampler(trees_, scores_, work.weights, work.scratch);
    for (int number = 0; number < k; ++number) {
      Random random(seed, number);
      ScoredTree tree = empty_tree();
      if (!distinct)
        sample_tree(trees_, scores_, work.weights, work.scratch, work.stack, random, arrays(tree));
      else if (!sampler.draw(random, arrays(tree)))
        break;
      drawn.push_back(std::move(tree));
    }
    return drawn;
  }

  std::uint64_t count_modulo(std::uint64_t prime) const override {
    auto& work = Workspace::of_this_thread();
    return inside(CountModulo{prime}, trees_, scores_, work.counts, work.counts_scratch);
  }

 private:
  static auto& doubles()
    requires sums_in_doubles<Factorization>
  {
    thread_local typename Factorization::SumsInDoubles sums;
    return sums;
  }

  double search(Workspace& work) const {
    const double score = inside(MaxPlus{}, trees_, scores_, work.best, work.best_scratch);
    if (!(score > kImpossible)) throw NoTree();
    return score;
  }
  Scaled weigh(Workspace& work) const {
    const Scaled total = inside(SumOfWeights{}, trees_, scores_, work.weights, work.scratch);
    if (total.is_zero()) throw NoTree();
    return total;
  }

  ScoredTree empty_tree() const {
    ScoredTree tree;
    tree.heads.resize(words());
    if (scores_.label_count > 1) tree.labels.resize(words());
    if constexpr (requires { trees_.has_senses(); })
      if (trees_.has_senses()) tree.senses.resize(words());
    return tree;
  }
  static TreeArrays arrays(ScoredTree& tree) {
    return {tree.heads.data(), tree.labels.empty() ? nullptr : tree.labels.data(),
            tree.senses.empty() ? nullptr : tree.senses.data()};
  }

  Factorization trees_;
  PartScores scores_;
};

}  // namespace headwise::trees
