#include "base/simd/log_probabilities.hpp"

#include <cmath>

#define HEADWISE_KERNELS "base/simd/log_probabilities.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(to_log_probabilities) to_log_probabilities =
    widest(wide::to_log_probabilities, medium::to_log_probabilities, narrow::to_log_probabilities);
}  // namespace headwise::simd
