// Stochastic gradient steps, each weight with a step size of its own (AdaGrad, Duchi et al. 2011).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "base/huge_pages.hpp"
#include "scoring/feature_sink.hpp"

namespace headwise::learning {

// Thrown when a loss is no longer a number of any meaning.
struct Diverged : std::runtime_error {
  Diverged() : std::runtime_error("training diverged") {}
};

struct StepSizes {
  double step = 0;     // of a weight whose gradients have all been great
  double damping = 0;  // added to the sum of squared gradients: who has seen little moves little
  double l2 = 0;       // pulls the weights that a sentence touches towards zero
};

// The gradient of one sentence is gathered, then every weight that it touches moves once. Gradients and sums of
// squares lie side by side: a touched weight costs one cache line here and those of the weights.
class GradientSteps final : public FeatureSink {
 public:
  struct Slot {
    float gradient = 0, squares = 0;
  };

  explicit GradientSteps(std::size_t size) : slots_(size) {}

  void add(std::span<const std::uint32_t> indices, double amount) override {
    for (const std::uint32_t index : indices) {
      Slot& slot = slots_[index];
      if (slot.gradient == 0) touched_.push_back(index);
      slot.gradient += static_cast<float>(amount);
    }
  }

  void add_row(std::uint32_t begin, std::span<const float> amounts) override {
    for (std::size_t i = 0; i < amounts.size(); ++i) slots_[begin + i].gradient += amounts[i];
    rows_.push_back({begin, begin + static_cast<std::uint32_t>(amounts.size())});
  }

  void apply(AveragedWeights& weights, const StepSizes& sizes, const StepSizes& row_sizes = {}) {
    constexpr std::size_t ahead = 12;
    for (std::size_t k = 0; k < touched_.size(); ++k) {
      if (k + ahead < touched_.size()) weights.prefetch(touched_[k + ahead]);
      move(touched_[k], weights, sizes);
    }
    touched_.clear();
    for (const auto& [begin, end] : rows_)
      for (std::uint32_t index = begin; index < end; ++index) move(index, weights, row_sizes);
    rows_.clear();
  }

  // The sums of squares, for a run that is interrupted and goes on later.
  std::vector<float> squares() const {
    std::vector<float> out;
    out.reserve(slots_.size());
    for (const Slot& slot : slots_) out.push_back(slot.squares);
    return out;
  }
  void set_squares(const float* squares) {
    for (Slot& slot : slots_) slot.squares = *squares++;
  }
  std::size_t size() const { return slots_.size(); }

 private:
  void move(std::uint32_t index, AveragedWeights& weights, const StepSizes& sizes) {
    Slot& slot = slots_[index];
    if (slot.gradient == 0) return;
    const double gradient = slot.gradient - sizes.l2 * weights.current()[index];
    slot.squares += static_cast<float>(gradient * gradient);
    slot.gradient = 0;
    weights.add(index, static_cast<float>(sizes.step * gradient / std::sqrt(slot.squares + sizes.damping)));
  }

  LargeTable<Slot> slots_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows_;
};

// The same without gathering: every feature moves its weight when it comes. Coarser, and half the work.
class ImmediateSteps final : public FeatureSink {
 public:
  ImmediateSteps(AveragedWeights& weights, const StepSizes& sizes)
      : weights_(&weights), sizes_(sizes), squares_(weights.size(), 0.0f) {}

  void add(std::span<const std::uint32_t> indices, double gradient) override {
    for (const std::uint32_t index : indices) {
      float& square = squares_[index];
      square += static_cast<float>(gradient * gradient);
      weights_->add(index, static_cast<float>(sizes_.step * gradient / std::sqrt(square + sizes_.damping)));
    }
  }

 private:
  AveragedWeights* weights_;
  StepSizes sizes_;
  LargeTable<float> squares_;
};

// No loss of a sane model is near this, and NaN is not below it.
inline double checked_loss(double loss) {
  if (!(std::abs(loss) < 1e9)) throw Diverged();
  return loss;
}

}  // namespace headwise::learning
