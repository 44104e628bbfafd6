// What is asked of the trees of one sentence of a batch that are scored by parts larger than arcs: with SiblingTrees or
// GrandSiblingTrees for `Trees`. Results as in projective_verbs.cuh; those of larger parts, where their tables have
// results, are zero to begin with.
#pragma once
#include "grand_siblings.cuh"
#include "random.cuh"
#include "siblings.cuh"

namespace headwise::kernels {

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
  for (int k = lanes.rank(); k < words; k += lanes.count()) of_sentence[k] = -1;
  if (n == 0) {
    if (lanes.rank() == 0) scores[sentence] = 0;
    return;
  }
  Trees<T, 1, true> trees(batch, parts, sentence, memory, false);
  bool valid = trees.load_arcs(lanes);
  if (valid) valid = trees.template inside<Largest<T>>(lanes);
  const T total = valid ? trees.total().x[0] : not_a_number<T>();
  if (lanes.rank() == 0) scores[sentence] = total;
  if (!(total > impossible<T>()) || lanes.rank() >= lanes.warp()) return;
  trees.template walk<Largest<T>>(lanes, [](T weight, long long, int) { return weight; },
                                  [&](int h, int m) { of_sentence[m - 1] = h; });
}

template <template <class, int, bool> class Trees, class T>
HEADWISE_DEVICE void part_sample(const Lanes& lanes, const Batch<T>& batch, const Parts<T>& parts, int sentence,
                                 T* memory, int samples, unsigned long long seed, long long* heads) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * samples * words;
  for (int k = lanes.rank(); k < samples * words; k += lanes.count()) of_sentence[k] = -1;
  if (n == 0) return;
  Trees<T, 1, false> trees(batch, parts, sentence, memory, false);
  if (!trees.load_arcs(lanes) || !trees.template inside<LogSum<T, 1>>(lanes) || !trees.total().possible()) return;
  const int warps = lanes.count() / lanes.warp(), warp = lanes.rank() / lanes.warp();
  for (int k = warp; k < samples; k += warps) {
    const Draws draws(seed, sentence, k);
    trees.template walk<LogSum<T, 1>>(
        lanes,
        [&](T weight, long long span, int number) { return weight - draws.log_waiting_time<T>(span, number); },
        [&](int h, int m) { of_sentence[(long long)k * words + m - 1] = h; });
  }
}

}  // namespace headwise::kernels
