// What is asked of the spanning trees of one sentence of a batch; results as in projective_verbs.cuh.
#pragma once
#include "arborescence.cuh"
#include "choices.cuh"
#include "spanning.cuh"
#include "spanning_k_best.cuh"
#include "spanning_sample.cuh"

namespace headwise::kernels {

template <class T, int components>
HEADWISE_DEVICE Walks<T, components> new_walks(Memory<T, components>& memory, int n, int rows) {
  Walks<T, components> walks;
  walks.to_words = memory.rows(rows);
  walks.to_root = memory.rows(rows);
  Memory<T, 1> more(memory.rest(), n);
  walks.orders = more.rows(rows);
  memory = Memory<T, components>(more.rest(), n);
  return walks;
}

// Walks that go from each word to its heads, in one step; the best head is taken off. Whether all scores are some.
template <class T, int components>
HEADWISE_DEVICE bool load_walks(const Lanes& lanes, const Batch<T>& batch, int sentence, int n,
                                const Walks<T, components>& walk, T* tops) {
  const bool valid =
      load_arcs<T, components, false>(lanes, batch, sentence, n, [&](int h, int m, const Log<T, components>& weight) {
        if (m == 0) return;
        if (h == 0)
          walk.set_root(m, 1, {weight, batch.single_root});
        else
          walk.to_words.set(m, h, weight);
      });
  take_off_best<T>(lanes, n, n + 1, tops, [&](int h, int m) -> T& {
    const auto& table = h == 0 ? walk.to_root : walk.to_words;
    return table.values[m * table.stride + (h == 0 ? 1 : h)];
  });
  return valid;
}

template <class T, int components>
HEADWISE_DEVICE void spanning_sums(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory,
                                   T* log_partitions, T* marginals) {
  const int n = static_cast<int>(batch.lengths[sentence]);
  if (n == 0) {
    if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = 0;
    if (marginals) fill(lanes, batch, sentence, marginals, n, T(0), true);
    return;
  }
  Memory<T, components> tables(memory, n);
  Copies<T, components> walks{new_walks(tables, n, n + 1), 0};
  walks.distance = static_cast<int>(tables.rest() - walks.first.to_words.values);
  if (marginals) new_walks(tables, n, n + 1);
  const Walks<T, components> sums = new_walks(tables, n, 2);  // a row for each copy
  T* tops = tables.rest();
  const WordSets sets{reinterpret_cast<int*>(tops + n + 1)};
  const Walks<T, components>& walk = walks.first;
  const bool valid = load_walks(lanes, batch, sentence, n, walk, tops);
  const T shift = tops[0];
  Ordered<T, components> total;
  if (valid && marginals) {
    each_cell(lanes, n, n, [&](int row, int column) {
      walks[1].to_words.set(1 + row, 1 + column, walk.to_words(1 + row, 1 + column));
      if (column == 0) walks[1].set_root(1 + row, 1, walk.root(1 + row, 1));
    });
    lanes.sync();
    total = eliminate(lanes, n, walks, sums, sets);
  } else if (valid) {
    total = eliminate_all(lanes, n, walk);
  }
  const bool one_root = total.order == (batch.single_root ? 1 : 0);
  if (lanes.rank() == 0)  // the shift lies at tops[0], and others may not have read it yet
    tops[1] = !valid ? not_a_number<T>() : one_root ? (total.log.x[0] + shift) * T(kLn2) : impossible<T>();
  lanes.sync();
  const T result = tops[1];
  if (log_partitions && lanes.rank() == 0) log_partitions[sentence] = result;
  if (!marginals) return;
  const bool has_tree = result > impossible<T>();
  fill(lanes, batch, sentence, marginals, n, valid ? T(0) : result, has_tree);
  if (!has_tree) return;
  compare_heads<T, components>(
      lanes, n, batch.single_root, walk,
      [&](int h, int m) { return load<T, components>(batch, batch.offset(sentence) + (long long)h * batch.width + m); },
      [&](int h, int m, const Sum<T, components>& probability) {
        marginals[batch.offset(sentence) + (long long)h * batch.width + m] = probability.x[components - 1];
      });
}

template <class T>
HEADWISE_DEVICE void spanning_argmax(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory,
                                     long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * words;
  clear_heads(lanes, of_sentence, words);
  if (n == 0) {
    if (lanes.rank() == 0) scores[sentence] = 0;
    return;
  }
  Memory<T, 1> tables(memory, n);
  Arborescence<T> arborescence(n, batch.single_root, tables);
  arborescence.reset(lanes);
  const bool valid = load_arcs<T, 1, true>(lanes, batch, sentence, n, [&](int h, int m, const Log<T, 1>& weight) {
    arborescence.set_arc(h, m, weight.x[0]);
  });
  lanes.sync();
  const bool found = valid && arborescence.solve(lanes);
  if (!found) {
    if (lanes.rank() == 0) scores[sentence] = valid ? impossible<T>() : not_a_number<T>();
    return;
  }
  arborescence.expand(lanes);
  for (int m = 1 + lanes.rank(); m <= n; m += lanes.count()) of_sentence[m - 1] = arborescence.head(m);
  const T score = tree_score(lanes, batch, sentence, n, [&](int m) { return arborescence.head(m); });
  if (lanes.rank() == 0) scores[sentence] = score;
}

// As projective_top_k, by one warp.
template <class T>
HEADWISE_DEVICE void spanning_top_k(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory, int k,
                                    long long* heads, T* scores) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * k * words;
  T* of_trees = scores + (long long)sentence * k;
  clear_heads(lanes, of_sentence, (long long)k * words);
  if (n == 0) return fill_empty_sentence(lanes, of_trees, k);
  const bool valid = load_arcs<T, 1, true>(lanes, batch, sentence, n, [](int, int, const Log<T, 1>&) {});
  fill_scores(lanes, of_trees, k, valid ? impossible<T>() : not_a_number<T>());
  lanes.sync();
  if (valid) BestSpanningTrees<T>(batch, sentence, k, Memory<T, 1>(memory, n)).find(lanes, of_sentence, of_trees);
}

// As projective_sample.
template <class T>
HEADWISE_DEVICE void spanning_sample(const Lanes& lanes, const Batch<T>& batch, int sentence, T* memory, int samples,
                                     unsigned long long seed, long long* heads) {
  const int n = static_cast<int>(batch.lengths[sentence]), words = batch.width - 1;
  long long* of_sentence = heads + (long long)sentence * samples * words;
  clear_heads(lanes, of_sentence, (long long)samples * words);
  if (n == 0) return;
  Memory<T, 1> tables(memory, n);
  const Walks<T, 1> walk = new_walks(tables, n, n + 1);
  T* tops = tables.rest();
  if (!load_walks(lanes, batch, sentence, n, walk, tops)) return;
  const Ordered<T, 1> total = eliminate_all(lanes, n, walk);
  if (lanes.rank() == 0) tops[0] = total.possible() && total.order == (batch.single_root ? 1 : 0);
  lanes.sync();
  if (!(tops[0] > 0)) return;
  int* memories = reinterpret_cast<int*>(tops + n + 1);
  each_sample<T>(lanes, sentence, samples, seed, [&](RandomChoices<T>& pick, int k, int warp) {
    SpanningTreeSampler<T> sampler(batch, sentence, walk, tops, memories + warp * SpanningTreeSampler<T>::size(n));
    sampler.draw(lanes, pick);
    for (int m = 1 + lanes.rank() % lanes.warp(); m <= n; m += lanes.warp())
      of_sentence[(long long)k * words + m - 1] = sampler.head(m);
  });
}

}  // namespace headwise::kernels
