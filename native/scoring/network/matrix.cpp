#include "scoring/network/matrix.hpp"

#define HEADWISE_KERNELS "scoring/network/matrix.inc"
#include "base/simd/each_target.hpp"

namespace headwise::simd {
decltype(open_gates) open_gates = widest(wide::open_gates, medium::open_gates, narrow::open_gates);
decltype(pass_gates) pass_gates = widest(wide::pass_gates, medium::pass_gates, narrow::pass_gates);
decltype(open_gates_backward) open_gates_backward =
    widest(wide::open_gates_backward, medium::open_gates_backward, narrow::open_gates_backward);
}  // namespace headwise::simd
