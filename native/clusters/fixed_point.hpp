// log₂ x and f(x) = x log₂ x in whole numbers.
//
// Information is a sum of such terms. In whole numbers sums do not depend on their order, so they can be kept up to date
// by differences for ever; and as f(x) is x times the whole number that stands for log₂ x, what cancels on paper cancels
// here: two merges that lose the same are seen to lose the same. The unit is as small as the largest sum allows.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace headwise::clusters {

class FixedPoint {
 public:
  // `largest`: no sum of counts is above this.
  explicit FixedPoint(std::uint64_t largest) : shift_(std::min(40, 56 - static_cast<int>(std::bit_width(largest)))) {
    if (largest >> 34) throw std::overflow_error("the text has more than 17 billion bigrams");
    logs_.resize(std::min<std::uint64_t>(largest + 1, 1 << 20));
    for (std::uint64_t x = 0; x < logs_.size(); ++x) logs_[x] = compute_log(x);
    products_.resize(logs_.size());
    for (std::uint64_t x = 0; x < logs_.size(); ++x) products_[x] = static_cast<std::int64_t>(x) * logs_[x];
  }

  // log₂ x, and 0 where x is.
  std::int64_t log(std::uint64_t x) const { return x < logs_.size() ? logs_[x] : compute_log(x); }

  std::int64_t f(std::uint64_t x) const {
    return x < products_.size() ? products_[x] : static_cast<std::int64_t>(x) * compute_log(x);
  }

  // f(x + y) − f(x) − f(y), which is 0 where x or y is, and never less.
  std::int64_t gain(std::uint64_t x, std::uint64_t y) const { return x && y ? f(x + y) - f(x) - f(y) : 0; }

  double bits(std::int64_t units) const { return std::ldexp(static_cast<double>(units), -shift_); }

 private:
  std::int64_t compute_log(std::uint64_t x) const {
    return x < 2 ? 0 : std::llround(std::ldexp(std::log2(static_cast<double>(x)), shift_));
  }

  int shift_;
  std::vector<std::int64_t> logs_, products_;
};

}  // namespace headwise::clusters
