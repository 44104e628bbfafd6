// The kernel of the k best trees with labels, as NVRTC compiles it: as entry.cuh.
#pragma once
#include "labels.cuh"
#include "sentences.cuh"

using namespace headwise::kernels;

// Laid out as headwise.torch.label_cuda.Arguments.
struct Arguments {
  Batch<NUMBER> batch;  // of labelled arcs: a row of them is `labels` times as long
  Launch<NUMBER> launch;
  const long long* trees;
  const NUMBER* tree_scores;
  long long *heads, *chosen;
  NUMBER* scores;
  int labels, k;

  HEADWISE_DEVICE LabelledSentence<NUMBER> of(int sentence) const {
    const long long rows = (long long)sentence * k, words = rows * (batch.width - 1);
    return {batch.scores + batch.offset(sentence) * labels, (int)batch.lengths[sentence], batch.width, labels, k,
            trees + words, tree_scores + rows, heads + words, chosen + words, scores + rows};
  }
};

__device__ void refuse(const Arguments& all, int sentence) {
  const Lanes lanes;
  const auto of = all.of(sentence);
  fill_scores(lanes, of.scores, of.k, not_a_number<NUMBER>());
  clear_heads(lanes, of.heads, (long long)of.k * (of.width - 1));
  clear_heads(lanes, of.chosen, (long long)of.k * (of.width - 1));
}

extern "C" __global__ void kernel(const Arguments all) {
  each_sentence(all, [&](const Lanes& lanes, int sentence, NUMBER* memory) {
    label_top_k(lanes, all.of(sentence), memory);
  });
}
