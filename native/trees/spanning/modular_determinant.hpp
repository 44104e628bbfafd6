// The number of spanning trees modulo a prime: the Matrix-Tree theorem in a finite field, where there is no
// rounding to fear (Tutte 1984; with a single root, Koo, Globerson, Carreras and Collins 2007, section 3.2).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <utility>
#include <vector>

namespace headwise::trees {

// arc_count(h, m) parallel arcs from h to m, 0 ≤ h < nodes, 1 ≤ m < nodes. O(n³).
template <class ArcCount>
std::uint64_t spanning_tree_count(ArcCount arc_count, int nodes, bool single_root, std::uint64_t prime) {
  __extension__ using Wide = unsigned __int128;
  const auto times = [&](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime);
  };
  const auto minus = [&](std::uint64_t a, std::uint64_t b) { return a >= b ? a - b : a + (prime - b); };
  const auto inverse = [&](std::uint64_t a) {  // Fermat: a^(p − 2)
    std::uint64_t power = 1;
    for (std::uint64_t e = prime - 2; e > 0; e >>= 1, a = times(a, a))
      if (e & 1) power = times(power, a);
    return power;
  };

  // The Laplacian over words; with a single root the root's arcs replace its first row instead of adding to
  // the diagonal.
  const int words = nodes - 1;
  std::vector<std::vector<std::uint64_t>> rows(words, std::vector<std::uint64_t>(words, 0));
  for (int m = 1; m < nodes; ++m)
    for (int h = single_root ? 1 : 0; h < nodes; ++h) {
      if (h == m) continue;
      const std::uint64_t arcs = arc_count(h, m) % prime;
      rows[m - 1][m - 1] = (rows[m - 1][m - 1] + arcs) % prime;
      if (h > 0) rows[h - 1][m - 1] = minus(0, arcs);
    }
  if (single_root)
    for (int m = 1; m < nodes; ++m) rows[0][m - 1] = arc_count(0, m) % prime;

  std::uint64_t determinant = 1;
  for (int k = 0; k < words; ++k) {
    int pivot = k;
    while (pivot < words && rows[pivot][k] == 0) ++pivot;
    if (pivot == words) return 0;
    if (pivot != k) {
      std::swap(rows[pivot], rows[k]);
      determinant = minus(0, determinant);
    }
    determinant = times(determinant, rows[k][k]);
    const std::uint64_t scale = inverse(rows[k][k]);
    for (int i = k + 1; i < words; ++i) {
      const std::uint64_t factor = times(rows[i][k], scale);
      if (factor == 0) continue;
      for (int j = k; j < words; ++j) rows[i][j] = minus(rows[i][j], times(factor, rows[k][j]));
    }
  }
  return determinant;
}

}  // namespace headwise::trees
