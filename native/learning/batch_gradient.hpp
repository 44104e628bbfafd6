// The gradient over all examples at once, for batch optimizers: only the weights that any example touches.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/huge_pages.hpp"
#include "scoring/feature_sink.hpp"

namespace headwise::learning {

// Notes which weights are touched at all.
class TouchedWeights final : public FeatureSink {
 public:
  explicit TouchedWeights(std::size_t size) : flags_(size, 0) {}
  void add(std::span<const std::uint32_t> indices, double) override {
    for (const std::uint32_t index : indices) flags_[index] = 1;
  }
  void add_row(std::uint32_t begin, std::span<const float> amounts) override {
    for (std::size_t i = 0; i < amounts.size(); ++i) flags_[begin + i] = 1;
  }
  std::vector<std::uint32_t> indices() const {
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < flags_.size(); ++i)
      if (flags_[i]) result.push_back(static_cast<std::uint32_t>(i));
    return result;
  }

 private:
  LargeTable<std::uint8_t> flags_;
};

// A vector over some of the weights, in the order of `indices`; other weights are zero and stay so.
class RestrictedGradient final : public FeatureSink {
 public:
  RestrictedGradient(std::size_t size, std::span<const std::uint32_t> indices) : place_(size, none), sums_(indices.size()) {
    for (std::size_t k = 0; k < indices.size(); ++k) place_[indices[k]] = static_cast<std::uint32_t>(k);
  }
  void add(std::span<const std::uint32_t> indices, double amount) override {
    for (const std::uint32_t index : indices)
      if (place_[index] != none) sums_[place_[index]] += amount;
  }
  void add_row(std::uint32_t begin, std::span<const float> amounts) override {
    for (std::size_t i = 0; i < amounts.size(); ++i)
      if (place_[begin + i] != none) sums_[place_[begin + i]] += amounts[i];
  }
  std::vector<double>& sums() { return sums_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  LargeTable<std::uint32_t> place_;
  std::vector<double> sums_;
};

inline LargeTable<float> spread_weights(std::size_t size, std::span<const std::uint32_t> indices,
                                        std::span<const double> values) {
  LargeTable<float> table(size, 0.0f);
  for (std::size_t k = 0; k < indices.size(); ++k) table[indices[k]] = static_cast<float>(values[k]);
  return table;
}

}  // namespace headwise::learning
