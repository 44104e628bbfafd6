#include "trees/spanning/word_elimination.hpp"

#define HEADWISE_KERNELS "trees/kernels/elimination.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(eliminate) eliminate = widest(wide::eliminate, medium::eliminate, narrow::eliminate);
decltype(compare_heads) compare_heads = widest(wide::compare_heads, medium::compare_heads, narrow::compare_heads);
}  // namespace headwise::simd
