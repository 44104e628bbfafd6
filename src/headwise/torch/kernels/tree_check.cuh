// Whether heads are a tree of a structure.
#pragma once
#include "lanes.cuh"

namespace headwise::kernels {

// heads[m − 1] of n words: every word has a head, none is its own ancestor, one word hangs from the root if there is to
// be one, and no arcs cross in a projective tree. O(n²).
HEADWISE_DEVICE bool is_tree(const Lanes& lanes, const long long* heads, int n, bool projective, bool single_root) {
  bool bad = false;
  for (int m = 1 + lanes.rank(); m <= n; m += lanes.count())
    bad |= heads[m - 1] < 0 || heads[m - 1] > n || heads[m - 1] == m;
  if (lanes.any(bad)) return false;
  int roots = 0;
  for (int m = 1 + lanes.rank(); m <= n; m += lanes.count()) {
    int node = m, steps = 0;
    for (; node != 0 && steps <= n; ++steps) node = static_cast<int>(heads[node - 1]);
    bad |= node != 0;
    if (projective) {
      const int head = static_cast<int>(heads[m - 1]), low = head < m ? head : m, high = head < m ? m : head;
      for (int word = low + 1; word < high; ++word) bad |= heads[word - 1] < low || heads[word - 1] > high;
    }
  }
  if (single_root)  // every lane counts for itself: the words are few
    for (int m = 1; m <= n; ++m) roots += heads[m - 1] == 0;
  return !lanes.any(bad) && (!single_root || n == 0 || roots == 1);
}

}  // namespace headwise::kernels
