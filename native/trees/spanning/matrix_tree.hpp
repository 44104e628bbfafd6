// Sums over all spanning trees in O(n³) without a single subtraction.
//
// The Matrix-Tree theorem gives the sum as a determinant (Tutte 1984; Koo, Globerson, Carreras and Collins
// 2007; Koo's thesis, chapter 4), but Gaussian elimination on the Laplacian subtracts, and fails on peaked
// scores. Eliminating one word at a time is the same computation carried out on arc weights: word m leaves,
// and every way h → m → c through it becomes an arc h → c,
//
//   w(h, c) += w(h, m) · w(m, c) / S      S = Σ_h w(h, m)      Z = Π S
//
// With a single root, the root's arcs stay out of S; what is left at the end is the root weight of the last
// word. All numbers are positive and are only added, multiplied and divided, so every result is accurate to
// a relative O(n · 1e-16), the smallest marginal included.
//
// Number is double, or Scaled where doubles would leave their range.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "trees/scaled.hpp"
#include "base/simd.hpp"
#include "trees/spanning/word_elimination.hpp"

namespace headwise::trees {

// weight(h, c), 0 ≤ h, c ≤ n: rows of heads, contiguous in the modifiers and padded to whole vectors.
template <class Number>
class WeightMatrix {
 public:
  explicit WeightMatrix(int nodes = 0)
      : nodes_(nodes),
        stride_(simd::padded(nodes)),
        values_(static_cast<std::size_t>(nodes) * stride_, Number(0.0)) {}
  int nodes() const { return nodes_; }
  int stride() const { return stride_; }
  Number* operator[](int head) { return values_.data() + static_cast<std::size_t>(head) * stride_; }
  const Number* operator[](int head) const {
    return values_.data() + static_cast<std::size_t>(head) * stride_;
  }
  simd::AlignedVector<Number> take_values() && { return std::move(values_); }
  // Renames two words.
  void exchange(int a, int b) {
    for (int c = 0; c < nodes_; ++c) std::swap((*this)[a][c], (*this)[b][c]);
    for (int h = 0; h < nodes_; ++h) std::swap((*this)[h][a], (*this)[h][b]);
  }

 private:
  int nodes_, stride_;
  simd::AlignedVector<Number> values_;
};

// to[c][r] = from[r][c] for all 0 ≤ r, c < size, in tiles that stay in registers.
template <class Number>
void transpose(const Number* from, int from_stride, int size, Number* to, int to_stride) {
  constexpr int kTile = 4;
  const auto move = [&](int r, int c) {
    to[static_cast<std::ptrdiff_t>(c) * to_stride + r] = from[static_cast<std::ptrdiff_t>(r) * from_stride + c];
  };
  int r = 0;
  for (; r + kTile <= size; r += kTile) {
    int c = 0;
    for (; c + kTile <= size; c += kTile) {
      Number tile[kTile][kTile];
      for (int i = 0; i < kTile; ++i)
        for (int j = 0; j < kTile; ++j)
          tile[j][i] = from[static_cast<std::ptrdiff_t>(r + i) * from_stride + c + j];
      for (int j = 0; j < kTile; ++j)
        for (int i = 0; i < kTile; ++i)
          to[static_cast<std::ptrdiff_t>(c + j) * to_stride + r + i] = tile[j][i];
    }
    for (; c < size; ++c)
      for (int i = 0; i < kTile; ++i) move(r + i, c);
  }
  for (; r < size; ++r)
    for (int c = 0; c < size; ++c) move(r, c);
}

namespace matrix_tree {

inline double to_double(double x) { return x; }
inline double to_double(const Scaled& x) {
  return x.exponent < -1100.0 ? 0.0 : std::ldexp(x.significand, static_cast<int>(x.exponent));
}
inline Scaled to_scaled(double x) { return Scaled(x); }
inline Scaled to_scaled(const Scaled& x) { return x; }

}  // namespace matrix_tree

// The words of a sentence eliminated, and what it takes to go back (sample_spanning_tree.hpp).
template <class Number>
struct Elimination {
  WeightMatrix<Number> weights;  // as word_elimination.hpp leaves them, triangular
  std::vector<Number> sums;      // S of each word; sums[1] is the root weight of the last word
  std::vector<int> order;        // order[k] is the word that took place k
  bool has_tree = false;

  Elimination(WeightMatrix<Number> arcs, bool single_root) : weights(std::move(arcs)) {
    const int nodes = weights.nodes();
    sums.assign(nodes, Number(1.0));
    order.resize(nodes);
    for (int k = 0; k < nodes; ++k) order[k] = k;
    const int stop = single_root ? 1 : 0;
    int last = nodes - 1;
    // A word that only the root can head has S = 0: with a single root it waits till the end, where a
    // second one of its kind proves that there is no tree.
    int waiting = 0;
    std::vector<int> rows(order);
    for (;;) {
      last = eliminate(weights[0], {weights.stride(), rows.data(), last, stop, stop, true}, sums.data());
      if (last == stop) break;
      if (!single_root || ++waiting > 1) return;
      weights.exchange(last, 1);
      std::swap(order[last], order[1]);
    }
    if (single_root) sums[1] = weights[0][1];
    has_tree = sums[1] > Number(0.0);
  }

  // The sum over all trees.
  Scaled total() const {
    if (!has_tree) return Scaled::zero();
    Scaled product = Scaled::one();
    for (const auto& sum : sums) product = (product * matrix_tree::to_scaled(sum)).normalized();
    return product;
  }
};

}  // namespace headwise::trees
