// Random numbers that depend on a seed and a stream number only: sample k of problem p draws from its own
// stream, so that the same seed gives the same trees however the work is spread over threads.
#pragma once
#include "rooms.hpp"
#include <cstdint>

namespace headwise::base {

// SplitMix64 (Steele, Lea and Flood 2014): a counter passed through a mixing function.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : state_(mix(seed) ^ mix(~stream)) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15); }
  // Uniform on [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// The index that a uniform number u in [0, 1) falls on among weights of the given sum.
inline int pick_by_weight(const double* weights, int count, double sum, double u) {
  double left = u * sum;
  int last = -1;
  for (int k = 0; k < count; ++k) {
    if (weights[k] == 0.0) continue;
    last = k;
    if (left < weights[k]) return k;
    left -= weights[k];
  }
  return last;  // rounding pushed u past the end
}

}  // namespace headwise::base
