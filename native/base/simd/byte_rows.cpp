#include "base/simd/byte_product.hpp"

#define HEADWISE_KERNELS "base/simd/byte_rows.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(to_bytes) to_bytes = widest(wide::to_bytes, medium::to_bytes, narrow::to_bytes);
decltype(add_bytes) add_bytes = widest(wide::add_bytes, medium::add_bytes, narrow::add_bytes);
}  // namespace headwise::simd
