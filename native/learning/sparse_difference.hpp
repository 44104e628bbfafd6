// The difference of two feature vectors, ready to be added to the weights.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "base/huge_pages.hpp"
#include "scoring/feature_sink.hpp"

namespace headwise::learning {

// φ(gold) − φ(predicted), summed in a table as large as the weights: duplicates cancel or add up exactly.
class SparseDifference final : public FeatureSink {
 public:
  explicit SparseDifference(std::size_t size) : counts_(size, 0) {}
  // An amount of +1 or −1.
  void add(std::span<const std::uint32_t> indices, double amount) override {
    const int sign = amount > 0 ? 1 : -1;
    for (const std::uint32_t index : indices) add(index, sign);
  }
  void add(std::uint32_t index, int sign) {
    counts_[index] = static_cast<std::int16_t>(counts_[index] + sign);
    touched_.push_back(index);
  }
  // Of what can change the weights.
  double squared_norm(const AveragedWeights& weights) const {
    return sum([&](std::uint32_t index, double count) { return weights.is_frozen(index) ? 0.0 : count * count; });
  }
  double dot(const float* weights) const {
    return sum([weights](std::uint32_t index, double count) { return count * weights[index]; });
  }
  void apply(AveragedWeights& weights, double step) {
    for (std::uint32_t i : touched_) {
      if (counts_[i]) weights.add(i, static_cast<float>(step * counts_[i]));
      counts_[i] = 0;
    }
    touched_.clear();
  }

 private:
  // Of term(index, count) over all indices. One that was touched k times is visited k times: it counts on its first
  // visit only, by marking as it goes.
  template <class Term>
  double sum(Term term) const {
    double total = 0;
    for (std::uint32_t i : touched_) {
      total += term(i, static_cast<double>(counts_[i]));
      seen_.push_back(counts_[i]);
      counts_[i] = 0;
    }
    for (std::size_t k = touched_.size(); k-- > 0;)
      if (seen_[k]) counts_[touched_[k]] = seen_[k];
    seen_.clear();
    return total;
  }

  mutable LargeTable<std::int16_t> counts_;
  mutable std::vector<std::int16_t> seen_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace headwise::learning
