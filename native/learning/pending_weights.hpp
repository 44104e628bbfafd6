// The weights w of exponentiated gradient, and a change of them that is made or dropped once its price is known.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.hpp"
#include "scoring/feature_sink.hpp"

namespace headwise::learning {

class PendingWeights final : public FeatureSink {
 public:
  PendingWeights(std::size_t size, double regularization)
      : regularization_(regularization),
        weights_(size, 0.0),
        rounded_(size, 0.0f),
        delayed_(size, 0.0),
        pending_(size, 0.0),
        is_touched_(size, false) {}

  // Parts change: so does w, by 1/C·Σ amount·φ, which is pending.
  void add(std::span<const std::uint32_t> indices, double amount) override {
    for (const std::uint32_t index : indices) {
      if (!is_touched_[index]) touched_.push_back(index);
      is_touched_[index] = true;
      pending_[index] += amount / regularization_;
    }
  }
  void move() {
    for (const std::uint32_t index : touched_) {
      weights_[index] += pending_[index];
      delayed_[index] += averaged_steps_ * pending_[index];
      rounded_[index] = static_cast<float>(weights_[index]);
    }
    drop();
  }
  void drop() {
    for (const std::uint32_t index : touched_) {
      pending_[index] = 0;
      is_touched_[index] = false;
    }
    touched_.clear();
  }
  // How much C/2·|w|² would rise by the change.
  double rise() const {
    double sum = 0;
    for (const std::uint32_t index : touched_) {
      const double change = pending_[index];
      sum += change * (2 * weights_[index] + change);
    }
    return regularization_ / 2 * sum;
  }
  // C/2·|w|² is quadratic on the way, and `gain` is what the whole of it earns: as much is gone as is best. Returns the
  // share, from 0 to 1.
  double move_best_share(double gain) {
    double slope = 0, squares = 0;
    for (const std::uint32_t index : touched_) {
      slope += weights_[index] * pending_[index];
      squares += pending_[index] * pending_[index];
    }
    const double fall = gain - regularization_ * slope, whole = regularization_ * squares;
    const double share = !(fall > 0) ? 0.0 : fall < whole ? fall / whole : 1.0;
    for (const std::uint32_t index : touched_) pending_[index] *= share;
    move();
    return share;
  }

  // The mean of w over the single steps since start_averaging(), lazily as in AveragedWeights; w itself where there
  // were none. w is linear in α, so the mean is w of the mean α: closer to the optimum than the last step, which has
  // just gone all the way for one sentence.
  void start_averaging() {
    std::fill(delayed_.begin(), delayed_.end(), 0.0);
    averaged_steps_ = 0;
  }
  void count_step() { ++averaged_steps_; }
  std::vector<float> average() const {
    std::vector<float> out(weights_.size());
    const double share = averaged_steps_ > 0 ? 1.0 / averaged_steps_ : 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(weights_[i] - delayed_[i] * share);
    return out;
  }

  const LargeTable<double>& exact() const { return weights_; }
  const LargeTable<float>& rounded() const { return rounded_; }  // what scores are made of
  void set(std::span<const double> weights) {
    for (std::size_t i = 0; i < weights.size(); ++i) rounded_[i] = static_cast<float>(weights_[i] = weights[i]);
  }

 private:
  double regularization_;  // C
  LargeTable<double> weights_;
  LargeTable<float> rounded_;
  LargeTable<double> delayed_;
  double averaged_steps_ = 0;
  LargeTable<double> pending_;
  std::vector<bool> is_touched_;  // what is pending may cancel out, and be touched again
  std::vector<std::uint32_t> touched_;
};

}  // namespace headwise::learning
