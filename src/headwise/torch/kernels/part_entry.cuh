// The kernels of trees with larger parts, as NVRTC compiles them: as entry.cuh, with TREES defined as SiblingTrees or
// GrandSiblingTrees, and SUMS, ARGMAX, TOP_K or SAMPLE.
#pragma once
#include "part_verbs.cuh"
#include "sentences.cuh"

using namespace headwise::kernels;

// Laid out as headwise.torch.part_cuda.Arguments.
struct Arguments {
  Batch<NUMBER> batch;
  Parts<NUMBER> parts;
  Launch<NUMBER> launch;
  NUMBER *totals, *marginals;
  long long* heads;
  long long samples;  // or how many best trees
  unsigned long long seed;
};

__device__ void refuse(const Arguments& of, int sentence) {
  const Lanes lanes;
  refuse_totals(lanes, of.totals, sentence, of.samples);
  refuse_trees(lanes, of.batch, sentence, of.marginals, of.heads, of.samples);
  PartsOfSentence<NUMBER, 1, false>(of.parts, sentence, of.batch.width).fill(lanes, not_a_number<NUMBER>());
}

extern "C" __global__ void kernel(const Arguments of) {
  each_sentence(of, [&](const Lanes& lanes, int sentence, NUMBER* memory) {
#if defined(SUMS)
    part_sums<TREES, NUMBER, COMPONENTS>(lanes, of.batch, of.parts, sentence, memory, of.totals, of.marginals);
#elif defined(ARGMAX)
    part_argmax<TREES, NUMBER>(lanes, of.batch, of.parts, sentence, memory, of.heads, of.totals);
#elif defined(TOP_K)
    part_top_k<TREES, NUMBER>(lanes, of.batch, of.parts, sentence, memory, (int)of.samples, of.heads, of.totals);
#elif defined(SAMPLE)
    part_sample<TREES, NUMBER>(lanes, of.batch, of.parts, sentence, memory, (int)of.samples, of.seed, of.heads);
#endif
  });
}
