#include "scoring/tensor/kernels.hpp"

#define HEADWISE_KERNELS "scoring/tensor/kernels.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(add_rows) add_rows = widest(wide::add_rows, medium::add_rows, narrow::add_rows);
decltype(add_scaled) add_scaled = widest(wide::add_scaled, medium::add_scaled, narrow::add_scaled);
decltype(add_product_of) add_product_of =
    widest(wide::add_product_of, medium::add_product_of, narrow::add_product_of);
decltype(multiply_numbers) multiply_numbers =
    widest(wide::multiply_numbers, medium::multiply_numbers, narrow::multiply_numbers);
decltype(sum_of_product) sum_of_product =
    widest(wide::sum_of_product, medium::sum_of_product, narrow::sum_of_product);
}  // namespace headwise::simd
