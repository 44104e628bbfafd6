// f(x) = x log₂ x in whole units of 2⁻²⁰ bit.
//
// Information is a sum of such terms. In whole units sums do not depend on their order, so they can be kept up to date
// by differences for ever, and two merges that lose the same are seen to lose the same.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace headwise::clusters {

class FixedPoint {
 public:
  static constexpr double unit = 1.0 / (1 << 20);

  // `largest`: no sum of counts is above this.
  explicit FixedPoint(std::uint64_t largest) {
    if (largest >> 34) throw std::overflow_error("the text has more than 17 billion bigrams");
    table_.resize(std::min<std::uint64_t>(largest + 1, 1 << 20));
    for (std::uint64_t x = 0; x < table_.size(); ++x) table_[x] = compute(x);
  }

  std::int64_t f(std::uint64_t x) const { return x < table_.size() ? table_[x] : compute(x); }

  // f(x + y) − f(x) − f(y), which is 0 where x or y is, and never less.
  std::int64_t gain(std::uint64_t x, std::uint64_t y) const { return x && y ? f(x + y) - f(x) - f(y) : 0; }

 private:
  static std::int64_t compute(std::uint64_t x) {
    const auto real = static_cast<double>(x);
    return x < 2 ? 0 : std::llround(real * std::log2(real) / unit);
  }

  std::vector<std::int64_t> table_;
};

}  // namespace headwise::clusters
