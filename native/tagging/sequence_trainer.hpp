// Learning a sequence model: averaged perceptron, MIRA, or the log-linear model by stochastic gradient ascent.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "learning/averaged_weights.hpp"
#include "learning/sparse_difference.hpp"
#include "learning/update_rules.hpp"
#include "tagging/sequence_model.hpp"

namespace headwise::tagging {

struct SequenceExample {
  Atoms atoms;
  Candidates candidates;
  std::vector<int> gold;         // for each word, which of its candidates is right
  std::vector<float> forgetting;  // for each word, how often it is treated as one that was never seen
};

struct SequenceCounts {
  std::uint64_t words = 0, mistakes = 0;
  double loss = 0;  // what the learner makes small: score differences, or −log P(gold)
};

// The lecture's "log-linear": move by the gradient of log P(gold), φ(gold) − E[φ], times a rate that falls
// as rate / (1 + decay·t) with t the number of examples seen. The average of the weights is the regularizer.
struct SequenceLogLinear {
  double rate, decay;
};

class SequenceTrainer {
 public:
  using Learner = std::variant<Margins, SequenceLogLinear>;

  SequenceTrainer(SequenceShape shape, Learner learner)
      : shape_(std::move(shape)),
        learner_(learner),
        weights_(std::size_t{shape_.mask} + 1),
        difference_(weights_.size()),
        scorer_(shape_) {}
  SequenceTrainer(const SequenceTrainer&) = delete;  // scorer_ points into this object

  void add(SequenceExample example) { examples_.push_back(std::move(example)); }

  SequenceCounts train(std::span<const std::int64_t> order) {
    SequenceCounts counts;
    for (const std::int64_t i : order) {
      const SequenceExample& example = examples_.at(static_cast<std::size_t>(i));
      scorer_.assign(partly_forgotten(example), example.candidates);
      scorer_.for_each_stretch([&](int first, int count) {
        if (count == 1 && example.candidates.of(first).size() == 1) {
          ++counts.words;
          return;
        }
        ChainLattice& lattice = scorer_.score(first, count, weights_.current());
        gold_.assign(example.gold.begin() + first, example.gold.begin() + first + count);
        std::visit([&](auto learner) { learn(learner, lattice, counts); }, learner_);
      });
      weights_.next_step();
    }
    return counts;
  }

  // −log P(gold) of one example under the current weights, and its gradient: g(index, value) a feature and use.
  template <class G>
  double gradient(std::size_t number, G g) {
    const SequenceExample& example = examples_.at(number);
    scorer_.assign(example.atoms, example.candidates);
    double loss = 0;
    scorer_.for_each_stretch([&](int first, int count) {
      const ChainLattice& lattice = scorer_.score(first, count, weights_.current());
      gold_.assign(example.gold.begin() + first, example.gold.begin() + first + count);
      loss += ascend(lattice, [&](std::uint32_t f, double value) { g(f, -value); });
    });
    return loss;
  }

  AveragedWeights& weights() { return weights_; }
  const SequenceShape& shape() const { return shape_; }

 private:
  int gold(int i) const { return i < 0 ? 0 : gold_[at(i)]; }
  int best(int i) const { return i < 0 ? 0 : best_[at(i)]; }

  // Rare words teach what new words are like only where their form is not seen: each is forgotten at random,
  // by a hash of the step and the word, so that a run can be repeated.
  const Atoms& partly_forgotten(const SequenceExample& example) {
    atoms_ = example.atoms;
    for (int word = 1; word <= atoms_.words(); ++word) {
      const std::uint64_t dice = mix(combine(mix(weights_.steps() + 1), mix(static_cast<std::uint64_t>(word))));
      const double uniform = static_cast<double>(dice >> 11) * 0x1p-53;
      if (uniform < example.forgetting[at(word - 1)]) atoms_.forget(word);
    }
    return atoms_;
  }

  // Decode, under a cost of one for each wrong label where the rule wants a margin, and move by φ(gold) − φ(best).
  void learn(const Margins& rule, ChainLattice& lattice, SequenceCounts& counts) {
    const int n = lattice.words();
    double violation = 0;
    for (int i = 0; i < n; ++i) violation -= lattice.score(i, gold(i - 2), gold(i - 1), gold(i));
    if (rule.adds_cost)
      for (int i = 0; i < n; ++i)
        for (int v = 0; v < lattice.width(i - 2); ++v)
          for (int u = 0; u < lattice.width(i - 1); ++u)
            for (int t = 0; t < lattice.width(i); ++t) lattice.score(i, v, u, t) += t != gold(i);
    violation += viterbi_.solve(lattice, best_);
    counts.words += static_cast<std::uint64_t>(n);
    counts.loss += violation;
    const auto plus = [&](std::uint32_t f) { difference_.add(f, +1); };
    const auto minus = [&](std::uint32_t f) { difference_.add(f, -1); };
    for (int i = 0; i < n; ++i) {
      const bool t = gold(i) != best(i), u = gold(i - 1) != best(i - 1), v = gold(i - 2) != best(i - 2);
      counts.mistakes += t;
      if (t) scorer_.emission(i, gold(i), plus), scorer_.emission(i, best(i), minus);
      if (t || u) scorer_.bigram(i, gold(i - 1), gold(i), plus), scorer_.bigram(i, best(i - 1), best(i), minus);
      if (t || u || v) {
        scorer_.trigram(i, gold(i - 2), gold(i - 1), gold(i), plus);
        scorer_.trigram(i, best(i - 2), best(i - 1), best(i), minus);
      }
    }
    if (gold_ != best_) difference_.apply(weights_, rule.step(violation, difference_.squared_norm(weights_)));
  }

  void learn(SequenceLogLinear learner, ChainLattice& lattice, SequenceCounts& counts) {
    const double rate = learner.rate / (1.0 + learner.decay * static_cast<double>(weights_.steps()));
    counts.words += static_cast<std::uint64_t>(lattice.words());
    viterbi_.solve(lattice, best_);
    for (int i = 0; i < lattice.words(); ++i) counts.mistakes += gold(i) != best(i);
    counts.loss += ascend(lattice, [&](std::uint32_t f, double value) {
      weights_.add(f, static_cast<float>(rate * value));
    });
  }

  // Calls up(index, φ(gold) − E[φ]) piece by piece; returns −log P(gold).
  template <class Up>
  double ascend(const ChainLattice& lattice, Up up) {
    double loss = sums_.solve(lattice);
    for (int i = 0; i < lattice.words(); ++i) {
      loss -= lattice.score(i, gold(i - 2), gold(i - 1), gold(i));
      for (int t = 0; t < lattice.width(i); ++t) {
        double label_mass = 0;
        for (int u = 0; u < lattice.width(i - 1); ++u) {
          const double pair_mass = sums_.state(lattice, i, u, t);
          label_mass += pair_mass;
          const bool right_pair = t == gold(i) && u == gold(i - 1);
          move(right_pair - pair_mass, [&](auto f) { scorer_.bigram(i, u, t, f); }, up);
          for (int v = 0; v < lattice.width(i - 2); ++v) {
            const bool right = right_pair && v == gold(i - 2);
            move(right - sums_.edge(lattice, i, v, u, t), [&](auto f) { scorer_.trigram(i, v, u, t, f); }, up);
          }
        }
        move((t == gold(i)) - label_mass, [&](auto f) { scorer_.emission(i, t, f); }, up);
      }
    }
    return loss;
  }

  template <class Visit, class Up>
  static void move(double value, Visit visit, Up& up) {
    constexpr double negligible = 1e-7;  // less than the last digit of any weight
    if (std::abs(value) < negligible) return;
    visit([&](std::uint32_t f) { up(f, value); });
  }

  SequenceShape shape_;
  Learner learner_;
  AveragedWeights weights_;
  SparseDifference difference_;
  SequenceScorer scorer_;
  ChainViterbi viterbi_;
  ChainSums sums_;
  std::vector<SequenceExample> examples_;
  Atoms atoms_;
  std::vector<int> gold_, best_;
};

}  // namespace headwise::tagging
