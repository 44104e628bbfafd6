#include "base/simd/byte_product.hpp"

#define HEADWISE_KERNELS "base/simd/byte_rows.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(to_bytes) to_bytes = widest(wide::to_bytes, medium::to_bytes, narrow::to_bytes);
decltype(sum_byte_rows) sum_byte_rows = widest(wide::sum_byte_rows, medium::sum_byte_rows, narrow::sum_byte_rows);
}  // namespace headwise::simd
