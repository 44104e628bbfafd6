// Sums over all spanning trees by the Matrix-Tree theorem, without subtracting.
//
// Let a walk go from each word to one of its heads, in proportion to their weights. Words leave one by one, and what went
// through a word k goes on without it:
//
//   M(h, c) += M(h, k) · M(k, c) / S      S = Σ_c M(k, c) over the root and the words that are left      Z = Π S
//
// M(h, c) is the weight of going from h to c; R(h) that of going to the root. The probability that m hangs from h is in
// proportion to w(h, m) · e(h), where e(h) = R(h) / (R(h) + M(h, m)) once all words but m have left: the chance of a
// walk from h to reach the root before m. The eliminations for different m share their beginnings: of every set of
// words, one half leaves a copy and the other half leaves another, all sets at once, until sets are single words. So
// there are n steps, of n² additions each.
//
// With a single root, weights from the root are infinitely small: a weight is ε^order · exp(log), of which sums keep the
// lowest order. Only walks to the root can be of order 1, and Z must be. (native/trees/spanning/spanning_marginals.hpp
// has the same algorithm, a set at a time, and says why it is right.)
#pragma once
#include "scores.cuh"

namespace headwise::kernels {

template <class T, int components>
struct Ordered {
  Log<T, components> log = Log<T, components>::none();
  int order = 0;

  HEADWISE_DEVICE bool possible() const { return log.possible(); }
};

template <class T, int components>
HEADWISE_DEVICE Ordered<T, components> add(const Ordered<T, components>& a, const Ordered<T, components>& b) {
  if (!b.possible() || (a.possible() && a.order < b.order)) return a;
  if (!a.possible() || b.order < a.order) return b;
  return {log_add(a.log, b.log), a.order};
}

// Where walks go on: M, and R in one column for each set of words, which is named by its first word.
template <class T, int components>
struct Walks {
  Table<T, components> to_words, to_root;
  Table<T, 1> orders;  // of R

  HEADWISE_DEVICE Ordered<T, components> root(int h, int set) const {
    return {to_root(h, set), static_cast<int>(orders(h, set).x[0])};
  }
  HEADWISE_DEVICE void set_root(int h, int set, const Ordered<T, components>& weight) const {
    to_root.set(h, set, weight.log);
    orders.set(h, set, Log<T, 1>{{T(weight.order)}});
  }
};

// Two copies of the walks of a sentence, one behind the other in memory.
template <class T, int components>
struct Copies {
  Walks<T, components> first;
  int distance;

  HEADWISE_DEVICE Walks<T, components> operator[](int copy) const {
    Walks<T, components> walks = first;
    walks.to_words.values += copy * distance;
    walks.to_root.values += copy * distance;
    walks.orders.values += copy * distance;
    return walks;
  }
};

// The set of a word when n words are cut into 2^level sets as equal as can be, and the middle where it is cut next.
struct WordSet {
  int begin, middle, end;

  HEADWISE_DEVICE static WordSet number(int n, int level, int set) {
    return {1 + (set * n >> level), 1 + ((2 * set + 1) * n >> (level + 1)), 1 + ((set + 1) * n >> level)};
  }
  // The word that leaves in a step, 0 for none, and those that are left then. The second half leaves the first copy,
  // last words first; the first half leaves the second copy, first words first.
  HEADWISE_DEVICE int leaving(int copy, int step) const {
    const int word = copy == 0 ? end - 1 - step : begin + step;
    return copy == 0 ? (word >= middle ? word : 0) : (word < middle ? word : 0);
  }
  HEADWISE_DEVICE int left_begin(int copy, int leaving) const { return copy == 0 ? begin : leaving + 1; }
  HEADWISE_DEVICE int left_end(int copy, int leaving) const { return copy == 0 ? leaving : end; }
};

// The sets of all words, looked up rather than divided out again for every cell.
struct WordSets {
  int* memory;

  HEADWISE_DEVICE void fill(const Lanes& lanes, int n, int level) const {
    for (int word = 1 + lanes.rank(); word <= n; word += lanes.count()) {
      const WordSet set = WordSet::number(n, level, ((word << level) - 1) / n);
      int* entry = memory + 3 * (word - 1);
      entry[0] = set.begin;
      entry[1] = set.middle;
      entry[2] = set.end;
    }
  }
  HEADWISE_DEVICE WordSet of(int word) const {
    const int* entry = memory + 3 * (word - 1);
    return {entry[0], entry[1], entry[2]};
  }
};

// S of a word that leaves, by the lanes of one task.
template <class T, int components, class ToWord>
HEADWISE_DEVICE Ordered<T, components> weight_of_ways_on(const Lanes& lanes, int begin, int end, int term, int step,
                                                    ToWord to_word, const Ordered<T, components>& root) {
  LogSum<T, components> words;
  for (int c = begin + term; c < end; c += step) words.add(to_word(c));
  words.reduce(lanes, step);
  return add<T, components>({words.value(), 0}, root);
}

// Takes walks apart for every word as the last. Returns log Z in the lane of rank 0.
template <class T, int components>
HEADWISE_DEVICE Ordered<T, components> eliminate(const Lanes& lanes, int n, const Copies<T, components>& walks,
                                            const Walks<T, components>& sums, const WordSets& word_sets) {
  Ordered<T, components> product{Log<T, components>(), 0};
  for (int level = 0; (1 << level) < n; ++level) {
    const int sets = 1 << level, steps = (n + (2 << level) - 1) >> (level + 1);
    word_sets.fill(lanes, n, level);
    lanes.sync();
    for (int step = 0; step < steps; ++step) {
      each_task(lanes, 2 * sets, (n >> level) + 1, [&](int task, int term, int stride) {
        const int copy = task & 1;
        const WordSet set = WordSet::number(n, level, task >> 1);
        const int k = task < 0 ? 0 : set.leaving(copy, step);
        const Walks<T, components> walk = walks[copy];
        Ordered<T, components> root;
        if (k) root = walk.root(k, set.begin);
        const auto sum = weight_of_ways_on<T, components>(
            lanes, k ? set.left_begin(copy, k) : 0, k ? set.left_end(copy, k) : 0, term, stride,
            [&](int c) { return walk.to_words(k, c); }, root);
        if (!k || term > 0) return;
        sums.set_root(copy, set.begin, sum);
        // Those that leave the set of the first word are what Z is a product of; the first word itself comes last.
        if (task == 0 && set.middle > 1) {
          product.log = product.log + sum.log;
          product.order += sum.order;
        }
      });
      lanes.sync();
      each_cell(lanes, 2 * n, n, [&](int row, int column) {
        const int copy = row >= n, h = 1 + row - copy * n, c = 1 + column;
        const WordSet set = word_sets.of(c);
        const int k = set.leaving(copy, step);
        if (!k || h == k) return;
        const Walks<T, components> walk = walks[copy];
        const auto sum = sums.to_root(copy, set.begin), to_k = walk.to_words(h, k);
        if (!sum.possible() || !to_k.possible()) return;
        const auto share = to_k - sum;
        if (c >= set.left_begin(copy, k) && c < set.left_end(copy, k)) {
          const auto way = walk.to_words(k, c);
          if (way.possible()) walk.to_words.set(h, c, log_add(walk.to_words(h, c), share + way));
        }
        if (c == set.begin) {
          const auto root = walk.root(k, c);
          if (root.possible())
            walk.set_root(h, c, add<T, components>(walk.root(h, c),
                                                   {share + root.log, root.order - sums.root(copy, c).order}));
        }
      });
      lanes.sync();
    }
    // Each half of a set is now left in one of the copies, and needed in both.
    each_cell(lanes, n, n, [&](int row, int column) {
      const int h = 1 + row, c = 1 + column;
      const WordSet set = word_sets.of(c);
      const int from = c < set.middle ? 0 : 1;
      walks[1 - from].to_words.set(h, c, walks[from].to_words(h, c));
      if (c != set.begin) return;
      const auto first = walks[0].root(h, c), second = walks[1].root(h, c);
      for (int copy = 0; copy < 2; ++copy) {
        if (set.begin < set.middle) walks[copy].set_root(h, set.begin, first);
        if (set.middle < set.end) walks[copy].set_root(h, set.middle, second);
      }
    });
    lanes.sync();
  }
  const auto last = walks.first.root(1, 1);
  return {product.log + last.log, product.order + last.order};
}

// log Z alone: words leave from the last on, and rows and columns of those that have left stay as they were then. S of a
// word is left in the column 0 of R.
template <class T, int components>
HEADWISE_DEVICE Ordered<T, components> eliminate_all(const Lanes& lanes, int n, const Walks<T, components>& walk) {
  Ordered<T, components> product{Log<T, components>(), 0};
  for (int k = n; k > 1; --k) {
    each_task(lanes, 1, k, [&](int task, int term, int stride) {
      const auto sum = weight_of_ways_on<T, components>(
          lanes, 1, task < 0 ? 1 : k, term, stride, [&](int c) { return walk.to_words(k, c); }, walk.root(k, 1));
      if (task < 0 || term > 0) return;
      walk.set_root(k, 0, sum);
      product.log = product.log + sum.log;
      product.order += sum.order;
    });
    lanes.sync();
    const auto sum = walk.root(k, 0);
    each_cell(lanes, k - 1, k, [&](int row, int c) {
      const int h = 1 + row;
      const auto to_k = walk.to_words(h, k);
      if (!sum.possible() || !to_k.possible()) return;
      const auto share = to_k - sum.log;
      if (c > 0) {
        const auto way = walk.to_words(k, c);
        if (way.possible()) walk.to_words.set(h, c, log_add(walk.to_words(h, c), share + way));
      } else if (const auto root = walk.root(k, 1); root.possible()) {
        walk.set_root(h, 1, add<T, components>(walk.root(h, 1), {share + root.log, root.order - sum.order}));
      }
    });
    lanes.sync();
  }
  const auto last = walk.root(1, 1);
  return {product.log + last.log, product.order + last.order};
}

// put(head, modifier, probability) for all heads of all words, from what is left of the walks when each word is the
// last. arc(head, modifier) is the weight of an arc.
template <class T, int components, class Arc, class Put>
HEADWISE_DEVICE void compare_heads(const Lanes& lanes, int n, bool single_root, const Walks<T, components>& walk,
                                   Arc arc, Put put) {
  const auto gain = [&](int h, int m) -> Ordered<T, components> {
    const auto weight = arc(h, m);
    if (h == 0 || !weight.possible()) return {weight, single_root};
    const auto root = walk.root(h, m);
    const auto ways = add<T, components>({walk.to_words(h, m), 0}, root);
    if (!root.possible()) return {};
    return {weight + root.log - ways.log, root.order - ways.order};
  };
  each_task(lanes, n, n, [&](int task, int term, int stride) {
    const int m = task + 1;
    Ordered<T, components> total;
    int lowest = 2;
    if (task >= 0)
      for (int h = term; h <= n; h += stride)
        if (const auto one = h == m ? Ordered<T, components>() : gain(h, m); one.possible() && one.order < lowest)
          lowest = one.order;
    for (int bits = 1; bits < stride; bits *= 2) {
      const int other = lanes.of_other(lowest, bits);
      if (other < lowest) lowest = other;
    }
    LogSum<T, components> sum;
    if (task >= 0)
      for (int h = term; h <= n; h += stride)
        if (const auto one = h == m ? Ordered<T, components>() : gain(h, m); one.possible() && one.order == lowest)
          sum.add(one.log);
    sum.reduce(lanes, stride);
    if (task < 0) return;
    const auto all = sum.value();
    for (int h = term; h <= n; h += stride) {
      if (h == m) continue;
      const auto one = gain(h, m);
      put(h, m, one.possible() && one.order == lowest ? exp(one.log - all) : Sum<T, components>());
    }
  });
}

}  // namespace headwise::kernels
