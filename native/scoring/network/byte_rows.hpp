// Rows of floats as bytes, for products with matrices of bytes.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <vector>

#include "base/simd/byte_product.hpp"
#include "scoring/network/matrix.hpp"

namespace headwise::scoring {

class ByteRows {
 public:
  // Every row has a scale of its own, so what a row becomes does not depend on the others.
  void assign(MatrixIn x) {
    rows_ = x.rows;
    const int stride = simd::byte_groups(x.columns) * simd::kByteGroup;
    if (stride != stride_ || x.columns != columns_) bytes_.clear();  // what is beyond the last column must be 0
    stride_ = stride;
    columns_ = x.columns;
    const auto rows = static_cast<std::size_t>(rows_);
    bytes_.resize(rows * static_cast<std::size_t>(stride_));
    scales_.resize(rows);
    sums_.resize(rows);
    for (int r = 0; r < rows_; ++r)
      simd::to_bytes(x.columns, x.row(r), bytes_.data() + static_cast<std::ptrdiff_t>(r) * stride_,
                     &scales_[static_cast<std::size_t>(r)], &sums_[static_cast<std::size_t>(r)]);
  }
  simd::ByteRowsView view() const { return {bytes_.data(), stride_, scales_.data(), sums_.data(), rows_}; }

 private:
  int rows_ = 0, columns_ = 0;
  std::ptrdiff_t stride_ = 0;
  simd::AlignedVector<std::int8_t> bytes_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
};

// c += x · matrix; c has the padded columns of the matrix.
inline void add_product(const ByteRows& x, const simd::ByteMatrix& matrix, MatrixOut c) {
  simd::multiply_bytes(x.view(), matrix, {c.data, c.stride}, {c.data, c.stride});
}
// c = bias + x · matrix
inline void set_product(const ByteRows& x, const simd::ByteMatrix& matrix, const float* bias, MatrixOut c) {
  simd::multiply_bytes(x.view(), matrix, {bias, 0}, {c.data, c.stride});
}

}  // namespace headwise::scoring
