#include "trees/factorizations/eisner_sums.hpp"

#define HEADWISE_KERNELS "trees/kernels/eisner_sums.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(eisner_inside) eisner_inside = widest(wide::eisner_inside, medium::eisner_inside, narrow::eisner_inside);
decltype(eisner_outside) eisner_outside = widest(wide::eisner_outside, medium::eisner_outside, narrow::eisner_outside);
}  // namespace headwise::simd
