// Sums of exponentials at any scale: numbers with a significand and a separate exponent of two.
//
// A tree of score s weighs exp(s), far outside the range of a double. The usual remedy is to keep
// logarithms and to pay an exp for every term and a log for every sum; their rounding errors grow with the
// size of the scores. Here a weight is significand · 2^exponent, both doubles. Products and sums cost a
// few additions and bit shifts, vectorized, and every operation is accurate to a relative 1e-16 whatever
// the scale, so that what is computed from peaked scores is as accurate as from flat ones.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "simd.hpp"

namespace headwise {

// A non-negative number significand · 2^exponent. Zero is {0, −inf}. Operations leave the significand
// near one without restoring it each time; `normalized` puts it into [1, 2).
struct Scaled {
  double significand = 0.0, exponent = -std::numeric_limits<double>::infinity();

  constexpr Scaled() = default;
  constexpr Scaled(double significand, double exponent) : significand(significand), exponent(exponent) {}
  explicit Scaled(double value) { *this = Scaled(value, 0.0).normalized(); }

  static constexpr Scaled zero() { return {0.0, -std::numeric_limits<double>::infinity()}; }
  static constexpr Scaled one() { return {1.0, 0.0}; }
  static Scaled exp(double score);

  bool is_zero() const { return significand == 0.0; }
  double log() const { return std::log(significand) + exponent * std::numbers::ln2; }
  Scaled operator*(const Scaled& other) const {
    return {significand * other.significand, exponent + other.exponent};
  }
  // The following work on, and return, normalized numbers.
  Scaled operator/(const Scaled& other) const {
    if (is_zero()) return zero();
    return Scaled(significand / other.significand, exponent - other.exponent).normalized();
  }
  Scaled& operator+=(const Scaled& other) {
    if (other.is_zero()) return *this;
    if (is_zero()) return *this = other.normalized();
    const double difference = other.exponent - exponent;
    if (difference > 1000.0) return *this = other.normalized();
    if (difference < -1000.0) return *this;
    const double power = std::ldexp(1.0, static_cast<int>(difference));
    return *this = Scaled(significand + other.significand * power, exponent).normalized();
  }
  bool operator>(const Scaled& other) const {
    if (is_zero() || other.is_zero()) return significand > other.significand;
    const Scaled a = normalized(), b = other.normalized();
    return a.exponent != b.exponent ? a.exponent > b.exponent : a.significand > b.significand;
  }
  Scaled normalized() const {
    if (significand == 0.0) return zero();
    const auto bits = std::bit_cast<std::uint64_t>(significand);
    const auto power = static_cast<std::int64_t>(bits >> 52) - 1023;
    return {std::bit_cast<double>(bits - (static_cast<std::uint64_t>(power) << 52)),
            exponent + static_cast<double>(power)};
  }
};

namespace simd {

// exp(x) = significand · 2^k with k = round(x / ln 2): x = k·ln 2 + r, ln 2 in three pieces so that the
// products are exact for |k| < 2^31 (Cody and Waite), and Taylor to the 13th power for exp(r), |r| ≤ ln 2 / 2.
HEADWISE_INLINE void split_exp(Lanes x, Lanes& significand, Lanes& exponent) {
  const Lanes nothing = broadcast(-std::numeric_limits<double>::infinity());
  const auto is_zero = x == nothing;
  x = is_zero ? broadcast(0.0) : x;
  const Lanes k = (x * broadcast(0x1.71547652b82fep0) + integral_shift()) - integral_shift();
  const Lanes r = ((x - k * broadcast(0x1.62e42p-1)) - k * broadcast(0x1.fdf46p-22)) -
                  k * broadcast(0x1.3de6af278ece6p-42);
  const Lanes r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Lanes p01 = broadcast(1.0) + r;
  const Lanes p23 = broadcast(1.0 / 2) + r * broadcast(1.0 / 6);
  const Lanes p45 = broadcast(1.0 / 24) + r * broadcast(1.0 / 120);
  const Lanes p67 = broadcast(1.0 / 720) + r * broadcast(1.0 / 5040);
  const Lanes p89 = broadcast(1.0 / 40320) + r * broadcast(1.0 / 362880);
  const Lanes pab = broadcast(1.0 / 3628800) + r * broadcast(1.0 / 39916800);
  const Lanes pcd = broadcast(1.0 / 479001600) + r * broadcast(1.0 / 6227020800);
  const Lanes low = p01 + r2 * (p23 + r2 * (p45 + r2 * p67));
  const Lanes power = low + r8 * ((p89 + r2 * pab) + r4 * pcd);
  significand = is_zero ? broadcast(0.0) : power;
  exponent = is_zero ? nothing : k;
}

// 2^(exponent − top), where a difference below −1022 counts as −1022: next to a term of weight one it
// adds nothing either way.
HEADWISE_INLINE Lanes relative_power(Lanes exponent, double top) {
  return power_of_two(greater(exponent - broadcast(top), broadcast(-1022.0)) + integral_shift());
}

// significands[k], exponents[k] = exp(scores[k]).
HEADWISE_KERNEL inline void split_exp(const double* scores, int count, double* significands,
                                      double* exponents) {
  for (int k = 0; k < count; k += kLanes) {
    const auto bytes = sizeof(double) * (count - k < kLanes ? count - k : kLanes);
    Lanes x = broadcast(0.0), significand, exponent;
    std::memcpy(&x, scores + k, bytes);
    split_exp(x, significand, exponent);
    std::memcpy(significands + k, &significand, bytes);
    std::memcpy(exponents + k, &exponent, bytes);
  }
}

// The sum of `count` numbers. What lies in the arrays beyond, up to a whole vector, is read but not used.
HEADWISE_KERNEL inline Scaled sum_scaled(const double* significands, const double* exponents, int count) {
  const Lanes nothing = broadcast(-std::numeric_limits<double>::infinity());
  Lanes tops = nothing;
  for (int k = 0; k < count; k += kLanes) tops = greater(tops, first(count - k, load(exponents + k), nothing));
  const double top = max(tops);
  if (top == -std::numeric_limits<double>::infinity()) return Scaled::zero();
  Lanes total = broadcast(0.0);
  for (int k = 0; k < count; k += kLanes)
    total += first(count - k, load(significands + k) * relative_power(load(exponents + k), top), broadcast(0.0));
  return {sum(total), top};
}

// Σ left[k] · right[k], fused: the same result as multiplying first.
HEADWISE_KERNEL inline Scaled sum_products(const double* left, const double* left_exponent, const double* right,
                                           const double* right_exponent, int count) {
  const Lanes nothing = broadcast(-std::numeric_limits<double>::infinity());
  Lanes tops = nothing;
  for (int k = 0; k < count; k += kLanes)
    tops = greater(tops, first(count - k, load(left_exponent + k) + load(right_exponent + k), nothing));
  const double top = max(tops);
  if (top == -std::numeric_limits<double>::infinity()) return Scaled::zero();
  Lanes total = broadcast(0.0);
  for (int k = 0; k < count; k += kLanes) {
    const Lanes power = relative_power(load(left_exponent + k) + load(right_exponent + k), top);
    total += first(count - k, load(left + k) * load(right + k) * power, broadcast(0.0));
  }
  return {sum(total), top};
}

// The same sum when the numbers shall be compared afterwards: significands[k] becomes number k relative
// to 2^top; returns {their sum, top}.
HEADWISE_KERNEL inline Scaled relate_scaled(double* significands, const double* exponents, int count) {
  const Lanes nothing = broadcast(-std::numeric_limits<double>::infinity());
  Lanes tops = nothing;
  for (int k = 0; k < count; k += kLanes) tops = greater(tops, first(count - k, load(exponents + k), nothing));
  const double top = max(tops);
  if (top == -std::numeric_limits<double>::infinity()) return Scaled::zero();
  Lanes total = broadcast(0.0);
  for (int k = 0; k < count; k += kLanes) {
    const Lanes weight = load(significands + k) * relative_power(load(exponents + k), top);
    store(significands + k, weight);
    total += first(count - k, weight, broadcast(0.0));
  }
  return {sum(total), top};
}

// The products left[k] · right[k] share `probability` in proportion; their shares are added to the usage of
// either side. The scratch holds `count` doubles, and all arrays have room for whole vectors.
HEADWISE_KERNEL inline void share_products(const double* left, const double* left_exponent, const double* right,
                                           const double* right_exponent, int count, double probability,
                                           double* scratch, double* left_usage, double* right_usage) {
  const Lanes nothing = broadcast(-std::numeric_limits<double>::infinity());
  Lanes tops = nothing;
  for (int k = 0; k < count; k += kLanes)
    tops = greater(tops, first(count - k, load(left_exponent + k) + load(right_exponent + k), nothing));
  const double top = max(tops);
  Lanes total = broadcast(0.0);
  for (int k = 0; k < count; k += kLanes) {
    const Lanes power = relative_power(load(left_exponent + k) + load(right_exponent + k), top);
    const Lanes weight = first(count - k, load(left + k) * load(right + k) * power, broadcast(0.0));
    store(scratch + k, weight);
    total += weight;
  }
  const Lanes per_weight = broadcast(probability / sum(total));
  for (int k = 0; k < count; k += kLanes) {
    const Lanes share = load(scratch + k) * per_weight;
    store(left_usage + k, load(left_usage + k) + share);
    store(right_usage + k, load(right_usage + k) + share);
  }
}

// out[k] = left[k] · right[k].
HEADWISE_KERNEL inline void multiply_scaled(const double* left, const double* left_exponent, const double* right,
                                            const double* right_exponent, int count, double* significands,
                                            double* exponents) {
  for (int k = 0; k < count; k += kLanes) {
    store(significands + k, load(left + k) * load(right + k));
    store(exponents + k, load(left_exponent + k) + load(right_exponent + k));
  }
}

// out[k] = exp(scores[k] − shifts[k]) as doubles; false when one of them is positive but below 1e-260.
HEADWISE_KERNEL inline bool exp_differences(const double* scores, const double* shifts, int count, double* out) {
  Lanes lowest = broadcast(0.0);
  for (int k = 0; k < count; k += kLanes) {
    const auto bytes = sizeof(double) * (count - k < kLanes ? count - k : kLanes);
    Lanes score = broadcast(0.0), shift = broadcast(0.0), significand, exponent;
    std::memcpy(&score, scores + k, bytes);
    std::memcpy(&shift, shifts + k, bytes);
    split_exp(score - shift, significand, exponent);
    lowest = exponent < lowest && significand > broadcast(0.0) ? exponent : lowest;
    const Lanes value = significand * relative_power(exponent, 0.0);
    std::memcpy(out + k, &value, bytes);
  }
  for (int k = 0; k < kLanes; ++k)
    if (lowest[k] < -860.0) return false;
  return true;
}

}  // namespace simd

inline Scaled Scaled::exp(double score) {
  if (score == -std::numeric_limits<double>::infinity()) return zero();
  const double k = std::nearbyint(score * 0x1.71547652b82fep0);
  const double r = ((score - k * 0x1.62e42p-1) - k * 0x1.fdf46p-22) - k * 0x1.3de6af278ece6p-42;
  return {std::exp(r), k};
}

}  // namespace headwise
