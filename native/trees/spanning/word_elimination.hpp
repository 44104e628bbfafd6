// The inner loop of everything about spanning trees: words leave a sentence one by one, and what went
// through them goes on without them.
//
// Row r of a matrix belongs to the word words[r] (row 0 to the root) and holds one number for every word h:
// how much goes from h to words[r]. When the word of row k leaves,
//
//   row c += row k · (row c at that word) / S     for all c < k,      S = Σ_c (row c at that word)
//
// The last words leave first, down to `stop`. `first` is the first row that counts in S. Two ways to go on:
// with `triangular`, words[r] = r and row c keeps what it had at a word that left, as of when it left; else
// rows go on describing the words that left as well. sums[k] becomes S. Returns the row of a word whose S is
// zero, before it leaves, or `stop`.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <type_traits>
#include <vector>

#include "trees/scaled.hpp"
#include "base/simd.hpp"

namespace headwise::trees {

struct EliminationTask {
  int stride;        // from row to row
  const int* words;  // of each row
  int last, stop, first;
  bool triangular;
};

inline int eliminate(Scaled* matrix, const EliminationTask& task, Scaled* sums) {
  const auto row = [&](int c) { return matrix + static_cast<std::size_t>(c) * task.stride; };
  for (int k = task.last; k > task.stop; --k) {
    const int word = task.words[k];
    Scaled sum;
    for (int c = task.first; c < k; ++c) sum += row(c)[word];
    if (sum.is_zero()) return k;
    sums[k] = sum;
    for (int c = 0; c < k; ++c) {
      const Scaled factor = row(c)[word] / sum;
      const int count = task.triangular ? k : task.stride;
      for (int h = 0; h < count && !factor.is_zero(); ++h) row(c)[h] += factor * row(k)[h];
    }
  }
  return task.stop;
}

}  // namespace headwise::trees

namespace headwise::simd {
inline constexpr int kEliminated = 4;  // words at a time
extern int (*const eliminate)(double* matrix, const EliminationTask& task, double* sums, double* scratch);
// See spanning_marginals.hpp. `count` is a multiple of eight.
extern double (*const compare_heads)(const double* weights, const double* to_root, const double* to_m,
                                     const double* to_other, double root_share, double m_share, bool root_ends,
                                     int count, double* gains);
}  // namespace headwise::simd

namespace headwise::trees {

// The same on doubles, in rows padded to whole Lanes.
inline int eliminate(double* matrix, const EliminationTask& task, double* sums) {
  thread_local simd::AlignedVector<double> scratch;
  scratch.resize(2 * simd::kEliminated * static_cast<std::size_t>(task.stride));
  return simd::eliminate(matrix, task, sums, scratch.data());
}

}  // namespace headwise::trees
