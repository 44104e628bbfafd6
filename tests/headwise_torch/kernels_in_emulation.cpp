// The kernels of headwise.torch on a processor: test_torch_kernels.py compiles this and calls it.
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/labels.cuh"
#include "kernels/part_verbs.cuh"
#include "kernels/projective_verbs.cuh"
#include "kernels/spanning_verbs.cuh"

namespace {

using namespace headwise::kernels;

// work(lanes, memory) in all lanes; false if a lane wrote behind the memory.
template <class T, class Work>
bool in_a_block(int lanes, bool backwards, long long memory_size, Work work) {
  constexpr T canary = T(12345);
  std::vector<T> memory(memory_size, std::numeric_limits<T>::quiet_NaN());
  memory.resize(memory_size + 64, canary);
  Block* running = nullptr;
  Block block(lanes, backwards, [&](int rank) { work(Lanes{running, rank}, memory.data()); });
  running = &block;
  block.run();
  for (long long k = memory_size; k < memory_size + 64; ++k)
    if (memory[k] != canary) return false;
  return true;
}

struct Task {
  const void *scores, *direction, *second_direction;
  const long long* lengths;
  int sentences, width, single_root, lanes, backwards;
  long long memory_size;  // numbers
  void *totals, *marginals;
  long long* heads;
  int samples, best;  // trees a sentence, drawn or the best ones; 0 and 0: the best one
  unsigned long long seed;
  const void* parts;  // Parts<T>
};

template <class T>
Batch<T> batch_of(const Task& task) {
  return {static_cast<const T*>(task.scores), static_cast<const T*>(task.direction),
          static_cast<const T*>(task.second_direction), task.lengths, task.sentences, task.width,
          task.single_root != 0};
}

template <class T, int components>
int sums(const Task& task, bool projective) {
  const auto batch = batch_of<T>(task);
  auto *totals = static_cast<T*>(task.totals), *marginals = static_cast<T*>(task.marginals);
  for (int s = 0; s < task.sentences; ++s)
    if (!in_a_block<T>(task.lanes, task.backwards, task.memory_size, [&](const Lanes& lanes, T* memory) {
          if (projective)
            projective_sums<T, components>(lanes, batch, s, memory, totals, marginals);
          else
            spanning_sums<T, components>(lanes, batch, s, memory, totals, marginals);
        }))
      return 1;
  return 0;
}

template <class T>
int trees(const Task& task, bool projective) {
  const auto batch = batch_of<T>(task);
  auto* totals = static_cast<T*>(task.totals);
  for (int s = 0; s < task.sentences; ++s)
    if (!in_a_block<T>(task.lanes, task.backwards, task.memory_size, [&](const Lanes& lanes, T* memory) {
          if (task.samples > 0 && projective)
            projective_sample<T>(lanes, batch, s, memory, task.samples, task.seed, task.heads);
          else if (task.samples > 0)
            spanning_sample<T>(lanes, batch, s, memory, task.samples, task.seed, task.heads);
          else if (task.best > 0 && projective)
            projective_top_k<T>(lanes, batch, s, memory, task.best, task.heads, totals);
          else if (task.best > 0)
            spanning_top_k<T>(lanes, batch, s, memory, task.best, task.heads, totals);
          else if (projective)
            projective_argmax<T>(lanes, batch, s, memory, task.heads, totals);
          else
            spanning_argmax<T>(lanes, batch, s, memory, task.heads, totals);
        }))
      return 1;
  return 0;
}

template <template <class, int, bool> class Trees, class T, int components>
int of_parts(const Task& task) {
  const auto batch = batch_of<T>(task);
  const auto& parts = *static_cast<const Parts<T>*>(task.parts);
  auto *totals = static_cast<T*>(task.totals), *marginals = static_cast<T*>(task.marginals);
  for (int s = 0; s < task.sentences; ++s)
    if (!in_a_block<T>(task.lanes, task.backwards, task.memory_size, [&](const Lanes& lanes, T* memory) {
          if constexpr (components > 0)
            part_sums<Trees, T, components>(lanes, batch, parts, s, memory, totals, marginals);
          else if (task.samples > 0)
            part_sample<Trees, T>(lanes, batch, parts, s, memory, task.samples, task.seed, task.heads);
          else if (task.best > 0)
            part_top_k<Trees, T>(lanes, batch, parts, s, memory, task.best, task.heads, totals);
          else
            part_argmax<Trees, T>(lanes, batch, parts, s, memory, task.heads, totals);
        }))
      return 1;
  return 0;
}

template <template <class, int, bool> class Trees>
int of_parts(const Task& task, int bytes, int components) {
  if (components == 0) return bytes == 4 ? of_parts<Trees, float, 0>(task) : of_parts<Trees, double, 0>(task);
  if (bytes == 4) return of_parts<Trees, float, 1>(task);
  if (components == 1) return of_parts<Trees, double, 1>(task);
  return components == 2 ? of_parts<Trees, double, 2>(task) : of_parts<Trees, double, 4>(task);
}

// The trees are those that heads and totals have; what is found comes in their place.
template <class T>
int labels(const Task& task, int labels, long long* chosen) {
  const int k = task.best, words = task.width - 1;
  auto* totals = static_cast<T*>(task.totals);
  for (int s = 0; s < task.sentences; ++s) {
    const long long row = (long long)s * k;
    const std::vector<long long> trees(task.heads + row * words, task.heads + (row + k) * words);
    const std::vector<T> scores(totals + row, totals + row + k);
    const LabelledSentence<T> of{
        static_cast<const T*>(task.scores) + (long long)s * task.width * task.width * labels, (int)task.lengths[s],
        task.width, labels, k, trees.data(), scores.data(), task.heads + row * words, chosen + row * words,
        totals + row};
    if (!in_a_block<T>(task.lanes, task.backwards, task.memory_size,
                       [&](const Lanes& lanes, T* memory) { label_top_k(lanes, of, memory); }))
      return 1;
  }
  return 0;
}

}  // namespace

extern "C" int run_labels(const Task* task, int bytes, int count, long long* chosen) {
  return bytes == 4 ? labels<float>(*task, count, chosen) : labels<double>(*task, count, chosen);
}

extern "C" int run_parts(const Task* task, int bytes, int components, int grand_siblings) {
  return grand_siblings ? of_parts<GrandSiblingTrees>(*task, bytes, components)
                        : of_parts<SiblingTrees>(*task, bytes, components);
}

// components is 0 for a search or samples. Returns 0, or 1 where memory did not do.
extern "C" int run(const Task* task, int bytes, int components, int projective) {
  if (components == 0) return bytes == 4 ? trees<float>(*task, projective) : trees<double>(*task, projective);
  if (bytes == 4) return sums<float, 1>(*task, projective);
  if (components == 1) return sums<double, 1>(*task, projective);
  return components == 2 ? sums<double, 2>(*task, projective) : sums<double, 4>(*task, projective);
}
