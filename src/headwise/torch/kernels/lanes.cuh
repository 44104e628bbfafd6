// What works on one sentence: the threads of a block on a GPU, a single thread in the native core.
//
// All code in this folder is compiled twice: by NVRTC for the GPU, one block a sentence, and by the native core, where
// there is one lane and nothing to wait for. Every lane calls sync, any and reduce the same number of times.
#pragma once

#if defined(HEADWISE_LANES)
#include HEADWISE_LANES
#elif defined(__CUDACC__)
#define HEADWISE_DEVICE __device__ __forceinline__
namespace headwise::kernels {

struct Lanes {
  HEADWISE_DEVICE int rank() const { return threadIdx.x; }
  HEADWISE_DEVICE int count() const { return blockDim.x; }
  HEADWISE_DEVICE void sync() const {
    if (blockDim.x == 32)
      __syncwarp();
    else
      __syncthreads();
  }
  HEADWISE_DEVICE bool any(bool condition) const { return __syncthreads_or(condition); }
  // Of the lane whose rank differs in these bits; they are below 32.
  template <class T>
  HEADWISE_DEVICE T of_other(T value, int bits) const {
    return __shfl_xor_sync(0xffffffffu, value, bits);
  }
  // Lanes that go through a tree together. The others of a block wait.
  HEADWISE_DEVICE int warp() const { return 32; }
  HEADWISE_DEVICE void sync_warp() const { __syncwarp(); }
  template <class T>
  HEADWISE_DEVICE T of_lane(T value, int lane) const {
    return __shfl_sync(0xffffffffu, value, lane);
  }
};

}  // namespace headwise::kernels
#else
#include <cmath>
#define HEADWISE_DEVICE inline
namespace headwise::kernels {

struct Lanes {
  int rank() const { return 0; }
  int count() const { return 1; }
  void sync() const {}
  bool any(bool condition) const { return condition; }
  template <class T>
  T of_other(T value, int) const {
    return value;
  }
  int warp() const { return 1; }
  void sync_warp() const {}
  template <class T>
  T of_lane(T value, int) const {
    return value;
  }
};

}  // namespace headwise::kernels
#endif

#if defined(__CUDACC__)
#define HEADWISE_UNROLL _Pragma("unroll")  // so that an array stays in registers
#else
#define HEADWISE_UNROLL
#endif

namespace headwise::kernels {

// The lane of a warp with the largest key, the first of them.
template <class T>
HEADWISE_DEVICE int lane_of_largest(const Lanes& lanes, T key) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4) {
    // Integers in the order of the numbers: negative ones are in the opposite order of their bits.
    int bits = __float_as_int(key);
    bits ^= (bits >> 31) & 0x7fffffff;
    return __ffs(__ballot_sync(0xffffffffu, bits == __reduce_max_sync(0xffffffffu, bits))) - 1;
  }
#endif
  int lane = lanes.rank() % lanes.warp();
  for (int bits = 1; bits < lanes.warp(); bits *= 2) {
    const T other_key = lanes.of_other(key, bits);
    const int other = lanes.of_other(lane, bits);
    if (other_key > key || (other_key == key && other < lane)) {
      key = other_key;
      lane = other;
    }
  }
  return lane;
}

// The number, below `count`, of the choice with the largest key(number); −1 where there are none.
template <class T, class Key>
HEADWISE_DEVICE int choose(const Lanes& lanes, int count, T lowest, Key key) {
  T best = lowest;
  int chosen = -1;
  for (int number = lanes.rank() % lanes.warp(); number < count; number += lanes.warp()) {
    const T candidate = key(number);
    if (chosen < 0 || candidate > best) {
      best = candidate;
      chosen = number;
    }
  }
  return lanes.of_lane(chosen, lane_of_largest(lanes, best));
}

// use(k, load(k)) for every step-th k from `first` on. Several are loaded before they are used, so that they are waited for
// together.
template <class Load, class Use>
HEADWISE_DEVICE void each_ahead(int first, int end, int step, Load load, Use use) {
  constexpr int ahead = 4;
  for (int begin = first; begin < end; begin += ahead * step) {
    decltype(load(0)) loaded[ahead];
    HEADWISE_UNROLL
    for (int k = 0; k < ahead; ++k)
      if (begin + k * step < end) loaded[k] = load(begin + k * step);
    HEADWISE_UNROLL
    for (int k = 0; k < ahead; ++k)
      if (begin + k * step < end) use(begin + k * step, loaded[k]);
  }
}

// How many bits a number takes.
HEADWISE_DEVICE int bit_width(unsigned number) {
#if defined(__CUDACC__)
  return 32 - __clz(static_cast<int>(number));
#else
  return number ? 32 - __builtin_clz(number) : 0;
#endif
}

// Divides small numbers that are not negative by one that does not change, without the many steps of a division.
class Divider {
 public:
#if defined(__CUDACC__)
  HEADWISE_DEVICE explicit Divider(int by) : by_(by), inverse_(__fdividef(1.0f, by)) {}
#else
  explicit Divider(int by) : by_(by), inverse_(1.0f / by) {}
#endif
  HEADWISE_DEVICE int quotient(int number) const {
    const int guess = static_cast<int>(number * inverse_);
    const int rest = number - guess * by_;
    return rest < 0 ? guess - 1 : rest >= by_ ? guess + 1 : guess;
  }

 private:
  int by_;
  float inverse_;
};

// work(task, first term, step) for every task, in all of its lanes at once. Where a warp has more lanes than tasks, task
// is −1: such a lane has nothing to do but to take part in reductions.
template <class Work>
HEADWISE_DEVICE void each_task(const Lanes& lanes, int tasks, int terms, Work work) {
  // Lanes of a warp that share a task: a power of two, as many as there are, and no more than terms. A kernel has many
  // short steps, so this is done without a loop.
  int bits = bit_width(lanes.count()) - 1 - bit_width(tasks - 1);
  const int of_warp = bit_width(lanes.warp()) - 1, of_terms = terms > 1 ? bit_width(terms - 1) : 0;
  if (of_warp < bits) bits = of_warp;
  if (of_terms < bits) bits = of_terms;
  if (bits < 0) bits = 0;
  const int shared = 1 << bits, groups = lanes.count() >> bits, group = lanes.rank() >> bits;
  const int first_of_warp = (lanes.rank() & ~(lanes.warp() - 1)) >> bits;
  for (int first = 0; first + first_of_warp < tasks; first += groups)  // a warp without a task has nothing to reduce
    work(first + group < tasks ? first + group : -1, lanes.rank() & (shared - 1), shared);
}

}  // namespace headwise::kernels
