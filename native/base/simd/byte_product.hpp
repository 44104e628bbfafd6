// Products of matrices of signed bytes, in whole numbers: sums of those are the same in any order, so all kernels give
// the same bytes whatever the processor, and a test holds each of them to the plain one.
//
// What is multiplied by is stored for the instructions that add up four products of bytes at once: in blocks of 16
// columns, and in each block four numbers of each column, then the next four. Its numbers, from -127 to 127, are stored
// with 128 added, because the instructions of AVX-512 and AVX-VNNI multiply unsigned bytes by signed ones.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/simd.hpp"

namespace headwise::simd {

inline constexpr int kByteColumns = 16, kByteGroup = 4;
inline constexpr int kByteLimit = 127, kByteZero = 128;

constexpr int byte_groups(int inner) { return (inner + kByteGroup - 1) / kByteGroup; }
constexpr int padded_byte_columns(int columns) { return (columns + kByteColumns - 1) / kByteColumns * kByteColumns; }
// How many bytes a matrix takes, and where each of its numbers is.
constexpr std::size_t packed_bytes(int inner, int columns) {
  return static_cast<std::size_t>(padded_byte_columns(columns)) * static_cast<std::size_t>(byte_groups(inner)) *
         kByteGroup;
}
constexpr std::size_t packed_byte(int inner, int row, int column) {
  const auto block = static_cast<std::size_t>(column / kByteColumns),
             groups = static_cast<std::size_t>(byte_groups(inner));
  return ((block * groups + static_cast<std::size_t>(row / kByteGroup)) * kByteColumns +
          static_cast<std::size_t>(column % kByteColumns)) *
             kByteGroup +
         static_cast<std::size_t>(row % kByteGroup);
}

// Rows of signed bytes, each of which stands for the number times the scale of its row. `sums` are those of the bytes.
struct ByteRowsView {
  const std::int8_t* bytes;
  std::ptrdiff_t stride;  // at least four bytes a group: those beyond the last number are 0
  const float* scales;
  const std::int32_t* sums;
  int rows;

  ByteRowsView rows_from(int begin, int count) const {
    return {bytes + begin * stride, stride, scales + begin, sums + begin, count};
  }
};
// A matrix of bytes as described above, each of which stands for the number times the scale of its column. There are as
// many scales as padded columns.
struct ByteMatrix {
  const std::uint8_t* bytes;
  const float* scales;
  int inner, columns;
};

// Rows of floats: of all the same where the stride is 0.
template <class Number>
struct FloatRows {
  Number* data;
  std::ptrdiff_t stride;
  Number* row(int r) const { return data + r * stride; }
};
// c = start + a · b, where start may be c. Rows of both have the padded columns of b.
using MultiplyBytes = void(const ByteRowsView& a, const ByteMatrix& b, FloatRows<const float> start,
                           FloatRows<float> c);
extern MultiplyBytes* const multiply_bytes;

// A row of floats to bytes: the largest number becomes 127 or -127. Sets its scale and its sum too.
extern void (*const to_bytes)(int count, const float* from, std::int8_t* to, float* scale, std::int32_t* sum);
// to = Σ scale · (bytes - 128), of some rows of a table of `width` bytes each, added up in their order.
extern void (*const sum_byte_rows)(int width, const std::uint8_t* table, const float* scales, std::span<const int> rows,
                                   float* to);

struct ByteKernel {
  std::string_view name;
  int width;  // of its vectors, in doubles
  MultiplyBytes* multiply;
};
// Those that this processor can run, the quickest first; the plain one is the last.
std::span<const ByteKernel> byte_kernels();

}  // namespace headwise::simd
