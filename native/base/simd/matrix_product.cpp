#include "base/simd/matrix_product.hpp"

#define HEADWISE_KERNELS "base/simd/matrix_product.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(multiply_add) multiply_add = widest(wide::multiply_add, medium::multiply_add, narrow::multiply_add);
}  // namespace headwise::simd
