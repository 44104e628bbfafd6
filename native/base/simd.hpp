// Eight doubles at a time, on whatever the processor has.
//
// A kernel file (*.inc) is compiled three times, in the namespaces wide, medium and narrow: for vectors
// of eight doubles (AVX-512), four (AVX2) and two (any x86-64 or ARM). It works on Lanes, always eight
// doubles, in as many vectors as that takes. `simd::widest` picks one of the three when the program starts.
// Every lane does the same operations in the same order at any width (no contraction to fused multiply-add,
// eight accumulators always), so all of them give the same bytes.
//
// To compile a kernel file: #define HEADWISE_KERNELS "….inc", then #include "base/simd/each_target.hpp". That takes
// seconds, so it is done in one source file beside the kernel file, and headers declare what it defines.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <vector>

#define HEADWISE_INLINE inline __attribute__((always_inline))
// Everything that the function calls is compiled into it: what makes layers of small lambdas free.
#define HEADWISE_FLATTEN __attribute__((flatten))

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // lanes are passed between inlined functions only
#endif

namespace headwise::simd {

inline constexpr int kLanes = 8;

// How many doubles an array needs so that it can be read in whole Lanes.
constexpr int padded(int count) { return (count + kLanes - 1) & ~(kLanes - 1); }

// An array that starts on a cache line, so that no vector straddles two.
template <class Value>
struct AlignedAllocator {
  using value_type = Value;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}
  Value* allocate(std::size_t count) {
    return static_cast<Value*>(::operator new(count * sizeof(Value), kAlignment));
  }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, kAlignment); }
  bool operator==(const AlignedAllocator&) const { return true; }
};
template <class Value>
using AlignedVector = std::vector<Value, AlignedAllocator<Value>>;

// Results do not depend on the width. That can be tested: HEADWISE_VECTORS=narrow or =medium in the environment
// keeps to vectors of that width.
template <class Function>
Function* widest([[maybe_unused]] Function* wide, [[maybe_unused]] Function* medium, Function* narrow) {
#if defined(__x86_64__) && defined(__GNUC__)
  const char* asked = std::getenv("HEADWISE_VECTORS");
  const std::string_view limit = asked ? asked : "wide";
  __builtin_cpu_init();
  if (limit == "wide" && __builtin_cpu_supports("avx512f")) return wide;
  if (limit != "narrow" && __builtin_cpu_supports("avx2")) return medium;
#endif
  return narrow;
}

}  // namespace headwise::simd
