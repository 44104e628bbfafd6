// What is asked of the projective trees of one sentence of a batch. `memory` is for charts; how much each verb needs is
// said in headwise/torch/chart_memory.py.
#pragma once
#include "best_walks.cuh"
#include "choices.cuh"
#include "projective.cuh"

namespace headwise::kernels {

// log Z, and the probability of every arc where `marginals` is not null: with directions, its derivative in them. A
// sentence without a tree has log Z = −inf and probabilities 0; one with NaN or +inf among its scores has NaN.
template <class T, int components>
HEADWISE_DEVICE void projective_sums(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory,
                                     T* log_partitions, T* marginals) {
  const int n = static_cast<int>(batch.lengths[sentence]);
  if (n == 0) {
    if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = 0;
    if (marginals) fill(lanes, batch, sentence, marginals, n, T(0), true);
    return;
  }
  Memory<T, components> tables(memory, n);
  ProjectiveChart<T, components> chart{n, batch.single_root, tables.table(), tables.table(), {}, {}};
  if (marginals) {
    chart.joined = tables.table();
    chart.outside = tables.table();
  }
  const auto arcs = chart.incomplete;
  T* tops = tables.rest();
  const bool valid = load_arcs<T, components, false>(
      lanes, batch, sentence, n, [&](int h, int m, const Log<T, components>& weight) { arcs.set(h, m, weight); });
  take_off_best<T>(lanes, n, n + 1, tops, [&](int h, int m) -> T& { return arcs.values[h * arcs.stride + m]; });
  const T shift = tops[0];
  if (valid) {
    if (marginals)
      inside<LogSum<T, components>, true>(lanes, chart);
    else
      inside<LogSum<T, components>, false>(lanes, chart);
  }
  const T total = valid ? (chart.total().x[0] + shift) * T(kLn2) : not_a_number<T>();
  if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = total;
  if (!marginals) return;
  const bool has_tree = total > impossible<T>();
  fill(lanes, batch, sentence, marginals, n, valid ? T(0) : total, has_tree);
  if (!has_tree) return;
  outside(lanes, chart, [&](int h, int m, const Sum<T, components>& probability) {
    marginals[batch.offset(sentence) + (long long)h * batch.width + m] = probability.x[components - 1];
  });
}

// The chart of the best trees of a sentence, smallest spans first; whether all scores are some.
template <class T>
HEADWISE_DEVICE bool search(const Lanes& lanes, const Batch<T>& batch, int sentence,
                            const ProjectiveChart<T, 1>& chart) {
  const auto arcs = chart.incomplete;
  const bool valid = load_arcs<T, 1, true>(
      lanes, batch, sentence, chart.n, [&](int h, int m, const Log<T, 1>& weight) { arcs.set(h, m, weight); });
  if (valid) inside<Largest<T>, false>(lanes, chart);
  return valid;
}

// heads[sentence * (width − 1) + m − 1] and the score of the best tree; −1 and −inf where there is none, −1 and NaN
// where scores are NaN or +inf. Behind the last word, −1.
template <class T>
HEADWISE_DEVICE void projective_argmax(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory,
                                       long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * words;
  clear_heads(lanes, of_sentence, words);
  if (n == 0) {
    if (lanes.rank() == 0) scores[sentence] = 0;
    return;
  }
  Memory<T, 1> tables(memory, n);
  const ProjectiveChart<T, 1> chart{n, batch.single_root, tables.table(), tables.table(), {}, {}};
  const T total = search(lanes, batch, sentence, chart) ? chart.total().x[0] : not_a_number<T>();
  if (lanes.rank() == 0) scores[sentence] = total;
  if (!(total > impossible<T>()) || lanes.rank() >= lanes.warp()) return;
  BestChoices<T> pick;
  walk(lanes, chart, tables.integers(n + 1), pick, [&](int h, int m) { of_sentence[m - 1] = h; });
}

// The k best trees, best first, as several trees and scores a sentence; nothing where there are no more.
template <class T>
HEADWISE_DEVICE void projective_top_k(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory, int k,
                                      long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * k * words;
  T* of_trees = scores + (long long)sentence * k;
  clear_heads(lanes, of_sentence, (long long)k * words);
  if (n == 0) return fill_empty_sentence(lanes, of_trees, k);
  Memory<T, 1> tables(memory, n);
  const ProjectiveChart<T, 1> chart{n, batch.single_root, tables.table(), tables.table(), {}, {}};
  const bool valid = search(lanes, batch, sentence, chart);
  fill_scores(lanes, of_trees, k, valid ? impossible<T>() : not_a_number<T>());
  lanes.sync();
  if (!valid || !chart.total().possible() || lanes.rank() >= lanes.warp()) return;
  int* stack = tables.integers(n + 1);
  each_best(lanes, 2 * n + 1, k, chart.total().x[0], tables.rest(), of_trees, [&](BestWalks<T>& pick, int rank) {
    walk(lanes, chart, stack, pick, [&](int h, int m) { of_sentence[(long long)rank * words + m - 1] = h; });
  });
}

// `samples` trees, drawn independently: heads[(sentence * samples + k) * (width − 1) + m − 1]. A choice depends on the
// seed, the sentence, the number of the sample and the span alone.
template <class T>
HEADWISE_DEVICE void projective_sample(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory, int samples,
                                       unsigned long long seed, long long* heads) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * samples * words;
  clear_heads(lanes, of_sentence, (long long)samples * words);
  if (n == 0) return;
  Memory<T, 1> tables(memory, n);
  const ProjectiveChart<T, 1> chart{n, batch.single_root, tables.table(), tables.table(), {}, {}};
  T* tops = tables.rest();
  const auto arcs = chart.incomplete;
  const bool valid = load_arcs<T, 1, false>(
      lanes, batch, sentence, n, [&](int h, int m, const Log<T, 1>& weight) { arcs.set(h, m, weight); });
  take_off_best<T>(lanes, n, n + 1, tops, [&](int h, int m) -> T& { return arcs.values[h * arcs.stride + m]; });
  if (!valid) return;
  inside<LogSum<T, 1>, false>(lanes, chart);
  if (!chart.total().possible()) return;
  // Every warp draws its own trees, with a stack of its own.
  int* stacks = reinterpret_cast<int*>(tops);
  each_sample<T>(lanes, sentence, samples, seed, [&](RandomChoices<T>& pick, int k, int warp) {
    walk(lanes, chart, stacks + warp * (n + 1), pick,
         [&](int h, int m) { of_sentence[(long long)k * words + m - 1] = h; });
  });
}

}  // namespace headwise::kernels
