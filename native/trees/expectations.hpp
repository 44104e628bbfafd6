// Probabilities of everything, top down.
//
// usage(item) is the probability that the item is in the derivation of a random tree: 1 for the goal, and
// for every other item the sum over the edges it takes part in. An edge has probability usage(item) times
// its share of the item's inside weight. All numbers are probabilities in [0, 1], added and multiplied:
// nothing overflows and nothing cancels. The shares of an item are normalized among themselves, so that
// the probabilities of a word's heads sum to one as exactly as a division rounds.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <vector>

#include "trees/hypergraph.hpp"
#include "trees/sum_of_weights.hpp"

namespace headwise::trees {

// Gathers the weights of an item's edges into scratch.significand and scratch.exponent.
template <class Factorization, class Scores>
void gather_edges(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
                  const typename Factorization::Item& item, SumOfWeights::Scratch& scratch) {
  scratch.count = 0;
  all_edges(trees, scores, item, [&](const Strip& strip, const auto& parts) {
    SumOfWeights::gather(chart, strip, part_score(scores, parts), scratch);
  });
}

// The same relative to their greatest power of two, in scratch.significand; returns their sum.
template <class Factorization, class Scores>
double relate_edges(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
                    const typename Factorization::Item& item, SumOfWeights::Scratch& scratch) {
  gather_edges(trees, scores, chart, item, scratch);
  return simd::relate_scaled(scratch.significand.data(), scratch.exponent.data(), scratch.count).significand;
}

// Whether an item is built by one contiguous strip without parts, and that strip.
template <class Factorization, class Scores>
bool is_plain(const Factorization& trees, const Scores& scores, const typename Factorization::Item& item,
              Strip& plain) {
  int strips = 0;
  bool has_parts = false;
  all_edges(trees, scores, item, [&](const Strip& strip, const auto& parts) {
    plain = strip;
    ++strips;
    has_parts |= !std::is_same_v<std::decay_t<decltype(parts)>, NoParts>;
  });
  return strips == 1 && !has_parts &&
         (plain.count == 1 || (plain.left_step == 1 && plain.right_step == 1));
}

// Whether the inside weight of an item is the sum of its edges and nothing else.
template <class Factorization>
bool is_sum_of_edges(const Factorization& trees, const typename Factorization::Item& item) {
  bool has_constants = false;
  trees.constants(item, [&](const auto&) { has_constants = true; });
  return trees.attached(item) < 0 && !has_constants;
}

// Shares the probability of an item among its edges: adds it to the usage of what they join and gives
// add(part, share) for their parts.
template <class Factorization, class Scores, class Add>
void share_out(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
               const typename Factorization::Item& item, double probability, SumOfWeights::Scratch& scratch,
               std::vector<double>& usage, Add add) {
  if (Strip strip; is_plain(trees, scores, item, strip)) {
    if (strip.count == 1) {
      usage[strip.left] += probability;
      usage[strip.right] += probability;
    } else {
      const double *left = chart.significands() + strip.left, *left_exponent = chart.exponents() + strip.left;
      const double *right = chart.significands() + strip.right, *right_exponent = chart.exponents() + strip.right;
      const Scaled total = is_sum_of_edges(trees, item)
                               ? chart[trees.number(item)]
                               : simd::sum_products(left, left_exponent, right, right_exponent, strip.count);
      simd::share_products(left, left_exponent, right, right_exponent, strip.count, probability, total,
                           usage.data() + strip.left, usage.data() + strip.right);
    }
    return;
  }
  const double per_weight = probability / relate_edges(trees, scores, chart, item, scratch);
  const double* weight = scratch.significand.data();
  all_edges(trees, scores, item, [&](const Strip& strip, const auto& parts) {
    double* left = usage.data() + strip.left;
    double* right = usage.data() + strip.right;
    for (int k = 0; k < strip.count; ++k) {
      const double share = weight[k] * per_weight;
      left[k * strip.left_step] += share;
      right[k * strip.right_step] += share;
      if constexpr (!std::is_same_v<std::decay_t<decltype(parts)>, NoParts>) add(parts(k), share);
    }
    weight += strip.count;
  });
}

// The reverse sweep over all items of positive usage: local(item, usage), then the item's probability goes
// to its edges, add(part, probability) for every part.
template <class Factorization, class Scores, class Local, class Add>
void sweep_down(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
                SumOfWeights::Scratch& scratch, std::vector<double>& usage, Local local, Add add) {
  usage.assign(trees.size() + simd::kLanes, 0.0);
  usage[trees.number(trees.goal())] = 1.0;
  trees.top_down([&](const auto& item) {
    double probability = usage[trees.number(item)];
    if (const int mirror = trees.mirror(item); mirror >= 0) probability += usage[mirror];
    if (probability == 0.0) return;
    local(item, probability);
    if (const int leaf = trees.attached(item); leaf >= 0) usage[leaf] += probability;
    trees.constants(item, [&](const auto& part) { add(part, probability); });
    share_out(trees, scores, chart, item, probability, scratch, usage, add);
  });
  for (Index arc = 0; arc < trees.arcs(); ++arc) {
    const double probability = usage[trees.leaf(arc)];
    if (probability == 0.0) continue;
    const auto item = trees.item(trees.leaf(arc));
    local(item, probability);
    if (scores.label_count == 1)
      add(LabelPart{arc}, probability);
    else
      share_out(trees, scores, chart, item, probability, scratch, usage, add);
  }
}

// The probability of every part, added to `marginals`.
template <class Factorization, class Scores>
HEADWISE_FLATTEN void part_marginals(const Factorization& trees, const Scores& scores,
                                     const SumOfWeights::Chart& chart, SumOfWeights::Scratch& scratch,
                                     std::vector<double>& usage, const PartMarginals& marginals) {
  sweep_down(
      trees, scores, chart, scratch, usage, [](const auto&, double) {},
      [&](const auto& part, double probability) { marginals.add(part, probability); });
}

// −log of the share of weight k, accurate also where that share is nearly one.
inline double surprisal(const double* weights, int count, int k) {
  double rest = 0.0;
  for (int other = 0; other < count; ++other) rest += other == k ? 0.0 : weights[other];
  if (weights[k] > rest) return std::log1p(rest / weights[k]);
  return std::log(weights[k] + rest) - std::log(weights[k]);
}

// The entropy of the tree distribution in nats: by the chain rule, the sum over items of usage times the
// entropy of the choice among the item's edges.
template <class Factorization, class Scores>
double entropy(const Factorization& trees, const Scores& scores, const SumOfWeights::Chart& chart,
               SumOfWeights::Scratch& scratch, std::vector<double>& usage) {
  double total = 0.0;
  const auto choice_entropy = [&](const auto& item, double probability) {
    const double sum = relate_edges(trees, scores, chart, item, scratch);
    const double* weights = scratch.significand.data();
    double local = 0.0;
    for (int k = 0; k < scratch.count; ++k)
      if (weights[k] > 0.0) {
        const bool is_likely = weights[k] > 0.5 * sum;
        const double minus_log =
            is_likely ? surprisal(weights, scratch.count, k) : std::log(sum) - std::log(weights[k]);
        local += weights[k] / sum * minus_log;
      }
    total += probability * local;
  };
  sweep_down(trees, scores, chart, scratch, usage, choice_entropy, [](const auto&, double) {});
  return total;
}

// KL(p ‖ q) in nats of two distributions over the same hypergraph, choice by choice: usage under p times
// the divergence of q's shares from p's. Infinite where p has a tree that q does not have.
template <class Factorization, class Scores>
double kl_divergence(const Factorization& trees, const Scores& p, const SumOfWeights::Chart& p_chart,
                     const Scores& q, const SumOfWeights::Chart& q_chart, SumOfWeights::Scratch& scratch,
                     SumOfWeights::Scratch& q_scratch, std::vector<double>& usage) {
  double total = 0.0;
  const auto choice_divergence = [&](const auto& item, double probability) {
    gather_edges(trees, p, p_chart, item, scratch);
    gather_edges(trees, q, q_chart, item, q_scratch);
    const Scaled p_sum =
        simd::sum_scaled(scratch.significand.data(), scratch.exponent.data(), scratch.count).normalized();
    const Scaled q_sum =
        simd::sum_scaled(q_scratch.significand.data(), q_scratch.exponent.data(), q_scratch.count).normalized();
    for (int k = 0; k < scratch.count; ++k) {
      const Scaled in_p{scratch.significand[k], scratch.exponent[k]};
      const Scaled in_q{q_scratch.significand[k], q_scratch.exponent[k]};
      if (in_p.is_zero()) continue;
      if (in_q.is_zero()) {
        total = std::numeric_limits<double>::infinity();
        return;
      }
      const double powers = (in_p.exponent - p_sum.exponent) - (in_q.exponent - q_sum.exponent);
      const double log_ratio = std::log(in_p.significand / p_sum.significand * q_sum.significand / in_q.significand) +
                               powers * std::numbers::ln2;
      const double share =
          in_p.significand / p_sum.significand * std::exp2(in_p.exponent - p_sum.exponent);
      if (share > 0.0) total += probability * share * log_ratio;
    }
  };
  sweep_down(trees, p, p_chart, scratch, usage, choice_divergence, [](const auto&, double) {});
  return total;
}

}  // namespace headwise::trees
