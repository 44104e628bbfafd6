#include "trees/score_check.hpp"

#include <limits>

#include "base/simd.hpp"

#define HEADWISE_KERNELS "trees/kernels/score_check.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(are_scores) are_scores = widest(wide::are_scores, medium::are_scores, narrow::are_scores);
}  // namespace headwise::simd
