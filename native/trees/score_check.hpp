// Whether every entry of a table is −inf or lies between −largest and largest: one pass over what may be large.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <limits>

#include "base/simd.hpp"

#define HEADWISE_KERNELS "trees/kernels/score_check.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
inline const auto are_scores = widest(wide::are_scores, medium::are_scores, narrow::are_scores);
}
