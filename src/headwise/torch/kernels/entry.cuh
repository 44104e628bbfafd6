// The kernels, as NVRTC compiles them, one at a time. Defined beforehand: NUMBER (float or double), PARTS, IN_SHARED (1
// where charts fit into shared memory) and the verb, as SUMS, ARGMAX, SAMPLE or CHECK, with PROJECTIVE 0 or 1.
#pragma once
#include "projective_verbs.cuh"
#include "spanning_verbs.cuh"
#include "tree_check.cuh"

using namespace headwise::kernels;

// Laid out as headwise.torch.cuda.Arguments.
struct Arguments {
  Batch<NUMBER> batch;
  int shortest, longest;  // of the sentences that this launch is for
  NUMBER* workspace;
  long long workspace_size;  // of a block, in numbers
  NUMBER *totals, *marginals;
  long long* heads;
  unsigned char* is_tree;
  long long samples;
  unsigned long long seed;
};

// A length that is none makes everything NaN, and there is no tree.
__device__ void refuse(const Arguments& of, int sentence) {
  const Lanes lanes;
  if (of.totals && lanes.rank() == 0) of.totals[sentence] = not_a_number<NUMBER>();
  if (of.marginals)
    each_cell(lanes, of.batch.width, of.batch.width, [&](int h, int m) {
      of.marginals[of.batch.offset(sentence) + (long long)h * of.batch.width + m] = not_a_number<NUMBER>();
    });
#if defined(CHECK)
  if (lanes.rank() == 0) of.is_tree[sentence] = 0;
#else
  const long long words = (of.batch.width - 1) * (of.samples > 0 ? of.samples : 1);
  if (of.heads)
    for (long long k = lanes.rank(); k < words; k += lanes.count()) of.heads[sentence * words + k] = -1;
#endif
}

extern "C" __global__ void kernel(const Arguments of) {
  extern __shared__ __align__(16) unsigned char shared[];
  const Lanes lanes;
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");  // the next class of lengths need not wait for this one
#endif
  for (int sentence = blockIdx.x; sentence < of.batch.sentences; sentence += gridDim.x) {
    const long long n = of.batch.lengths[sentence];
    if (n < 0 || n >= of.batch.width) {
      if (of.shortest == 0) refuse(of, sentence);
      continue;
    }
    if (n < of.shortest || n > of.longest) continue;
#if IN_SHARED
    NUMBER* memory = reinterpret_cast<NUMBER*>(shared);
#else
    NUMBER* memory = of.workspace + blockIdx.x * of.workspace_size;
#endif
#if defined(SUMS) && PROJECTIVE
    projective_sums<NUMBER, PARTS>(lanes, of.batch, sentence, memory, of.totals, of.marginals);
#elif defined(SUMS)
    spanning_sums<NUMBER, PARTS>(lanes, of.batch, sentence, memory, of.totals, of.marginals);
#elif defined(ARGMAX) && PROJECTIVE
    projective_argmax<NUMBER>(lanes, of.batch, sentence, memory, of.heads, of.totals);
#elif defined(ARGMAX)
    spanning_argmax<NUMBER>(lanes, of.batch, sentence, memory, of.heads, of.totals);
#elif defined(SAMPLE)
    projective_sample<NUMBER>(lanes, of.batch, sentence, memory, (int)of.samples, of.seed, of.heads);
#elif defined(CHECK)
    const bool found = is_tree(lanes, of.heads + (long long)sentence * (of.batch.width - 1), (int)n, PROJECTIVE,
                               of.batch.single_root);
    if (lanes.rank() == 0) of.is_tree[sentence] = found;
#endif
    __syncthreads();  // the memory is used again
  }
#if __CUDA_ARCH__ >= 900
  // Whatever comes behind this launch in the stream comes behind the one before as well.
  if (blockIdx.x == 0) asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
