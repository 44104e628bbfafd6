// The gradient of one sentence's loss at first order: φ(gold) − E[φ] (Koo's thesis, 4.2; Smith and Smith 2007,
// section 3).
//
// Where heads are missing, gold is the expectation over the trees that have the given ones, and the loss is that of
// the marginal likelihood, log Z − log Z(given). Labels that are part of the search and not known, because
// they are latent or missing, are summed over in the same way (Smith and Smith 2007, section 5).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <vector>

#include "parsing/arc_parser.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"

namespace headwise::learning {

class ArcGradient {
 public:
  explicit ArcGradient(const ParserShape& shape) : shape_(&shape), parser_(shape) {}

  // Calls add(index, amount) of `arcs` and, where labels are part of the search, of `labels`.
  template <class Sink>
  void gather(const LogLinear& rule, const TrainingExample& example, const Weights& weights, Sink& arcs, Sink& labels,
              TrainingCounts& counts) {
    const Gold gold{example.heads, example.labels, rule.cost};
    parser_.score(example.atoms, weights, rule.cost != 0 ? &gold : nullptr, ArcParser::OverLabels::sum);
    const bool partial = example.is_partial();
    double loss = 0;
    if (partial) {
      loss -= parser_.sum_trees_with(example.heads);
      given_ = parser_.probabilities();
    }
    loss += parser_.sum_trees();
    const int n = example.atoms.words();
    for (int m = 1; m <= n; ++m) {
      const int gold_head = example.heads[at(m - 1)];
      const int gold_label = shape_->label_mode == LabelMode::joint ? example.labels[at(m - 1)] : -1;
      if (!partial) loss -= parser_.arc_score(gold_head, m);
      int allowed = 0, likeliest = 0;
      for (int h = 0; h <= n; ++h) {
        const double p = probability(h, m);
        const double target = partial ? given_[place(n, h, m)] : h == gold_head ? 1.0 : 0.0;
        allowed += parser_.arc_score(h, m) > kImpossible;
        if (p > probability(likeliest, m)) likeliest = h;
        const double gradient = target - p;
        const bool labelled = gold_label >= 0 && h == gold_head;
        if (shape_->labels_in_search() && (labelled || std::abs(gradient) > rule.negligible))
          loss += gather_labels(rule, weights, h, m, labelled ? gold_label : -1, target, p, labels);
        if (std::abs(gradient) > rule.negligible)
          parser_.arc_features().for_each(h, m, shape_->arc_mask, [&](std::uint32_t f) { arcs.add(f, gradient); });
      }
      counts.wrong_heads += gold_head >= 0 && likeliest != gold_head;
      counts.guessing += std::log(static_cast<double>(allowed));
    }
    counts.words += static_cast<std::uint64_t>(n);
    counts.loss += checked_loss(loss);
  }

  template <class Sink>
  void gather(const MaxMargin&, const TrainingExample& example, const Weights& weights, Sink& arcs, Sink& labels,
              TrainingCounts& counts) {
    const Gold gold{example.heads, example.labels};
    parser_.search(example.atoms, weights, &gold, predicted_);
    const int n = example.atoms.words();
    const bool joint = shape_->label_mode == LabelMode::joint;
    double loss = predicted_.score;
    for (int m = 1; m <= n; ++m) {
      const int h = predicted_.heads[at(m - 1)], gold_h = example.heads[at(m - 1)];
      const int l = predicted_.labels[at(m - 1)], gold_l = example.labels[at(m - 1)];
      const auto add_arc = [&](int head, double amount) {
        parser_.arc_features().for_each(head, m, shape_->arc_mask, [&](std::uint32_t f) { arcs.add(f, amount); });
      };
      const auto add_label = [&](int head, int label, double amount) {
        parser_.label_features().for_each(head, m, shape_->label_mask, [&](std::uint32_t row) {
          labels.add(row + static_cast<std::uint32_t>(label), amount);
        });
      };
      if (h != gold_h) {
        add_arc(gold_h, +1);
        add_arc(h, -1);
      }
      if (joint && (h != gold_h || l != gold_l)) {
        add_label(gold_h, gold_l, +1);
        add_label(h, l, -1);
      }
      loss -= gold_score(weights, gold_h, joint ? gold_l : -1, m);
      counts.wrong_heads += h != gold_h;
    }
    counts.words += static_cast<std::uint64_t>(n);
    counts.loss += checked_loss(loss);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::size_t place(int n, int h, int m) { return at(h) * at(n + 1) + at(m); }
  double probability(int h, int m) const { return parser_.probabilities()[place(parser_.words(), h, m)]; }

  // The labels of an arc share its probability. Returns what the loss is more than that of the arc alone: −log
  // p(label | arc) where the label is known.
  template <class Sink>
  double gather_labels(const LogLinear& rule, const Weights& weights, int h, int m, int known, double target, double p,
                       Sink& labels) {
    const LabelCandidates& candidates = parser_.label_candidates(h, m);
    const float* sums = parser_.sum_label_weights(weights, h, m);
    const double log_sum = sum_labels(sums, candidates, shares_);
    for (std::size_t k = 0; k < candidates.labels.size(); ++k) {
      const int label = candidates.labels[k];
      const double wanted = known < 0 ? target * shares_[k] : label == known ? target : 0.0;
      const double gradient = wanted - p * shares_[k];
      if (std::abs(gradient) <= rule.negligible) continue;
      parser_.label_features().for_each(h, m, shape_->label_mask, [&](std::uint32_t row) {
        labels.add(row + static_cast<std::uint32_t>(label), gradient);
      });
    }
    return known < 0 ? 0.0 : log_sum - sums[known];
  }

  // Of the features alone: the parser's table holds the best label's score and the cost as well.
  double gold_score(const Weights& weights, int h, int label, int m) const {
    double sum = 0;
    parser_.arc_features().for_each(h, m, shape_->arc_mask, [&](std::uint32_t f) { sum += weights.arcs[f]; });
    if (label >= 0)
      parser_.label_features().for_each(h, m, shape_->label_mask, [&](std::uint32_t row) {
        sum += weights.labels[row + static_cast<std::uint32_t>(label)];
      });
    return sum;
  }

  const ParserShape* shape_;
  ArcParser parser_;
  ParseResult predicted_;
  std::vector<double> given_, shares_;
};

}  // namespace headwise::learning
