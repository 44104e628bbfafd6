// Whether every entry of a table is −inf or lies between −largest and largest: one pass over what may be large.
#pragma once
#include "rooms.hpp"
#include <cstddef>

namespace headwise::simd {
extern bool (*const are_scores)(const double* values, std::size_t count, double largest);
}
