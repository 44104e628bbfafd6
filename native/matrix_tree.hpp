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
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "scaled.hpp"
#include "simd.hpp"

namespace headwise {

// weight(h, c), 0 ≤ h, c ≤ n: rows of heads, contiguous in the modifiers.
template <class Number>
class WeightMatrix {
 public:
  explicit WeightMatrix(int nodes = 0)
      : nodes_(nodes), values_(static_cast<std::size_t>(nodes) * nodes, Number(0.0)) {}
  int nodes() const { return nodes_; }
  Number* operator[](int head) { return values_.data() + static_cast<std::size_t>(head) * nodes_; }
  const Number* operator[](int head) const {
    return values_.data() + static_cast<std::size_t>(head) * nodes_;
  }
  // Renames two words.
  void exchange(int a, int b) {
    for (int c = 0; c < nodes_; ++c) std::swap((*this)[a][c], (*this)[b][c]);
    for (int h = 0; h < nodes_; ++h) std::swap((*this)[h][a], (*this)[h][b]);
  }

 private:
  int nodes_;
  std::vector<Number> values_;
};

namespace matrix_tree {

inline double to_double(double x) { return x; }
inline double to_double(const Scaled& x) {
  return x.exponent < -1100.0 ? 0.0 : std::ldexp(x.significand, static_cast<int>(x.exponent));
}
inline Scaled to_scaled(double x) { return Scaled(x); }
inline Scaled to_scaled(const Scaled& x) { return x; }

// Words last, last − 1, … leave, in place: afterwards column m above the diagonal holds w(h, m) and row m
// left of it w(m, c) as they were when m left. S of each word goes to `sums`. `first_head` is 0, or 1 where
// the root's arcs stay out of S. Returns the word where S is zero, or `stop` when all above it have left.
template <class Number>
HEADWISE_INLINE int eliminate(Number* weights, int nodes, int last, int stop, int first_head, Number* sums) {
  for (int m = last; m > stop; --m) {
    Number sum(0.0);
    for (int h = first_head; h < m; ++h) sum += weights[static_cast<std::size_t>(h) * nodes + m];
    if (!(sum > Number(0.0))) return m;
    sums[m] = sum;
    const Number* through = weights + static_cast<std::size_t>(m) * nodes;
    for (int h = 0; h < m; ++h) {
      Number* row = weights + static_cast<std::size_t>(h) * nodes;
      const Number factor = row[m] / sum;
      if (!(factor > Number(0.0))) continue;
      for (int c = 1; c < m; ++c) row[c] += factor * through[c];
    }
  }
  return stop;
}

HEADWISE_KERNEL inline int eliminate_words(double* weights, int nodes, int last, int stop, int first_head,
                                           double* sums) {
  return eliminate(weights, nodes, last, stop, first_head, sums);
}
inline int eliminate_words(Scaled* weights, int nodes, int last, int stop, int first_head, Scaled* sums) {
  return eliminate(weights, nodes, last, stop, first_head, sums);
}

}  // namespace matrix_tree

// The words of a sentence eliminated, and what it takes to go back (sample_spanning_tree.hpp).
template <class Number>
struct Elimination {
  WeightMatrix<Number> weights;  // after elimination, see matrix_tree::eliminate
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
    while ((last = matrix_tree::eliminate_words(weights[0], nodes, last, stop, stop, sums.data())) > stop) {
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

}  // namespace headwise
