#include "trees/factorizations/eisner.hpp"

#define HEADWISE_KERNELS "trees/kernels/eisner.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(eisner) eisner = widest(wide::eisner, medium::eisner, narrow::eisner);
}  // namespace headwise::simd
