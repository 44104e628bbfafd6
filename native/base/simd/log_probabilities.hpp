// Scores to log-probabilities, by the same operations at any width of vectors.
#pragma once
#include "rooms.hpp"

#include "base/simd.hpp"

namespace headwise::simd {
// row -= log Σ exp(row). A score of −inf stays, and has no probability.
extern void (*const to_log_probabilities)(int count, float* row);
}  // namespace headwise::simd
