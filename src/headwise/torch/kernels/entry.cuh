// The kernels, as NVRTC compiles them, one at a time. Defined beforehand: NUMBER (float or double), COMPONENTS,
// IN_SHARED (1 where charts fit into shared memory) and the verb, as SUMS, ARGMAX, TOP_K, SAMPLE or CHECK, with
// PROJECTIVE 0 or 1.
#pragma once
#include "projective_verbs.cuh"
#include "sentences.cuh"
#include "spanning_verbs.cuh"
#include "tree_check.cuh"

using namespace headwise::kernels;

// Laid out as headwise.torch.cuda.Arguments.
struct Arguments {
  Batch<NUMBER> batch;
  Launch<NUMBER> launch;
  NUMBER *totals, *marginals;
  long long* heads;
  unsigned char* is_tree;
  long long samples;  // or how many best trees
  unsigned long long seed;
};

__device__ void refuse(const Arguments& of, int sentence) {
  const Lanes lanes;
  refuse_totals(lanes, of.totals, sentence, of.samples);
#if defined(CHECK)
  if (lanes.rank() == 0) of.is_tree[sentence] = 0;
#else
  refuse_trees(lanes, of.batch, sentence, of.marginals, of.heads, of.samples);
#endif
}

extern "C" __global__ void kernel(const Arguments of) {
  each_sentence(of, [&](const Lanes& lanes, int sentence, [[maybe_unused]] NUMBER* memory) {
#if defined(SUMS) && PROJECTIVE
    projective_sums<NUMBER, COMPONENTS>(lanes, of.batch, sentence, memory, of.totals, of.marginals);
#elif defined(SUMS)
    spanning_sums<NUMBER, COMPONENTS>(lanes, of.batch, sentence, memory, of.totals, of.marginals);
#elif defined(ARGMAX) && PROJECTIVE
    projective_argmax<NUMBER>(lanes, of.batch, sentence, memory, of.heads, of.totals);
#elif defined(ARGMAX)
    spanning_argmax<NUMBER>(lanes, of.batch, sentence, memory, of.heads, of.totals);
#elif defined(TOP_K) && PROJECTIVE
    projective_top_k<NUMBER>(lanes, of.batch, sentence, memory, (int)of.samples, of.heads, of.totals);
#elif defined(TOP_K)
    spanning_top_k<NUMBER>(lanes, of.batch, sentence, memory, (int)of.samples, of.heads, of.totals);
#elif defined(SAMPLE) && PROJECTIVE
    projective_sample<NUMBER>(lanes, of.batch, sentence, memory, (int)of.samples, of.seed, of.heads);
#elif defined(SAMPLE)
    spanning_sample<NUMBER>(lanes, of.batch, sentence, memory, (int)of.samples, of.seed, of.heads);
#elif defined(CHECK)
    const bool found = is_tree(lanes, of.heads + (long long)sentence * (of.batch.width - 1),
                               (int)of.batch.lengths[sentence], PROJECTIVE, of.batch.single_root);
    if (lanes.rank() == 0) of.is_tree[sentence] = found;
#endif
  });
}
