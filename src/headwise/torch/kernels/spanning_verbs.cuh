// What is asked of the spanning trees of one sentence of a batch; results as in projective_verbs.cuh.
#pragma once
#include "arborescence.cuh"
#include "spanning.cuh"

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
  using Weight = Log<T, components>;
  const bool valid = load_arcs<T, components, false>(lanes, batch, sentence, n, [&](int h, int m, const Weight& w) {
    if (m == 0) return;
    if (h == 0)
      walk.set_root(m, 1, {w, batch.single_root});
    else
      walk.to_words.set(m, h, w);
  });
  take_off_best<T>(lanes, n, n + 1, tops, [&](int h, int m) -> T& {
    const auto& table = h == 0 ? walk.to_root : walk.to_words;
    return table.values[m * table.stride + (h == 0 ? 1 : h)];
  });
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
    total = eliminate_all(lanes, n, walk, sums);
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
  for (int k = lanes.rank(); k < words; k += lanes.count()) of_sentence[k] = -1;
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
  Sum<T, 1> score;
  for (int m = 1 + lanes.rank(); m <= n; m += lanes.count()) {
    const int head = arborescence.head(m);
    of_sentence[m - 1] = head;
    score.x[0] += batch.scores[batch.offset(sentence) + (long long)head * batch.width + m];
  }
  score.reduce(lanes, lanes.warp());
  if (lanes.rank() == 0) scores[sentence] = score.x[0];
}

}  // namespace headwise::kernels
