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
// other, and the other way round. A word that has left keeps its place in the rows, since walks may start
// there, so all loops are over rows of n numbers; together 1.5 n³ multiplications and additions.
#pragma once
#include <algorithm>
#include <deque>
#include <vector>

#include "matrix_tree.hpp"

namespace headwise {

// gains[h] = weights[h] · to_root[h] / (to_m[h], and to_root[h] if walks end at the root); returns the sum.
// Where nothing goes on from h, neither does a gain.
inline Scaled compare_heads(const Scaled* weights, const Scaled* to_root, const Scaled* to_m, bool root_ends,
                            int count, Scaled* gains) {
  Scaled total;
  for (int h = 0; h < count; ++h) {
    Scaled against = to_m[h];
    if (root_ends) against += to_root[h];
    gains[h] = against.is_zero() ? Scaled() : (weights[h] * (to_root[h] / against)).normalized();
    total += gains[h];
  }
  return total;
}
inline double compare_heads(const double* weights, const double* to_root, const double* to_m, bool root_ends,
                            int count, double* gains) {
  return simd::compare_heads(weights, to_root, to_m, root_ends, count, gains);
}

template <class Number>
class SpanningMarginals {
 public:
  // probabilities[m * stride + h] of every arc, with the stride of the weights; false when there is no tree.
  // The object is scratch memory.
  bool run(const WeightMatrix<Number>& weights, bool single_root, double* probabilities) {
    nodes_ = weights.nodes();
    stride_ = weights.stride();
    probabilities_ = probabilities;
    gains_.resize(stride_);
    sums_.resize(stride_);
    into_.resize(weights.values().size());
    for (int h = 0; h < nodes_; ++h)
      for (int m = 0; m < nodes_; ++m) into_[m * stride_ + h] = weights[h][m];
    if (sets_.empty()) sets_.emplace_back();
    sets_[0].values = weights.values();
    sets_[0].words.resize(nodes_);
    for (int r = 0; r < nodes_; ++r) sets_[0].words[r] = r;
    sets_[0].root = single_root ? Root::collects : Root::ends;
    return solve(0);
  }

 private:
  // What the root is to a walk: its end, a place that pays, or (where the single root must be among words
  // that have left) the stand-in for those words, from which nothing else may hang.
  enum class Root { ends, collects, stands_in };
  // How much goes from each word to the root and to the words of a set: word_elimination.hpp's rows.
  struct Set {
    simd::AlignedVector<Number> values;
    std::vector<int> words;
    Root root = Root::ends;
  };

  bool solve(std::size_t depth) {
    const int size = static_cast<int>(sets_[depth].words.size()) - 1;
    if (size == 1) return finish(sets_[depth]);
    if (sets_.size() <= depth + 1) sets_.emplace_back();
    const int half = size / 2;
    return reduce(sets_[depth], half + 1, size, sets_[depth + 1]) && solve(depth + 1) &&
           reduce(sets_[depth], 1, half, sets_[depth + 1]) && solve(depth + 1);
  }

  // What is left of a set when its rows from `from` to `to` have left; false when there is no tree.
  bool reduce(const Set& set, int from, int to, Set& rest) {
    const int end = static_cast<int>(set.words.size());
    rest.root = set.root;
    rest.words.resize(end);
    if (const auto size = static_cast<std::size_t>(end) * stride_; rest.values.size() < size)
      rest.values.resize(size);
    int filled = 0;
    const auto copy = [&](int begin, int behind) {
      std::copy(set.words.begin() + begin, set.words.begin() + behind, rest.words.begin() + filled);
      std::copy(row(set, begin), row(set, behind), row(rest, filled));
      filled += behind - begin;
    };
    copy(0, from);
    copy(to + 1, end);
    const int kept = filled - 1;
    copy(from, to + 1);
    for (int last = end - 1; last > kept; --last) {
      const int first = rest.root == Root::collects ? 1 : 0;
      last = eliminate(rest.values.data(), {stride_, rest.words.data(), last, kept, first, false}, sums_.data());
      if (last == kept) break;
      if (rest.root != Root::collects) return false;
      // Only the root is left to the words that walks to this one come from: the single root is among
      // them, and reaching it is all that counts.
      std::copy(row(rest, last), row(rest, last + 1), row(rest, 0));
      row(rest, 0)[rest.words[last]] = Number(1.0);
      rest.root = Root::stands_in;
    }
    rest.words.resize(kept + 1);
    return true;
  }

  // One word is left: compare its heads. False when it has none.
  bool finish(const Set& set) {
    const int m = set.words[1];
    const Number* weights = into_.data() + static_cast<std::size_t>(m) * stride_;
    Number total = compare_heads(weights, row(set, 0), row(set, 1), set.root != Root::collects, stride_,
                                 gains_.data());
    gains_[0] = set.root == Root::stands_in ? Number(0.0) : weights[0];
    total += gains_[0];
    if (!(total > Number(0.0))) return false;
    double* probabilities = probabilities_ + static_cast<std::size_t>(m) * stride_;
    const Number scale = Number(1.0) / total;
    for (int h = 0; h < nodes_; ++h) probabilities[h] = matrix_tree::to_double(gains_[h] * scale);
    return true;
  }

  Number* row(Set& set, int r) const { return set.values.data() + static_cast<std::size_t>(r) * stride_; }
  const Number* row(const Set& set, int r) const {
    return set.values.data() + static_cast<std::size_t>(r) * stride_;
  }

  int nodes_ = 0, stride_ = 0;
  double* probabilities_ = nullptr;
  std::deque<Set> sets_;  // by depth
  simd::AlignedVector<Number> into_, gains_, sums_;
};

}  // namespace headwise
