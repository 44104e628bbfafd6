// Matrices of floats, row after row, and the few products of them that a network needs.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>

#include "base/simd/matrix_product.hpp"

namespace headwise::simd {
// See lstm.hpp.
extern void (*const open_gates)(int width, float* gates, const float* before, float* cell, float* squashed,
                                float* output);
// The same where nothing is learned: the cell is replaced, and only the output kept.
extern void (*const pass_gates)(int width, const float* gates, float* cell, float* output);
extern void (*const open_gates_backward)(int width, float* gates, const float* before, const float* squashed,
                                         const float* output_gradient, float* carried);
}  // namespace headwise::simd

namespace headwise::scoring {

using Floats = simd::AlignedVector<float>;

// Some columns of some rows of a matrix that lies elsewhere.
template <class Number>
struct MatrixView {
  Number* data;
  int rows, columns, stride;

  Number* row(int r) const { return data + static_cast<std::ptrdiff_t>(r) * stride; }
  Number& operator()(int r, int c) const { return row(r)[c]; }
  MatrixView rows_from(int begin, int count) const { return {row(begin), count, columns, stride}; }
  MatrixView columns_from(int begin, int count) const { return {data + begin, rows, count, stride}; }
  operator MatrixView<const Number>() const { return {data, rows, columns, stride}; }
};
using MatrixIn = MatrixView<const float>;
using MatrixOut = MatrixView<float>;

class Matrix {
 public:
  // Zeros.
  void reset(int rows, int columns) {
    rows_ = rows;
    columns_ = columns;
    numbers_.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0f);
  }
  // What was there, or zeros.
  void resize(int rows, int columns) {
    rows_ = rows;
    columns_ = columns;
    numbers_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  }
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  MatrixOut view() { return {numbers_.data(), rows_, columns_, columns_}; }
  MatrixIn view() const { return {numbers_.data(), rows_, columns_, columns_}; }
  operator MatrixOut() { return view(); }
  operator MatrixIn() const { return view(); }
  float* row(int r) { return view().row(r); }
  const float* row(int r) const { return view().row(r); }

 private:
  int rows_ = 0, columns_ = 0;
  Floats numbers_;
};

// c += a · b
inline void add_product(MatrixIn a, MatrixIn b, MatrixOut c) {
  simd::multiply_add(a.rows, b.columns, a.columns, a.data, a.stride, 1, b.data, b.stride, c.data, c.stride);
}
// c += aᵀ · b
inline void add_transposed_product(MatrixIn a, MatrixIn b, MatrixOut c) {
  simd::multiply_add(a.columns, b.columns, a.rows, a.data, 1, a.stride, b.data, b.stride, c.data, c.stride);
}

// Columns beyond those that are needed are zeros. A cache line of each row at a time.
inline void transpose(MatrixIn from, Matrix& to, int columns = 0) {
  constexpr int together = 16;
  to.reset(from.columns, std::max(columns, from.rows));
  for (int begin = 0; begin < from.rows; begin += together) {
    const int end = std::min(begin + together, from.rows);
    for (int c = 0; c < from.columns; ++c)
      for (int r = begin; r < end; ++r) to.row(c)[r] = from(r, c);
  }
}

// Every row becomes the same.
inline void fill_rows(const float* row, MatrixOut to) {
  for (int r = 0; r < to.rows; ++r) std::copy(row, row + to.columns, to.row(r));
}
inline void add_rows_to(MatrixIn from, float* sums) {
  for (int r = 0; r < from.rows; ++r)
    for (int c = 0; c < from.columns; ++c) sums[c] += from(r, c);
}

}  // namespace headwise::scoring
