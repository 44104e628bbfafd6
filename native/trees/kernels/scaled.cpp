#include "trees/scaled.hpp"

#define HEADWISE_KERNELS "trees/kernels/scaled.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(split_exps) split_exps = widest(wide::split_exps, medium::split_exps, narrow::split_exps);
decltype(exp_differences) exp_differences =
    widest(wide::exp_differences, medium::exp_differences, narrow::exp_differences);
decltype(sum_scaled) sum_scaled = widest(wide::sum_scaled, medium::sum_scaled, narrow::sum_scaled);
decltype(relate_scaled) relate_scaled = widest(wide::relate_scaled, medium::relate_scaled, narrow::relate_scaled);
decltype(sum_products) sum_products = widest(wide::sum_products, medium::sum_products, narrow::sum_products);
decltype(share_products) share_products = widest(wide::share_products, medium::share_products, narrow::share_products);
decltype(multiply_scaled) multiply_scaled =
    widest(wide::multiply_scaled, medium::multiply_scaled, narrow::multiply_scaled);
}  // namespace headwise::simd
