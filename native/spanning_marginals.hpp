// The probability of every arc of a random spanning tree, in O(n³) and without subtracting.
//
// Let a walk go from each word to one of its heads, in proportion to their weights. The probability that m
// hangs from h is in proportion to w(h, m) · e(h), where e(h) is the chance of a walk from h to reach the
// root before m: if it reached m first, m would be its own ancestor. With a single root e(h) is the expected
// root weight that the walk collects before it reaches m: the same recursion, with the root left out of what
// weights are compared to. Dividing by the sum over h makes the heads of m sum to one.
//
// Eliminating all words but m leaves for each h two ways on, to m and to the root. The eliminations for
// different m share their beginnings: to serve a set of words, eliminate one half of it and recur on the
// other, and the other way round. A word that has left keeps its row, since walks may start there, so all
// loops are over columns of n numbers; together 1.5 n³ multiplications and additions.
#pragma once
#include <vector>

#include "matrix_tree.hpp"

namespace headwise {

namespace matrix_tree {

// Column c holds the weight of going on from every word to words[c]; column 0 is the root's. The words of
// columns last, last − 1, … leave until `stop` columns beside the root's remain. `first` is 0 where walks
// end at the root. Returns the column of a word that has no way on, or `stop`.
template <class Number>
HEADWISE_INLINE int leave(Number* columns, int nodes, const int* words, int last, int stop, int first) {
  for (int k = last; k > stop; --k) {
    const int word = words[k];
    const Number* through = columns + static_cast<std::size_t>(k) * nodes;
    Number sum(0.0);
    for (int c = first; c < k; ++c) sum += columns[static_cast<std::size_t>(c) * nodes + word];
    if (!(sum > Number(0.0))) return k;
    for (int c = 0; c < k; ++c) {
      Number* column = columns + static_cast<std::size_t>(c) * nodes;
      const Number factor = column[word] / sum;
      if (!(factor > Number(0.0))) continue;
      for (int h = 0; h < nodes; ++h) column[h] += through[h] * factor;
    }
  }
  return stop;
}

HEADWISE_KERNEL inline int leave_words(double* columns, int nodes, const int* words, int last, int stop,
                                       int first) {
  return leave(columns, nodes, words, last, stop, first);
}
inline int leave_words(Scaled* columns, int nodes, const int* words, int last, int stop, int first) {
  return leave(columns, nodes, words, last, stop, first);
}

}  // namespace matrix_tree

// add(h, m, p) with the probability p of every arc; there must be a tree.
template <class Number, class Add>
class SpanningMarginals {
 public:
  SpanningMarginals(const WeightMatrix<Number>& weights, bool single_root, Add add)
      : weights_(weights), nodes_(weights.nodes()), add_(add) {
    Columns all;
    all.values.assign(weights[0], weights[0] + static_cast<std::size_t>(nodes_) * nodes_);
    for (int c = 0; c < nodes_; ++c) all.words.push_back(c);
    all.root = single_root ? Root::collects : Root::ends;
    solve(all);
  }

 private:
  // What the root is to a walk: its end, a place that pays, or (where the single root must be among words
  // that have left) the stand-in for those words, from which nothing else may hang.
  enum class Root { ends, collects, stands_in };
  struct Columns {
    std::vector<Number> values;
    std::vector<int> words;  // of each column, 0 the root
    Root root = Root::ends;
  };

  void solve(const Columns& set) {
    const int size = static_cast<int>(set.words.size()) - 1;
    if (size == 1) return finish(set);
    const int half = size / 2;
    solve(without(set, half + 1, size));
    solve(without(set, 1, half));
  }

  // The columns of the set when those from `from` to `to` have left.
  Columns without(const Columns& set, int from, int to) const {
    Columns rest;
    rest.root = set.root;
    const auto copy = [&](int begin, int end) {
      rest.words.insert(rest.words.end(), set.words.begin() + begin, set.words.begin() + end);
      rest.values.insert(rest.values.end(), set.values.begin() + static_cast<std::size_t>(begin) * nodes_,
                         set.values.begin() + static_cast<std::size_t>(end) * nodes_);
    };
    const int end = static_cast<int>(set.words.size());
    rest.values.reserve(set.values.size());
    copy(0, from);
    copy(to + 1, end);
    const int kept = static_cast<int>(rest.words.size()) - 1;
    copy(from, to + 1);
    for (int last = end - 1; last > kept; --last) {
      const int first = rest.root == Root::collects ? 1 : 0;
      last = matrix_tree::leave_words(rest.values.data(), nodes_, rest.words.data(), last, kept, first);
      if (last == kept) break;
      // Only the root is left to the words that walks to this one come from: the single root is among
      // them, and reaching it is all that counts.
      std::copy_n(rest.values.begin() + static_cast<std::size_t>(last) * nodes_, nodes_, rest.values.begin());
      rest.values[rest.words[last]] = Number(1.0);
      rest.root = Root::stands_in;
    }
    rest.words.resize(kept + 1);
    rest.values.resize(static_cast<std::size_t>(kept + 1) * nodes_);
    return rest;
  }

  // One word m is left: compare its heads.
  void finish(const Columns& set) {
    const int m = set.words[1];
    const Number* to_root = set.values.data();
    const Number* to_m = to_root + nodes_;
    std::vector<Number> gains(nodes_, Number(0.0));
    if (set.root != Root::stands_in) gains[0] = weights_[0][m];
    Number total = gains[0];
    for (int h = 1; h < nodes_; ++h) {
      if (h == m || !(weights_[h][m] > Number(0.0)) || !(to_root[h] > Number(0.0))) continue;
      Number against = to_m[h];
      if (set.root != Root::collects) against += to_root[h];
      gains[h] = weights_[h][m] * (to_root[h] / against);
      total += gains[h];
    }
    for (int h = 0; h < nodes_; ++h)
      if (gains[h] > Number(0.0)) add_(h, m, matrix_tree::to_double(gains[h] / total));
  }

  const WeightMatrix<Number>& weights_;
  int nodes_;
  Add add_;
};

}  // namespace headwise
