// What is asked of the trees of one sentence of a batch that are scored by parts larger than arcs: with SiblingTrees or
// GrandSiblingTrees for `Trees`. Results as in projective_verbs.cuh; those of larger parts, where their tables have
// results, are zero to begin with.
#pragma once
#include "best_walks.cuh"
#include "choices.cuh"
#include "grand_siblings.cuh"
#include "siblings.cuh"

namespace headwise::kernels {

// The chart of the best trees; whether all scores are some.
template <class Trees>
HEADWISE_DEVICE bool search(const Lanes& lanes, Trees& trees) {
  return trees.load_arcs(lanes) && trees.template inside<Largest<typename Trees::Number>>(lanes);
}

template <template <class, int, bool> class Trees, class T, int components>
HEADWISE_DEVICE void part_sums(const Lanes& lanes, const Batch<T>& batch, const Parts<T>& parts, int sentence,
                               T* memory, T* log_partitions, T* marginals) {
  const int n = static_cast<int>(batch.lengths[sentence]);
  if (n == 0) {
    if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = 0;
    return;
  }
  Trees<T, components, false> trees(batch, parts, sentence, memory, marginals != nullptr);
  bool valid = trees.load_arcs(lanes);
  if (valid) valid = trees.template inside<LogSum<T, components>>(lanes);
  const T total = valid ? (trees.total().x[0] + trees.shift()) * T(kLn2) : not_a_number<T>();
  if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = total;
  if (!marginals) return;
  if (!valid) {
    fill(lanes, batch, sentence, marginals, n, total, false);
    PartsOfSentence<T, components, false>(parts, sentence, batch.width).fill(lanes, total);
  } else if (total > impossible<T>()) {
    trees.outside(lanes, [&](int h, int m, const Sum<T, components>& probability) {
      marginals[batch.offset(sentence) + (long long)h * batch.width + m] = probability.x[components - 1];
    });
  }
}

template <template <class, int, bool> class Trees, class T>
HEADWISE_DEVICE void part_argmax(const Lanes& lanes, const Batch<T>& batch, const Parts<T>& parts, int sentence,
                                 T* memory, long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * words;
  clear_heads(lanes, of_sentence, words);
  if (n == 0) {
    if (lanes.rank() == 0) scores[sentence] = 0;
    return;
  }
  Trees<T, 1, true> trees(batch, parts, sentence, memory, false);
  const T total = search(lanes, trees) ? trees.total().x[0] : not_a_number<T>();
  if (lanes.rank() == 0) scores[sentence] = total;
  if (!(total > impossible<T>()) || lanes.rank() >= lanes.warp()) return;
  BestChoices<T> pick;
  trees.template walk<Largest<T>>(lanes, pick, [&](int h, int m) { of_sentence[m - 1] = h; });
}

template <template <class, int, bool> class Trees, class T>
HEADWISE_DEVICE void part_top_k(const Lanes& lanes, const Batch<T>& batch, const Parts<T>& parts, int sentence,
                                T* memory, int k, long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * k * words;
  T* of_trees = scores + (long long)sentence * k;
  clear_heads(lanes, of_sentence, (long long)k * words);
  if (n == 0) return fill_empty_sentence(lanes, of_trees, k);
  Trees<T, 1, true> trees(batch, parts, sentence, memory, false);
  const bool valid = search(lanes, trees);
  fill_scores(lanes, of_trees, k, valid ? impossible<T>() : not_a_number<T>());
  lanes.sync();
  if (!valid || !trees.total().possible() || lanes.rank() >= lanes.warp()) return;
  each_best(lanes, 2 * n + 1, k, trees.total().x[0], trees.rest(1), of_trees, [&](BestWalks<T>& pick, int rank) {
    trees.template walk<Largest<T>>(lanes, pick,
                                    [&](int h, int m) { of_sentence[(long long)rank * words + m - 1] = h; });
  });
}

template <template <class, int, bool> class Trees, class T>
HEADWISE_DEVICE void part_sample(const Lanes& lanes, const Batch<T>& batch, const Parts<T>& parts, int sentence,
                                 T* memory, int samples, unsigned long long seed, long long* heads) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * samples * words;
  clear_heads(lanes, of_sentence, (long long)samples * words);
  if (n == 0) return;
  Trees<T, 1, false> trees(batch, parts, sentence, memory, false);
  if (!trees.load_arcs(lanes) || !trees.template inside<LogSum<T, 1>>(lanes) || !trees.total().possible()) return;
  each_sample<T>(lanes, sentence, samples, seed, [&](RandomChoices<T>& pick, int k, int) {
    trees.template walk<LogSum<T, 1>>(lanes, pick,
                                      [&](int h, int m) { of_sentence[(long long)k * words + m - 1] = h; });
  });
}

}  // namespace headwise::kernels
