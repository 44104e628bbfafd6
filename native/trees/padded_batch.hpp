// First-order trees of many sentences whose scores lie side by side in one padded array, as tensors are: what
// headwise.torch asks of the core. Results have the dtype and the layout of the scores.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "kernels/labels.cuh"
#include "kernels/projective_verbs.cuh"
#include "kernels/spanning_verbs.cuh"
#include "trees/arc_marginals.hpp"
#include "trees/compiled.hpp"
#include "trees/decode.hpp"
#include "trees/spanning/spanning.hpp"

namespace headwise::trees {

// scores[(sentence * width + h) * width + m]; a sentence has lengths[sentence] < width words, maybe none.
template <class Float>
struct PaddedBatch {
  const Float* scores;
  const std::int64_t* lengths;
  int sentences, width;
  bool projective, single_root;

  int words(int sentence) const { return static_cast<int>(lengths[sentence]); }
  std::size_t offset(int sentence) const { return static_cast<std::size_t>(sentence) * width * width; }

  // A table of one sentence by itself; what names no arc is left at `nothing`.
  std::vector<double>& copy(const Float* from, int sentence, double nothing, std::vector<double>& table) const {
    const int nodes = words(sentence) + 1;
    table.assign(static_cast<std::size_t>(nodes) * nodes, nothing);
    for (int h = 0; h < nodes; ++h)
      for (int m = 1; m < nodes; ++m)
        if (h != m) table[h * nodes + m] = from[offset(sentence) + at(h) * width + m];
    return table;
  }
  void put(const std::vector<double>& table, int sentence, Float* results) const {
    const int nodes = words(sentence) + 1;
    Float* to = results + offset(sentence);
    std::fill_n(to, static_cast<std::size_t>(width) * width, Float(0));
    for (int h = 0; h < nodes; ++h)
      for (int m = 1; m < nodes; ++m)
        if (h != m) to[at(h) * width + m] = static_cast<Float>(table[h * nodes + m]);
  }
};

// NaN where a score is NaN or +inf, else 0.
inline double score_fault(const std::vector<double>& scores) {
  const bool bad = std::any_of(scores.begin(), scores.end(), [](double s) { return !(s < -kImpossible); });
  return bad ? std::numeric_limits<double>::quiet_NaN() : 0.0;
}

// work(sentence, its scores) for each sentence, on several threads.
template <class Float, class Work>
void each_sentence(const PaddedBatch<Float>& batch, int threads, Work work) {
  parallel_for(static_cast<std::size_t>(batch.sentences), threads, [&](std::size_t sentence, int) {
    thread_local std::vector<double> scores;
    batch.copy(batch.scores, static_cast<int>(sentence), kImpossible, scores);
    work(static_cast<int>(sentence), scores);
  });
}

// The best tree: heads[sentence * (width − 1) + m − 1], −1 behind the last word and where there is no tree (score
// −inf) or scores are no numbers (score NaN).
template <class Float>
void argmax(const PaddedBatch<Float>& batch, int threads, std::int64_t* heads, Float* best) {
  each_sentence(batch, threads, [&](int sentence, const std::vector<double>& scores) {
    thread_local DecodeScratch scratch;
    thread_local std::vector<int> found;
    const int n = batch.words(sentence);
    std::int64_t* to = heads + static_cast<std::size_t>(sentence) * (batch.width - 1);
    std::fill_n(to, batch.width - 1, -1);
    double score = score_fault(scores);
    if (n > 0 && score == 0.0) {
      found.resize(n);
      const auto decode = batch.projective ? decode_projective : decode_nonprojective;
      score = decode(scores.data(), n, batch.single_root, found.data(), scratch);
      if (score > kImpossible) std::copy(found.begin(), found.end(), to);
    }
    best[sentence] = static_cast<Float>(score);
  });
}

// log Z, and the probabilities of arcs where `marginals` is not null. Without a tree −inf and 0; NaN both where scores
// are no numbers.
template <class Float>
void sums(const PaddedBatch<Float>& batch, int threads, Float* log_partition, Float* marginals) {
  each_sentence(batch, threads, [&](int sentence, const std::vector<double>& scores) {
    thread_local ArcMarginals arcs;
    thread_local std::vector<double> probabilities;
    const int n = batch.words(sentence);
    double total = score_fault(scores);
    probabilities.assign(scores.size(), total);
    if (n > 0 && total == 0.0) {
      total = arcs.sum(batch.projective, scores.data(), n, batch.single_root, probabilities.data());
      if (!(total > kImpossible)) probabilities.assign(scores.size(), 0.0);
    }
    log_partition[sentence] = static_cast<Float>(total);
    if (marginals) batch.put(probabilities, sentence, marginals);
  });
}

// Derivatives of the probabilities of arcs: in one direction, or the second in two, where `second` is not null. By the
// code that runs on GPUs, on numbers that carry derivatives.
template <class Float>
void derivatives(const PaddedBatch<Float>& batch, const Float* direction, const Float* second, int threads,
                 Float* results) {
  each_sentence(batch, threads, [&](int sentence, const std::vector<double>& scores) {
    thread_local std::vector<double> first_table, second_table, memory, derivative;
    const long long n = batch.words(sentence);
    derivative.assign(scores.size(), 0.0);
    const kernels::Batch<double> alone{
        scores.data(), batch.copy(direction, sentence, 0.0, first_table).data(),
        second ? batch.copy(second, sentence, 0.0, second_table).data() : nullptr, &n, 1, static_cast<int>(n) + 1,
        batch.single_root};
    // Up to ten tables for every part of a number.
    memory.resize(static_cast<std::size_t>(n + 1) * (n + 2) * 10 * (second ? 4 : 2) + 64);
    const auto run = [&](auto verb) { verb(kernels::Lanes{}, alone, 0, memory.data(), nullptr, derivative.data()); };
    if (batch.projective)
      second ? run(kernels::projective_sums<double, 4>) : run(kernels::projective_sums<double, 2>);
    else
      second ? run(kernels::spanning_sums<double, 4>) : run(kernels::spanning_sums<double, 2>);
    batch.put(derivative, sentence, results);
  });
}

// The trees of one sentence as the library has them. `scores` must outlive it.
inline std::unique_ptr<Distribution> distribution_of(const std::vector<double>& scores, int n, bool projective,
                                                     bool single_root) {
  if (!projective) return std::make_unique<SpanningDistribution>(n, 1, single_root, scores);
  return Compiled<FirstOrder>::distribution(nullptr, n, PartScores{.labels = scores.data()}, single_root);
}

// Up to k trees for each sentence, as list(distribution, sentence) gives them: heads[(sentence * k + rank) * (width − 1)
// + m − 1], −1 where there are no more.
template <class Float, class List>
void several_trees(const PaddedBatch<Float>& batch, int threads, int k, std::int64_t* heads, Float* best, List list) {
  each_sentence(batch, threads, [&](int sentence, const std::vector<double>& scores) {
    const int n = batch.words(sentence);
    const double fault = score_fault(scores);
    std::int64_t* to = heads + static_cast<std::size_t>(sentence) * k * (batch.width - 1);
    std::fill_n(to, static_cast<std::size_t>(k) * (batch.width - 1), -1);
    if (best) std::fill_n(best + static_cast<std::size_t>(sentence) * k, k, Float(fault == 0.0 ? kImpossible : fault));
    if (n == 0 && best) best[at(sentence) * k] = 0;
    if (n == 0 || fault != 0.0) return;
    try {
      const auto trees = distribution_of(scores, n, batch.projective, batch.single_root);
      std::size_t rank = 0;
      for (const ScoredTree& tree : list(*trees, sentence)) {
        std::copy(tree.heads.begin(), tree.heads.end(), to + rank * (batch.width - 1));
        if (best) best[at(sentence) * k + rank] = static_cast<Float>(tree.score);
        ++rank;
      }
    } catch (const NoTree&) {
    }
  });
}

// scores[((sentence * width + h) * width + m) * labels + l], and k trees a sentence.
template <class Float>
struct LabelledBatch {
  const Float* scores;
  int sentences, width, labels, k;
};

// The k best trees with labels from the k best with the best label of each arc, by the code that runs on GPUs; −1 where
// there are fewer.
template <class Float>
void label_top_k(const LabelledBatch<Float>& batch, const std::int64_t* lengths, int threads, const std::int64_t* trees,
                 const Float* tree_scores, std::int64_t* heads, std::int64_t* labels, Float* best) {
  parallel_for(static_cast<std::size_t>(batch.sentences), threads, [&](std::size_t sentence, int) {
    thread_local std::vector<Float> memory;
    thread_local std::vector<long long> copy, found_heads, found_labels;  // of another name, and the same size
    const int n = static_cast<int>(lengths[sentence]);
    const std::size_t rows = sentence * batch.k, size = static_cast<std::size_t>(batch.k) * (batch.width - 1);
    const std::size_t begin = rows * (batch.width - 1);
    copy.assign(trees + begin, trees + begin + size);
    for (auto& head : copy) head = std::max(head, 0ll);
    found_heads.resize(size);
    found_labels.resize(size);
    memory.resize(static_cast<std::size_t>(batch.k) * (n + 5));
    const std::size_t arcs = sentence * batch.width * batch.width * batch.labels;
    kernels::label_top_k<Float>(
        kernels::Lanes{}, {batch.scores + arcs, n, batch.width, batch.labels, batch.k, copy.data(), tree_scores + rows,
                           found_heads.data(), found_labels.data(), best + rows},
        memory.data());
    std::copy(found_heads.begin(), found_heads.end(), heads + begin);
    std::copy(found_labels.begin(), found_labels.end(), labels + begin);
  });
}

}  // namespace headwise::trees
