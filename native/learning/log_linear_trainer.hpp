// Conditional likelihood of first-order trees, by stochastic gradient with per-weight steps (AdaGrad, Duchi
// et al. 2011) and averaging. The gradient of log p(gold) is φ(gold) − E[φ] (Koo's thesis, 4.2).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "parsing/pruner.hpp"
#include "base/huge_pages.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/training_example.hpp"

namespace headwise::learning {

class LogLinearTrainer {
 public:
  // Arcs whose probability is closer than this to the truth are not worth an update.
  static constexpr double negligible = 1e-3;

  LogLinearTrainer(PrunerShape shape, double step)
      : shape_(std::move(shape)),
        step_(step),
        weights_(static_cast<std::size_t>(shape_.mask) + 1),
        squares_(weights_.size(), 0.0f) {}

  TrainingCounts train(std::span<const TrainingExample* const> examples) {
    TrainingCounts counts;
    Pruner pruner(shape_);
    for (const TrainingExample* example : examples) {
      const int n = example->atoms.words();
      const std::size_t nodes = static_cast<std::size_t>(n) + 1;
      const double log_z = pruner.marginals(example->atoms, weights_.current());
      const bool partial = example->is_partial();
      double gold_score = 0;
      if (partial) {  // gold is an expectation as well: over the trees that have the heads that are known
        expected_ = pruner.probabilities();
        gold_score = pruner.marginals_with(example->heads);
      }
      for (int m = 1; m <= n; ++m) {
        const int gold = example->heads[static_cast<std::size_t>(m) - 1];
        if (!partial) gold_score += pruner.scores()[static_cast<std::size_t>(gold) * nodes + static_cast<std::size_t>(m)];
        for (int h = 0; h <= n; ++h) {
          const std::size_t arc = static_cast<std::size_t>(h) * nodes + static_cast<std::size_t>(m);
          const double p = partial ? expected_[arc] : pruner.probabilities()[arc];
          const double target = partial ? pruner.probabilities()[arc] : h == gold ? 1.0 : 0.0;
          const double gradient = target - p;
          if (std::abs(gradient) < negligible || h == m) continue;
          pruner.features().for_each(h, m, shape_.mask, [&](std::uint32_t f) { step(f, gradient); });
        }
      }
      const double loss = log_z - gold_score;
      if (!std::isfinite(loss)) throw Diverged();
      counts.words += static_cast<std::uint64_t>(n);
      counts.loss += loss;
      weights_.next_step();
    }
    return counts;
  }

  AveragedWeights& weights() { return weights_; }
  const PrunerShape& shape() const { return shape_; }

 private:
  void step(std::uint32_t f, double gradient) {
    float& square = squares_[f];
    square += static_cast<float>(gradient * gradient);
    weights_.add(f, static_cast<float>(step_ * gradient / std::sqrt(square + 1e-6)));
  }

  PrunerShape shape_;
  double step_;
  AveragedWeights weights_;
  LargeTable<float> squares_;
  std::vector<double> expected_;
};

}  // namespace headwise::learning
