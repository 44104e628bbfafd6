// Includes the file HEADWISE_KERNELS once for each width of vectors (see simd.hpp). On purpose without a guard.
#ifdef __x86_64__
#include <immintrin.h>
#endif

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define HEADWISE_WIDTH 8
namespace headwise::simd::wide {
#ifndef HEADWISE_LANES  // the first kernel file of a source file brings them
#include "base/simd/lanes.inc"
#endif
#include HEADWISE_KERNELS
}
#undef HEADWISE_WIDTH
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define HEADWISE_WIDTH 4
namespace headwise::simd::medium {
#ifndef HEADWISE_LANES  // the first kernel file of a source file brings them
#include "base/simd/lanes.inc"
#endif
#include HEADWISE_KERNELS
}
#undef HEADWISE_WIDTH
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#elif defined(__x86_64__) && defined(__GNUC__)
#pragma GCC pop_options
#endif
#define HEADWISE_WIDTH 2
namespace headwise::simd::narrow {
#ifndef HEADWISE_LANES  // the first kernel file of a source file brings them
#include "base/simd/lanes.inc"
#endif
#include HEADWISE_KERNELS
}
#undef HEADWISE_WIDTH
#undef HEADWISE_KERNELS
#define HEADWISE_LANES
