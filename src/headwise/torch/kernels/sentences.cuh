// How a launch goes through the sentences of a batch, one block of threads for each, as NVRTC compiles it.
#pragma once
#include "scores.cuh"

namespace headwise::kernels {

template <class T>
struct Launch {
  int shortest, longest;  // of the sentences that this launch is for
  T* workspace;
  long long workspace_size;  // of a block, in numbers
};

// A length that is none makes everything NaN, and there is no tree.
template <class T>
HEADWISE_DEVICE void refuse_totals(const Lanes& lanes, T* totals, int sentence, long long samples) {
  const int count = samples > 0 ? static_cast<int>(samples) : 1;
  if (totals) fill_scores(lanes, totals + (long long)sentence * count, count, not_a_number<T>());
}
template <class T>
HEADWISE_DEVICE void refuse_trees(const Lanes& lanes, const Batch<T>& batch, int sentence, T* marginals,
                                  long long* heads, long long samples) {
  if (marginals)
    each_cell(lanes, batch.width, batch.width, [&](int h, int m) {
      marginals[batch.offset(sentence) + (long long)h * batch.width + m] = not_a_number<T>();
    });
  const long long words = (batch.width - 1) * (samples > 0 ? samples : 1);
  if (heads)
    for (long long k = lanes.rank(); k < words; k += lanes.count()) heads[sentence * words + k] = -1;
}

// work(lanes, sentence, memory) for the sentences of this launch; refuse(arguments, sentence) for those whose length is
// none.
template <class Arguments, class Work>
HEADWISE_DEVICE void each_sentence(const Arguments& of, Work work) {
  extern __shared__ __align__(16) unsigned char shared[];
  const Lanes lanes;
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");  // the next class of lengths need not wait for this one
#endif
  for (int sentence = blockIdx.x; sentence < of.batch.sentences; sentence += gridDim.x) {
    const long long n = of.batch.lengths[sentence];
    if (n < 0 || n >= of.batch.width) {
      if (of.launch.shortest == 0) refuse(of, sentence);
      continue;
    }
    if (n < of.launch.shortest || n > of.launch.longest) continue;
#if IN_SHARED
    work(lanes, sentence, reinterpret_cast<NUMBER*>(shared));
#else
    work(lanes, sentence, of.launch.workspace + blockIdx.x * of.launch.workspace_size);
#endif
    __syncthreads();  // the memory is used again
  }
#if __CUDA_ARCH__ >= 900
  // Whatever comes behind this launch in the stream comes behind the one before as well.
  if (blockIdx.x == 0) asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace headwise::kernels
