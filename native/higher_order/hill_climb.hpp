// Crossing arcs under higher-order scores: start from the best projective tree and move one head at a time
// while that raises the score (McDonald and Pereira 2006). The best tree may be missed; finding it is
// NP-hard.
#pragma once
#include <span>
#include <vector>

#include "factorizations/candidates.hpp"

namespace headwise {

// Whether `ancestor` lies on the way from `word` to the root (or is `word`).
inline bool is_ancestor(std::span<const int> heads, int ancestor, int word) {
  for (; word > 0; word = heads[static_cast<std::size_t>(word) - 1])
    if (word == ancestor) return true;
  return false;
}

// Raises score(heads) from its present value by single moves to candidate heads, best move of each word
// first, until a whole pass over the words finds none. With a single root, the root word stays.
template <class Score>
double climb(std::vector<int>& heads, const Candidates& arcs, bool single_root, double present, Score score) {
  constexpr double worthwhile = 1e-9;  // so that rounding cannot make it run in circles
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::size_t m = 1; m <= heads.size(); ++m) {
      const int word = static_cast<int>(m), before = heads[m - 1];
      if (single_root && before == 0) continue;
      int best = before;
      for (const int arc : arcs.into(word)) {
        const int h = arcs.head(arc);
        if (h == before || (single_root && h == 0) || is_ancestor(heads, word, h)) continue;
        heads[m - 1] = h;
        if (const double value = score(heads); value > present + worthwhile) {
          present = value;
          best = h;
        }
        heads[m - 1] = before;
      }
      moved |= best != before;
      heads[m - 1] = best;
    }
  }
  return present;
}

}  // namespace headwise
