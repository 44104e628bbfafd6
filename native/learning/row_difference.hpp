// Rows of neighbouring weights and how much each of them is to move, ready to be added to the weights.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/huge_pages.hpp"
#include "learning/averaged_weights.hpp"

namespace headwise::learning {

// Rows begin at multiples of eight and do not overlap.
class RowDifference {
 public:
  explicit RowDifference(std::size_t size) : place_(size / kUnit + 1, none) {}

  void add(std::uint32_t begin, std::span<const float> amounts) {
    std::uint32_t& place = place_[begin / kUnit];
    if (place == none) {
      place = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({begin, sums_.size(), amounts.size()});
      sums_.insert(sums_.end(), amounts.begin(), amounts.end());
      return;
    }
    float* sums = sums_.data() + rows_[place].at;
    for (std::size_t i = 0; i < amounts.size(); ++i) sums[i] += amounts[i];
  }
  double squared_norm() const {
    double total = 0;
    for (const float x : sums_) total += static_cast<double>(x) * x;
    return total;
  }
  double dot(const float* weights) const {
    double total = 0;
    for (const Row& row : rows_)
      for (std::size_t i = 0; i < row.size; ++i) total += static_cast<double>(sums_[row.at + i]) * weights[row.begin + i];
    return total;
  }
  void apply(AveragedWeights& weights, double step) {
    constexpr std::size_t ahead = 2;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (k + ahead < rows_.size()) weights.prefetch_row(rows_[k + ahead].begin, rows_[k + ahead].size);
      const Row& row = rows_[k];
      weights.add_row(row.begin, {sums_.data() + row.at, row.size}, step);
      place_[row.begin / kUnit] = none;
    }
    rows_.clear();
    sums_.clear();
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max(), kUnit = 8;
  struct Row {
    std::uint32_t begin;
    std::size_t at, size;
  };
  LargeTable<std::uint32_t> place_;
  std::vector<Row> rows_;
  std::vector<float> sums_;
};

}  // namespace headwise::learning
