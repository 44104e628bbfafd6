// The scores of one sentence, taken from a padded batch, and results put there.
#pragma once
#include "numbers.cuh"

namespace headwise::kernels {

// A batch of tables over pairs of nodes, `width` by `width` each. Directions of derivatives are null where there are
// none.
template <class T>
struct Batch {
  const T* scores;
  const T *direction, *second_direction;
  const long long* lengths;
  int sentences, width;
  bool single_root;

  HEADWISE_DEVICE long long offset(int sentence) const { return (long long)sentence * width * width; }
};

// visit(row, column) for all pairs below `rows` and `columns`, shared out so that lanes next to each other have columns
// next to each other.
template <class Visit>
HEADWISE_DEVICE void each_cell(const Lanes& lanes, int rows, int columns, Visit visit) {
  const int row_step = lanes.count() / columns, column_step = lanes.count() % columns;
  int row = lanes.rank() / columns, column = lanes.rank() % columns;
  while (row < rows) {
    visit(row, column);
    row += row_step;
    column += column_step;
    if (column >= columns) {
      column -= columns;
      ++row;
    }
  }
}

// One cell of a Batch or another set of scores with directions. In a search, scores are taken as they are.
template <class T, int components, bool search = false, class Scores>
HEADWISE_DEVICE Log<T, components> load(const Scores& of, long long cell) {
  Log<T, components> weight;
  weight.x[0] = search ? of.scores[cell] : of.scores[cell] * T(kLog2E);
  if (!weight.possible()) return weight;
  if constexpr (components > 1) weight.x[1] = of.direction ? of.direction[cell] : T(0);
  if constexpr (components > 2) weight.x[2] = of.second_direction ? of.second_direction[cell] : T(0);
  return weight;
}

// put(head, modifier, weight) for all arcs; false when a score is NaN or +inf.
template <class T, int components, bool search, class Put>
HEADWISE_DEVICE bool load_arcs(const Lanes& lanes, const Batch<T>& batch, int sentence, int n, Put put) {
  bool bad = false;
  each_cell(lanes, n + 1, n + 1, [&](int head, int modifier) {
    Log<T, components> weight = Log<T, components>::none();
    if (modifier > 0 && head != modifier) {
      const long long cell = batch.offset(sentence) + (long long)head * batch.width + modifier;
      bad |= !is_score(batch.scores[cell]);
      weight = load<T, components, search>(batch, cell);
    }
    put(head, modifier, weight);
  });
  return !lanes.any(bad);
}

// The logarithms of the best head of each word, taken off so that weights are 1 at most; the sum of them is left at
// tops[0], once the lanes have met again. Small numbers keep more digits, and what is best for a word becomes 0 exactly.
// at(choice, modifier) is a reference to the weight of one of the heads that there are to choose from.
template <class T, class At>
HEADWISE_DEVICE void take_off_best(const Lanes& lanes, int n, int choices, T* tops, At at) {
  for (int modifier = 1 + lanes.rank(); modifier <= n; modifier += lanes.count()) {
    T top = impossible<T>();
    for (int choice = 0; choice < choices; ++choice) top = larger(top, at(choice, modifier));
    if (!(top > impossible<T>())) top = 0;
    for (int choice = 0; choice < choices; ++choice) at(choice, modifier) -= top;
    tops[modifier] = top;
  }
  lanes.sync();
  if (lanes.rank() < lanes.warp()) {
    Sum<T, 1> total;
    for (int modifier = 1 + lanes.rank(); modifier <= n; modifier += lanes.warp()) total.x[0] += tops[modifier];
    total.reduce(lanes, lanes.warp());
    if (lanes.rank() == 0) tops[0] = total.x[0];
  }
  lanes.sync();
}

// One value everywhere in the results of a sentence, or only outside the sentence and where there are no arcs.
template <class T>
HEADWISE_DEVICE void fill(const Lanes& lanes, const Batch<T>& batch, int sentence, T* results, int n, T value,
                          bool outside_only) {
  each_cell(lanes, batch.width, batch.width, [&](int head, int modifier) {
    const bool is_arc = modifier > 0 && head != modifier && head <= n && modifier <= n;
    if (!is_arc) results[batch.offset(sentence) + (long long)head * batch.width + modifier] = 0;
    if (is_arc && !outside_only) results[batch.offset(sentence) + (long long)head * batch.width + modifier] = value;
  });
}

// The sum of the arcs of a tree, by the lanes of one warp.
template <class T, class Head>
HEADWISE_DEVICE T tree_score(const Lanes& lanes, const Batch<T>& batch, int sentence, int n, Head head) {
  Sum<T, 1> score;
  for (int m = 1 + lanes.rank() % lanes.warp(); m <= n; m += lanes.warp())
    score.x[0] += batch.scores[batch.offset(sentence) + (long long)head(m) * batch.width + m];
  score.reduce(lanes, lanes.warp());
  return score.x[0];
}

// Nothing yet, where several trees of a sentence go.
HEADWISE_DEVICE void clear_heads(const Lanes& lanes, long long* heads, long long count) {
  for (long long k = lanes.rank(); k < count; k += lanes.count()) heads[k] = -1;
}
template <class T>
HEADWISE_DEVICE void fill_scores(const Lanes& lanes, T* scores, int k, T value) {
  for (int rank = lanes.rank(); rank < k; rank += lanes.count()) scores[rank] = value;
}
// A sentence of no words has one tree.
template <class T>
HEADWISE_DEVICE void fill_empty_sentence(const Lanes& lanes, T* scores, int k) {
  for (int rank = lanes.rank(); rank < k; rank += lanes.count()) scores[rank] = rank == 0 ? T(0) : impossible<T>();
}

template <class T>
HEADWISE_DEVICE T not_a_number() {
  return impossible<T>() - impossible<T>();
}

}  // namespace headwise::kernels
