// A weight table that is trained: current weights, and what is needed to average over all steps.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"

namespace headwise::learning {

// Averaging is lazy. The weights after steps 1..T have the mean Σ_t (T − t + 1)/T·δ_t = w − u/T with
// u = Σ_t (t − 1)·δ_t, so an update touches only the weights it changes.
class AveragedWeights {
 public:
  explicit AveragedWeights(std::size_t size) : weights_(size, 0.0f), delayed_(size, 0.0) {}

  void add(std::uint32_t index, float delta) {
    if (is_frozen(index)) return;
    weights_[index] += delta;
    delayed_[index] += static_cast<double>(steps_) * delta;
  }
  // The same of neighbouring weights, each with an amount of its own.
  void add_row(std::uint32_t begin, std::span<const float> amounts, double step) {
    float* weights = weights_.data() + begin;
    double* delayed = delayed_.data() + begin;
    const auto steps = static_cast<double>(steps_);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      const auto delta = static_cast<float>(step * static_cast<double>(amounts[i]));
      weights[i] += delta;
      delayed[i] += steps * static_cast<double>(delta);
    }
  }
  void prefetch_row(std::uint32_t begin, std::size_t size) const {
    for (std::size_t i = 0; i < size; i += 16) __builtin_prefetch(&weights_[begin + i], 1);
    for (std::size_t i = 0; i < size; i += 8) __builtin_prefetch(&delayed_[begin + i], 1);
  }
  void prefetch(std::uint32_t index) const {
    __builtin_prefetch(&weights_[index], 1);
    __builtin_prefetch(&delayed_[index], 1);
  }
  void next_step() { ++steps_; }

  // Weights that stay as they are: of features that are not to be learned.
  void freeze(std::vector<bool> frozen) { frozen_ = std::move(frozen); }
  bool is_frozen(std::uint32_t index) const { return !frozen_.empty() && frozen_[index]; }

  const float* current() const { return weights_.data(); }
  std::size_t size() const { return weights_.size(); }
  std::uint64_t steps() const { return steps_; }

  void average(std::span<float> out) const {
    const double share = steps_ ? 1.0 / static_cast<double>(steps_) : 0.0;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<float>(weights_[i] - delayed_[i] * share);
  }

  // The whole state, for a run that is interrupted and goes on later.
  LargeTable<float>& weights() { return weights_; }
  LargeTable<double>& delayed() { return delayed_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

 private:
  LargeTable<float> weights_;
  LargeTable<double> delayed_;
  std::vector<bool> frozen_;  // empty: none
  std::uint64_t steps_ = 0;
};

}  // namespace headwise::learning
