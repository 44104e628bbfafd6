// Products of matrices of floats.
//
// Written here, and not taken from a BLAS: those sum, by default, in an order that depends on the machine and the number
// of threads, and what is built on these gives the same bytes on any.
#pragma once
#include "rooms.hpp"

#include "base/simd.hpp"

namespace headwise::simd {
// c += a · b, where a lies row by row or column by column.
extern void (*const multiply_add)(int rows, int columns, int inner, const float* a, int a_row, int a_step,
                                  const float* b, int b_row, float* c, int c_row);
}  // namespace headwise::simd
