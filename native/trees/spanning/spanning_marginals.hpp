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
#include "rooms.hpp"
#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "trees/spanning/matrix_tree.hpp"

namespace headwise::trees {

// The ways on from every h when one word m is left, or two: what goes from h to the root, to m, and to the
// other word; of the last, the shares that go on to the root and to m.
template <class Number>
struct WaysOn {
  const Number *to_root, *to_m, *to_other;
  Number root_share{0.0}, m_share{0.0};
};

// gains[h] = weights[h] · to the root / (to m, and to the root if walks end there); returns the sum. Where
// nothing goes on from h, neither does a gain.
inline Scaled compare_heads(const Scaled* weights, const WaysOn<Scaled>& ways, bool root_ends, int count,
                            Scaled* gains) {
  Scaled total;
  for (int h = 0; h < count; ++h) {
    Scaled to_root = ways.to_root[h], against = ways.to_m[h];
    to_root += ways.to_other[h] * ways.root_share;
    against += ways.to_other[h] * ways.m_share;
    if (root_ends) against += to_root;
    gains[h] = against.is_zero() ? Scaled() : (weights[h] * (to_root / against)).normalized();
    total += gains[h];
  }
  return total;
}
inline double compare_heads(const double* weights, const WaysOn<double>& ways, bool root_ends, int count,
                            double* gains) {
  return simd::compare_heads(weights, ways.to_root, ways.to_m, ways.to_other, ways.root_share, ways.m_share,
                             root_ends, count, gains);
}

template <class Number>
class SpanningMarginals {
 public:
  // probabilities[m * stride + h] of every arc, with the stride of the weights; false when there is no tree.
  // The object is scratch memory.
  bool run(WeightMatrix<Number>&& weights, bool single_root, double* probabilities) {
    nodes_ = weights.nodes();
    stride_ = weights.stride();
    probabilities_ = probabilities;
    gains_.resize(stride_);
    sums_.resize(stride_);
    into_.resize(static_cast<std::size_t>(nodes_) * stride_);
    transpose(weights[0], stride_, nodes_, into_.data(), stride_);
    if (sets_.empty()) sets_.emplace_back();
    sets_[0].values = std::move(weights).take_values();
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

  // The first half of the words leaves a copy of the set, the other half then leaves the set itself.
  bool solve(std::size_t depth) {
    if (sets_.size() <= depth + 1) sets_.emplace_back();
    Set& set = sets_[depth];
    for (int size; (size = static_cast<int>(set.words.size()) - 1) > 1;) {
      if (size == 2 && finish_pair(set)) return true;
      const int half = size / 2;
      copy_with_first_last(set, half, sets_[depth + 1]);
      if (!reduce(sets_[depth + 1], size - half) || !solve(depth + 1) || !reduce(set, half)) return false;
    }
    return finish(set);
  }

  // A copy in which the rows from 1 to `half` come last.
  void copy_with_first_last(const Set& set, int half, Set& copy) const {
    const int end = static_cast<int>(set.words.size());
    copy.root = set.root;
    copy.words.resize(end);
    if (const auto size = static_cast<std::size_t>(end) * stride_; copy.values.size() < size)
      copy.values.resize(size);
    int filled = 0;
    for (const auto& [begin, behind] : {std::pair{0, 1}, std::pair{half + 1, end}, std::pair{1, half + 1}}) {
      std::copy(set.words.begin() + begin, set.words.begin() + behind, copy.words.begin() + filled);
      std::copy(row(set, begin), row(set, behind), row(copy, filled));
      filled += behind - begin;
    }
  }

  // The rows behind `kept` leave; false when there is no tree.
  bool reduce(Set& set, int kept) {
    for (int last = static_cast<int>(set.words.size()) - 1; last > kept; --last) {
      const int first = set.root == Root::collects ? 1 : 0;
      last = eliminate(set.values.data(), {stride_, set.words.data(), last, kept, first, false}, sums_.data());
      if (last == kept) break;
      if (set.root != Root::collects) return false;
      // Only the root is left to the words that walks to this one come from: the single root is among
      // them, and reaching it is all that counts.
      std::copy(row(set, last), row(set, last + 1), row(set, 0));
      row(set, 0)[set.words[last]] = Number(1.0);
      set.root = Root::stands_in;
    }
    set.words.resize(kept + 1);
    return true;
  }

  // One word is left. False when it has no head.
  bool finish(const Set& set) { return finish(set, 1, {row(set, 0), row(set, 1), row(set, 1)}); }

  // Two words are left: each is compared as the other leaves, in one go. False where that cannot leave.
  bool finish_pair(const Set& set) {
    for (const int kept : {1, 2}) {
      const int leaving = set.words[3 - kept];
      const Number to_root = row(set, 0)[leaving], to_kept = row(set, kept)[leaving];
      Number sum = to_kept;
      if (set.root != Root::collects) sum += to_root;
      if (!(sum > Number(0.0))) return false;
      if (!finish(set, kept, {row(set, 0), row(set, kept), row(set, 3 - kept), to_root / sum, to_kept / sum}))
        return false;
    }
    return true;
  }

  // Compares the heads of the word of a row.
  bool finish(const Set& set, int kept, const WaysOn<Number>& ways) {
    const int m = set.words[kept];
    const Number* weights = into_.data() + static_cast<std::size_t>(m) * stride_;
    Number total = compare_heads(weights, ways, set.root != Root::collects, stride_, gains_.data());
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

}  // namespace headwise::trees
