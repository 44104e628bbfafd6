// Random choices that depend on what is chosen and not on who chooses: the same trees for any number of lanes.
#pragma once
#include "numbers.cuh"

namespace headwise::kernels {

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
HEADWISE_DEVICE unsigned long long mix(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Draws {
 public:
  HEADWISE_DEVICE Draws(unsigned long long seed, int sentence, int sample)
      : state_(mix(mix(mix(seed) + (unsigned long long)sentence) + (unsigned long long)sample)) {}

  // log₂ of an exponential waiting time: of several, each divided by a weight, one is the first with a probability in
  // proportion to its weight.
  template <class T>
  HEADWISE_DEVICE T log_waiting_time(long long span, int number) const {
    const unsigned long long bits = mix(mix(state_ + (unsigned long long)span) + (unsigned long long)number);
    constexpr int digits = sizeof(T) == 4 ? 23 : 52;
    const T uniform = (T(bits >> (64 - digits)) + T(0.5)) / T(1ull << digits);  // neither 0 nor 1: nothing is rounded
    return binary_log(-binary_log(uniform));
  }

 private:
  unsigned long long state_;
};

}  // namespace headwise::kernels
