// Sums of exponentials at any scale: numbers with a significand and a separate exponent of two.
//
// A tree of score s weighs exp(s), far outside the range of a double. The usual remedy is to keep
// logarithms and to pay an exp for every term and a log for every sum; their rounding errors grow with the
// size of the scores. Here a weight is significand · 2^exponent, both doubles. Products and sums cost a
// few additions and bit shifts, vectorized, and every operation is accurate to a relative 1e-16 whatever
// the scale, so that what is computed from peaked scores is as accurate as from flat ones.
#pragma once
#include "rooms.hpp"
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "base/simd.hpp"

namespace headwise::trees {

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

}  // namespace headwise::trees

namespace headwise::simd {
inline constexpr double kNothing = -std::numeric_limits<double>::infinity();
}

namespace headwise::trees {

inline Scaled Scaled::exp(double score) {
  if (score == simd::kNothing) return zero();
  const double k = std::nearbyint(score * 0x1.71547652b82fep0);
  const double r = ((score - k * 0x1.62e42p-1) - k * 0x1.fdf46p-22) - k * 0x1.3de6af278ece6p-42;
  return {std::exp(r), k};
}

}  // namespace headwise::trees

namespace headwise::simd {

// significands[k], exponents[k] = exp(scores[k]).
extern void (*const split_exps)(const double* scores, int count, double* significands, double* exponents);
// out[k] = exp(scores[k] − shifts[k]) as doubles; false when one of them is positive but below 1e-260.
extern bool (*const exp_differences)(const double* scores, const double* shifts, int count, double* out);
// The sum of an array.
extern Scaled (*const sum_scaled)(const double* significands, const double* exponents, int count);
// The same as {sum, power}, where the significands become the numbers relative to 2^power.
extern Scaled (*const relate_scaled)(double* significands, const double* exponents, int count);
// Σ left[k] · right[k].
extern Scaled (*const sum_products)(const double* left, const double* left_exponent, const double* right,
                                    const double* right_exponent, int count);
// The products left[k] · right[k], whose sum is `total`, share `probability` in proportion; their shares are added
// to the usage of either side.
extern void (*const share_products)(const double* left, const double* left_exponent, const double* right,
                                    const double* right_exponent, int count, double probability, Scaled total,
                                    double* left_usage, double* right_usage);
// out[k] = left[k] · right[k].
extern void (*const multiply_scaled)(const double* left, const double* left_exponent, const double* right,
                                     const double* right_exponent, int count, double* significands,
                                     double* exponents);

}  // namespace headwise::simd
