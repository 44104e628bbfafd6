#include "base/simd/byte_product.hpp"

#include <algorithm>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#ifdef __linux__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif
#endif

#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
#define HEADWISE_AVX_VNNI  // older compilers, and some Clangs, do not know the name
#endif

namespace headwise::simd {
namespace {

namespace plain {
#define HEADWISE_TARGET
constexpr int kTileRows = 2, kTileBlocks = 1;
struct Sums {
  std::int32_t of[kByteColumns];
};
struct Weights {
  const std::uint8_t* bytes;
};
struct Activations {
  const std::int8_t* bytes;
};
HEADWISE_INLINE Sums first_sums(std::int32_t) { return {}; }
HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) { return {from}; }
HEADWISE_INLINE Activations load_activations(const std::int8_t* from) { return {from}; }
HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  for (int c = 0; c < kByteColumns; ++c)
    for (int k = 0; k < kByteGroup; ++k) sums.of[c] += (weights.bytes[c * kByteGroup + k] - kByteZero) * x.bytes[k];
  return sums;
}
HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales, const float* from,
                                float* to) {
  for (int c = 0; c < kByteColumns; ++c)
    to[c] = from[c] + static_cast<float>(sums.of[c]) * (row_scale * column_scales[c]);
}
#include "base/simd/byte_product.inc"
#undef HEADWISE_TARGET
}  // namespace plain

#if defined(__x86_64__) && defined(__GNUC__)

// An unsigned weight is 128 too large, so a sum starts 128 times the sum of its row below zero.
inline constexpr std::int32_t start_below(std::int32_t row_sum) { return -kByteZero * row_sum; }

#define HEADWISE_TARGET
namespace sse2 {
// Bytes become 16 bits, of which products are added up in pairs: a column has two sums.
constexpr int kTileRows = 1, kTileBlocks = 1;
struct Sums {
  __m128i of[8];  // two columns each
};
struct Weights {
  __m128i of[4];
};
using Activations = __m128i;  // four numbers of 16 bits, twice
HEADWISE_INLINE Sums first_sums(std::int32_t row_sum) {
  const __m128i below = _mm_set_epi32(0, start_below(row_sum), 0, start_below(row_sum));
  return {{below, below, below, below, below, below, below, below}};
}
HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) {
  Weights weights;
  for (int i = 0; i < 4; ++i) weights.of[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
  return weights;
}
HEADWISE_INLINE Activations load_activations(const std::int8_t* from) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  const __m128i bytes = _mm_cvtsi32_si128(four);
  const __m128i numbers = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
  return _mm_unpacklo_epi64(numbers, numbers);
}
HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  const __m128i zero = _mm_setzero_si128();
  for (int i = 0; i < 4; ++i) {
    sums.of[2 * i] = _mm_add_epi32(sums.of[2 * i], _mm_madd_epi16(_mm_unpacklo_epi8(weights.of[i], zero), x));
    sums.of[2 * i + 1] = _mm_add_epi32(sums.of[2 * i + 1], _mm_madd_epi16(_mm_unpackhi_epi8(weights.of[i], zero), x));
  }
  return sums;
}
HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales, const float* from,
                                float* to) {
  for (int i = 0; i < 4; ++i) {
    const __m128 low = _mm_castsi128_ps(sums.of[2 * i]), high = _mm_castsi128_ps(sums.of[2 * i + 1]);
    const __m128i even = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i odd = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128 scale = _mm_mul_ps(_mm_set1_ps(row_scale), _mm_loadu_ps(column_scales + 4 * i));
    const __m128 number = _mm_mul_ps(_mm_cvtepi32_ps(_mm_add_epi32(even, odd)), scale);
    _mm_storeu_ps(to + 4 * i, _mm_add_ps(_mm_loadu_ps(from + 4 * i), number));
  }
}
#include "base/simd/byte_product.inc"
}  // namespace sse2
#undef HEADWISE_TARGET

// The scaled sums of eight columns: avx2 and avx_vnni hold them alike.
#define HEADWISE_TARGET __attribute__((target("avx2")))
HEADWISE_TARGET HEADWISE_INLINE void add_scaled_eight(__m256i sums, __m256 row_scale, const float* column_scales,
                                                      const float* from, float* to) {
  const __m256 scale = _mm256_mul_ps(row_scale, _mm256_loadu_ps(column_scales));
  const __m256 number = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scale);
  _mm256_storeu_ps(to, _mm256_add_ps(_mm256_loadu_ps(from), number));
}
struct TwoVectors {
  __m256i of[2];
};

namespace avx2 {
// Products of unsigned and signed bytes are added up in pairs, in 16 bits: 2 · 127 · 127 fits, 2 · 255 · 127 would not.
// So the sign moves from one factor to the other.
constexpr int kTileRows = 4, kTileBlocks = 1;
using Sums = TwoVectors;
using Weights = TwoVectors;
struct Activations {
  __m256i size, sign;
};
HEADWISE_TARGET HEADWISE_INLINE Sums first_sums(std::int32_t) {
  return {{_mm256_setzero_si256(), _mm256_setzero_si256()}};
}
HEADWISE_TARGET HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) {
  const __m256i zero = _mm256_set1_epi8(static_cast<char>(kByteZero));
  const auto* vectors = reinterpret_cast<const __m256i*>(from);
  return {
      {_mm256_xor_si256(_mm256_loadu_si256(vectors), zero), _mm256_xor_si256(_mm256_loadu_si256(vectors + 1), zero)}};
}
HEADWISE_TARGET HEADWISE_INLINE Activations load_activations(const std::int8_t* from) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  const __m256i x = _mm256_set1_epi32(four);
  return {_mm256_abs_epi8(x), x};
}
HEADWISE_TARGET HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  for (int i = 0; i < 2; ++i) {
    const __m256i pairs = _mm256_maddubs_epi16(x.size, _mm256_sign_epi8(weights.of[i], x.sign));
    sums.of[i] = _mm256_add_epi32(sums.of[i], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
  return sums;
}
HEADWISE_TARGET HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales,
                                                const float* from, float* to) {
  for (int i = 0; i < 2; ++i)
    add_scaled_eight(sums.of[i], _mm256_set1_ps(row_scale), column_scales + 8 * i, from + 8 * i, to + 8 * i);
}
#include "base/simd/byte_product.inc"
}  // namespace avx2
#undef HEADWISE_TARGET

// Four products of unsigned and signed bytes are added to a sum by one instruction, VPDPBUSD. It is written as such:
// around its intrinsic, some compilers keep sums in memory, which takes twice the time.
#ifdef HEADWISE_AVX_VNNI
#define HEADWISE_TARGET __attribute__((target("avx2,avxvnni")))
namespace avx_vnni {
constexpr int kTileRows = 4, kTileBlocks = 1;
using Sums = TwoVectors;
using Weights = TwoVectors;
using Activations = __m256i;
HEADWISE_TARGET HEADWISE_INLINE Sums first_sums(std::int32_t row_sum) {
  const __m256i below = _mm256_set1_epi32(start_below(row_sum));
  return {{below, below}};
}
HEADWISE_TARGET HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) {
  const auto* vectors = reinterpret_cast<const __m256i*>(from);
  return {{_mm256_loadu_si256(vectors), _mm256_loadu_si256(vectors + 1)}};
}
HEADWISE_TARGET HEADWISE_INLINE Activations load_activations(const std::int8_t* from) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  return _mm256_set1_epi32(four);
}
HEADWISE_TARGET HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  for (int i = 0; i < 2; ++i) asm("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sums.of[i]) : "x"(weights.of[i]), "x"(x));
  return sums;
}
HEADWISE_TARGET HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales,
                                                const float* from, float* to) {
  for (int i = 0; i < 2; ++i)
    add_scaled_eight(sums.of[i], _mm256_set1_ps(row_scale), column_scales + 8 * i, from + 8 * i, to + 8 * i);
}
#include "base/simd/byte_product.inc"
}  // namespace avx_vnni
#undef HEADWISE_TARGET
#endif

#define HEADWISE_TARGET __attribute__((target("avx512f,avx512vnni")))
namespace avx512_vnni {
constexpr int kTileRows = 8, kTileBlocks = 3;
using Sums = __m512i;
using Weights = __m512i;
using Activations = __m512i;
HEADWISE_TARGET HEADWISE_INLINE Sums first_sums(std::int32_t row_sum) {
  return _mm512_set1_epi32(start_below(row_sum));
}
HEADWISE_TARGET HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
HEADWISE_TARGET HEADWISE_INLINE Activations load_activations(const std::int8_t* from) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  return _mm512_set1_epi32(four);
}
HEADWISE_TARGET HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(weights), "v"(x));
  return sums;
}
HEADWISE_TARGET HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales,
                                                const float* from, float* to) {
  const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(row_scale), _mm512_loadu_ps(column_scales));
  // Not _mm512_cvtepi32_ps, which some compilers warn of.
  const __m512 number = _mm512_mul_ps(__builtin_convertvector((__v16si)sums, __m512), scale);
  _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(from), number));
}
#include "base/simd/byte_product.inc"
}  // namespace avx512_vnni
#undef HEADWISE_TARGET

#elif defined(__ARM_NEON) && defined(__aarch64__)

#ifdef __clang__
#define HEADWISE_TARGET __attribute__((target("dotprod")))
#else
#define HEADWISE_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
namespace neon_dot {
constexpr int kTileRows = 4, kTileBlocks = 1;
struct Sums {
  int32x4_t of[4];
};
struct Weights {
  int8x16_t of[4];
};
using Activations = int8x16_t;
HEADWISE_TARGET HEADWISE_INLINE Sums first_sums(std::int32_t) {
  const int32x4_t zero = vdupq_n_s32(0);
  return {{zero, zero, zero, zero}};
}
HEADWISE_TARGET HEADWISE_INLINE Weights load_weights(const std::uint8_t* from) {
  Weights weights;
  for (int i = 0; i < 4; ++i)
    weights.of[i] = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(from + 16 * i), vdupq_n_u8(kByteZero)));
  return weights;
}
HEADWISE_TARGET HEADWISE_INLINE Activations load_activations(const std::int8_t* from) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof four);
  return vreinterpretq_s8_s32(vdupq_n_s32(four));
}
HEADWISE_TARGET HEADWISE_INLINE Sums add_products(Sums sums, const Weights& weights, const Activations& x) {
  for (int i = 0; i < 4; ++i) sums.of[i] = vdotq_s32(sums.of[i], weights.of[i], x);
  return sums;
}
HEADWISE_TARGET HEADWISE_INLINE void add_scaled(const Sums& sums, float row_scale, const float* column_scales,
                                                const float* from, float* to) {
  for (int i = 0; i < 4; ++i) {
    const float32x4_t scale = vmulq_f32(vdupq_n_f32(row_scale), vld1q_f32(column_scales + 4 * i));
    vst1q_f32(to + 4 * i, vaddq_f32(vld1q_f32(from + 4 * i), vmulq_f32(vcvtq_f32_s32(sums.of[i]), scale)));
  }
}
#include "base/simd/byte_product.inc"
}  // namespace neon_dot
#undef HEADWISE_TARGET

bool has_dot_products() {
#ifdef __linux__
  return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
#else
  return true;  // every ARM processor of Apple's has them
#endif
}

#endif

std::vector<ByteKernel> runnable_kernels() {
  std::vector<ByteKernel> kernels;
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512vnni")) kernels.push_back({"avx512-vnni", 8, avx512_vnni::multiply});
#ifdef HEADWISE_AVX_VNNI
  if (__builtin_cpu_supports("avxvnni")) kernels.push_back({"avx-vnni", 4, avx_vnni::multiply});
#endif
  if (__builtin_cpu_supports("avx2")) kernels.push_back({"avx2", 4, avx2::multiply});
  kernels.push_back({"sse2", 2, sse2::multiply});
#elif defined(__ARM_NEON) && defined(__aarch64__)
  if (has_dot_products()) kernels.push_back({"neon-dot", 2, neon_dot::multiply});
#endif
  kernels.push_back({"plain", 1, plain::multiply});
  return kernels;
}

}  // namespace

std::span<const ByteKernel> byte_kernels() {
  static const std::vector<ByteKernel> kernels = runnable_kernels();
  return kernels;
}

// HEADWISE_VECTORS limits the choice, as in simd::widest. Here it may be plain, too.
MultiplyBytes* const multiply_bytes = [] {
  const char* asked = std::getenv("HEADWISE_VECTORS");
  const std::string_view limit = asked ? asked : "wide";
  const int width = limit == "plain" ? 1 : limit == "narrow" ? 2 : limit == "medium" ? 4 : 8;
  const std::span<const ByteKernel> kernels = byte_kernels();
  return std::find_if(kernels.begin(), kernels.end(), [&](const auto& kernel) { return kernel.width <= width; })
      ->multiply;
}();

}  // namespace headwise::simd
