// Rows of floats as bytes, for products with matrices of bytes.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "base/simd/byte_product.hpp"
#include "scoring/network/matrix.hpp"

namespace headwise::scoring {

class ByteRows {
 public:
  // Every row has a scale of its own, so what a row becomes does not depend on the others.
  void assign(MatrixIn x) {
    resize(x.rows, x.columns);
    for (int r = 0; r < rows_; ++r)
      simd::to_bytes(x.columns, x.row(r), row(r), &scales_[at(r)],
                     &sums_[at(r)]);
  }
  // So many rows, to be copied from others.
  void resize(int rows, int columns) {
    const int stride = simd::byte_groups(columns) * simd::kByteGroup;
    if (stride != stride_ || columns != columns_) bytes_.clear();  // what is beyond the last column must be 0
    rows_ = rows;
    columns_ = columns;
    stride_ = stride;
    bytes_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride));
    scales_.resize(static_cast<std::size_t>(rows));
    sums_.resize(static_cast<std::size_t>(rows));
  }
  void copy_row(const ByteRows& from, int r, int to) {
    std::copy_n(from.row(r), stride_, row(to));
    scales_[at(to)] = from.scales_[at(r)];
    sums_[at(to)] = from.sums_[at(r)];
  }

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  simd::ByteRowsView view() const { return {bytes_.data(), stride_, scales_.data(), sums_.data(), rows_}; }
  operator simd::ByteRowsView() const { return view(); }

 private:
  std::int8_t* row(int r) { return bytes_.data() + r * stride_; }
  const std::int8_t* row(int r) const { return bytes_.data() + r * stride_; }

  int rows_ = 0, columns_ = 0;
  std::ptrdiff_t stride_ = 0;
  simd::AlignedVector<std::int8_t> bytes_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
};

// c += x · matrix; c has the padded columns of the matrix.
inline void add_product(const simd::ByteRowsView& x, const simd::ByteMatrix& matrix, MatrixOut c) {
  simd::multiply_bytes(x, matrix, {c.data, c.stride}, {c.data, c.stride});
}
// c = bias + x · matrix
inline void set_product(const simd::ByteRowsView& x, const simd::ByteMatrix& matrix, const float* bias, MatrixOut c) {
  simd::multiply_bytes(x, matrix, {bias, 0}, {c.data, c.stride});
}

}  // namespace headwise::scoring
