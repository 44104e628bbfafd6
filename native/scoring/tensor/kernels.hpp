// The loops of a low-rank tensor over numbers in rows of whole eights.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>

#include "base/simd.hpp"

namespace headwise::simd {
// to += the rows of a table that are named.
extern void (*const add_rows)(const float* table, const std::uint32_t* rows, std::size_t count, int stride, float* to);
// to += amount · x
extern void (*const add_scaled)(const float* x, float amount, int stride, float* to);
// to += amount · x ∘ y
extern void (*const add_product_of)(const float* x, const float* y, float amount, int stride, float* to);
// to = x ∘ y
extern void (*const multiply_numbers)(const float* x, const float* y, int stride, float* to);
// Σ x ∘ y, in eight lanes
extern float (*const sum_of_product)(const float* x, const float* y, int stride);
}  // namespace headwise::simd
