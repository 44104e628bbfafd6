// The k best trees with labels of one sentence, from its k best trees when every arc has its best label: a tree that
// is not among those has k that are better, whatever its labels.
#pragma once
#include "best_walks.cuh"
#include "scores.cuh"

namespace headwise::kernels {

// Of one sentence. Trees and results have k rows of width − 1 words.
template <class T>
struct LabelledSentence {
  const T* arcs;  // [head, modifier, label]
  int n, width, labels, k;
  const long long* trees;
  const T* tree_scores;
  long long *heads, *chosen;
  T* scores;
};

// By one warp; results as those of projective_top_k.
template <class T>
HEADWISE_DEVICE void label_top_k(const Lanes& lanes, const LabelledSentence<T>& of, T* memory) {
  const int words = of.width - 1;
  clear_heads(lanes, of.heads, (long long)of.k * words);
  clear_heads(lanes, of.chosen, (long long)of.k * words);
  const T best = of.tree_scores[0];
  if (of.n == 0) return fill_empty_sentence(lanes, of.scores, of.k);
  fill_scores(lanes, of.scores, of.k, best > impossible<T>() ? impossible<T>() : best);
  lanes.sync();
  if (!(best > impossible<T>()) || lanes.rank() >= lanes.warp()) return;
  each_best(lanes, of.n + 1, of.k, best, memory, of.scores, [&](BestWalks<T>& pick, int rank) {
    const int skeleton = pick(lanes, of.k, 0, [&](int k) { return of.tree_scores[k]; });
    const long long* tree = of.trees + (long long)words * skeleton;
    for (int m = 1; m <= of.n; ++m) {
      const T* arc = of.arcs + (tree[m - 1] * of.width + m) * of.labels;
      const int label = pick(lanes, of.labels, m, [&](int k) { return arc[k]; });
      of.heads[(long long)rank * words + m - 1] = tree[m - 1];  // all lanes write the same
      of.chosen[(long long)rank * words + m - 1] = label;
    }
  });
}

}  // namespace headwise::kernels
