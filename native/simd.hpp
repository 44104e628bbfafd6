// Eight doubles at a time.
//
// A kernel is written once over a vector of eight doubles, which the compiler lowers to whatever the
// target has. Where the toolchain can, it is compiled for several targets and the processor picks one at
// load time. Every lane does the same operations in the same order whichever target runs (no contraction
// to fused multiply-add, eight accumulators always), so all of them give the same bytes.
#pragma once
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define HEADWISE_KERNEL __attribute__((target_clones("avx512f", "avx2", "default"), noinline))
#pragma GCC diagnostic ignored "-Wpsabi"  // lanes are passed between inlined functions only
#else
#define HEADWISE_KERNEL
#endif
#define HEADWISE_INLINE inline __attribute__((always_inline))
// Everything that the function calls is compiled into it: what makes layers of small lambdas free.
#define HEADWISE_FLATTEN __attribute__((flatten))

namespace headwise::simd {

inline constexpr int kLanes = 8;
using Lanes = double __attribute__((vector_size(64)));
using Bits = std::int64_t __attribute__((vector_size(64)));

HEADWISE_INLINE Lanes broadcast(double x) { return Lanes{x, x, x, x, x, x, x, x}; }
HEADWISE_INLINE Lanes load(const double* p) {
  Lanes lanes;
  std::memcpy(&lanes, p, sizeof lanes);
  return lanes;
}
HEADWISE_INLINE void store(double* p, Lanes lanes) { std::memcpy(p, &lanes, sizeof lanes); }
HEADWISE_INLINE Lanes greater(Lanes a, Lanes b) { return b > a ? b : a; }
// The first `count` lanes of x, then `other`.
HEADWISE_INLINE Lanes first(int count, Lanes x, Lanes other) {
  return Bits{0, 1, 2, 3, 4, 5, 6, 7} < count ? x : other;
}

HEADWISE_INLINE double sum(Lanes x) {
  x += __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  x += __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5);
  return x[0] + x[1];
}
HEADWISE_INLINE double max(Lanes x) {
  x = greater(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
  x = greater(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
  return x[0] > x[1] ? x[0] : x[1];
}

// 2 to an integral power between −1022 and 1023 that `shift` has been added to: the integer then lies in
// the low bits of the double, and moves into the exponent field by a shift.
HEADWISE_INLINE Lanes integral_shift() { return broadcast(0x1.8p52); }
HEADWISE_INLINE Lanes power_of_two(Lanes shifted) {
  return (Lanes)((Bits)broadcast(1.0) + ((Bits)shifted << 52));
}

// How many doubles an array needs so that kernels may read it in whole vectors.
constexpr int padded(int count) { return (count + kLanes - 1) & ~(kLanes - 1); }

}  // namespace headwise::simd
