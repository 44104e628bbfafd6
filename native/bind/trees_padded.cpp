// Padded batches, as tensors are. Arguments are checked by headwise.torch; what is checked here only keeps memory safe.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/random.hpp"
#include "bind/trees_arrays.hpp"
#include "kernels/tree_check.cuh"
#include "trees/padded_batch.hpp"

namespace headwise::bind {
namespace {

template <class Number>
using PaddedArray = nb::ndarray<Number, nb::c_contig, nb::device::cpu>;

template <class Float>
PaddedBatch<Float> padded(const PaddedArray<const Float>& scores, const PaddedArray<const std::int64_t>& lengths,
                          bool projective, bool single_root) {
  require(scores.ndim() == 3 && scores.shape(1) == scores.shape(2) && scores.shape(1) >= 1,
          "scores must have shape (B, n+1, n+1)");
  require(lengths.ndim() == 1 && lengths.shape(0) == scores.shape(0), "lengths must be one a sentence");
  const auto width = static_cast<std::int64_t>(scores.shape(1));
  require(std::all_of(lengths.data(), lengths.data() + lengths.size(),
                      [&](std::int64_t length) { return length >= 0 && length < width; }),
          "lengths must lie between 0 and the number of words");
  return {scores.data(), lengths.data(), static_cast<int>(scores.shape(0)), static_cast<int>(width), projective,
          single_root};
}

template <class Array>
void check_size(const Array& array, std::size_t size) {
  require(array.size() == size, "an array has the wrong size");
}

template <class Float>
void bind_for(nb::module_& module) {
  using Scores = PaddedArray<const Float>;
  using Results = PaddedArray<Float>;
  using Lengths = PaddedArray<const std::int64_t>;
  using Heads = PaddedArray<std::int64_t>;
  const auto scores = nb::arg("scores").noconvert(), lengths = nb::arg("lengths").noconvert();
  const auto projective = nb::arg("projective"), single_root = nb::arg("single_root"), threads = nb::arg("threads");
  const auto heads = nb::arg("heads").noconvert();
  module.def(
      "padded_argmax",
      [](const Scores& scores, const Lengths& lengths, bool projective, bool single_root, int threads, Heads heads,
         Results best) {
        const auto batch = padded<Float>(scores, lengths, projective, single_root);
        check_size(heads, static_cast<std::size_t>(batch.sentences) * (batch.width - 1));
        check_size(best, batch.sentences);
        const nb::gil_scoped_release release;
        argmax(batch, threads, heads.data(), best.data());
      },
      scores, lengths, projective, single_root, threads, heads, nb::arg("best").noconvert());
  module.def(
      "padded_sums",
      [](const Scores& scores, const Lengths& lengths, bool projective, bool single_root, int threads,
         Results log_partition, std::optional<Results> marginals) {
        const auto batch = padded<Float>(scores, lengths, projective, single_root);
        check_size(log_partition, batch.sentences);
        if (marginals) check_size(*marginals, scores.size());
        const nb::gil_scoped_release release;
        sums(batch, threads, log_partition.data(), marginals ? marginals->data() : nullptr);
      },
      scores, lengths, projective, single_root, threads, nb::arg("log_partition").noconvert(),
      nb::arg("marginals").noconvert().none());
  module.def(
      "padded_derivatives",
      [](const Scores& scores, const Lengths& lengths, bool projective, bool single_root, int threads,
         const Scores& direction, std::optional<Scores> second, Results results) {
        const auto batch = padded<Float>(scores, lengths, projective, single_root);
        check_size(direction, scores.size());
        if (second) check_size(*second, scores.size());
        check_size(results, scores.size());
        const nb::gil_scoped_release release;
        derivatives(batch, direction.data(), second ? second->data() : nullptr, threads, results.data());
      },
      scores, lengths, projective, single_root, threads, nb::arg("direction").noconvert(),
      nb::arg("second").noconvert().none(), nb::arg("results").noconvert());
  module.def(
      "padded_top_k",
      [](const Scores& scores, const Lengths& lengths, bool projective, bool single_root, int threads, int k,
         Heads heads, Results best) {
        const auto batch = padded<Float>(scores, lengths, projective, single_root);
        require(k >= 1, "k must be positive");
        check_size(heads, static_cast<std::size_t>(batch.sentences) * k * (batch.width - 1));
        check_size(best, static_cast<std::size_t>(batch.sentences) * k);
        const nb::gil_scoped_release release;
        several_trees(batch, threads, k, heads.data(), best.data(),
                      [&](const Distribution& trees, int) { return trees.top_k(k); });
      },
      scores, lengths, projective, single_root, threads, nb::arg("k"), heads, nb::arg("best").noconvert());
  module.def(
      "padded_label_top_k",
      [](const Scores& scores, const Lengths& lengths, int threads, const PaddedArray<const std::int64_t>& trees,
         const Scores& tree_scores, Heads heads, Heads labels, Results best) {
        require(scores.ndim() == 4 && scores.shape(1) == scores.shape(2) && scores.shape(1) >= 1 &&
                    scores.shape(0) == lengths.size(),
                "scores must have shape (B, n+1, n+1, L)");
        require(trees.ndim() == 3 && trees.shape(0) == lengths.size() && trees.shape(2) + 1 == scores.shape(1),
                "trees must have shape (B, k, n)");
        check_size(heads, trees.size());
        check_size(labels, trees.size());
        check_size(tree_scores, trees.shape(0) * trees.shape(1));
        check_size(best, tree_scores.size());
        const auto width = static_cast<int>(scores.shape(1));
        require(std::all_of(lengths.data(), lengths.data() + lengths.size(),
                            [&](std::int64_t length) { return length >= 0 && length < width; }),
                "lengths must lie between 0 and the number of words");
        require(std::all_of(trees.data(), trees.data() + trees.size(),
                            [&](std::int64_t head) { return head >= -1 && head < width; }),
                "heads must be nodes");
        const nb::gil_scoped_release release;
        label_top_k<Float>({scores.data(), static_cast<int>(lengths.size()), width, static_cast<int>(scores.shape(3)),
                            static_cast<int>(trees.shape(1))},
                           lengths.data(), threads, trees.data(), tree_scores.data(), heads.data(), labels.data(),
                           best.data());
      },
      scores, lengths, threads, nb::arg("trees").noconvert(), nb::arg("tree_scores").noconvert(), heads,
      nb::arg("labels").noconvert(), nb::arg("best").noconvert());
  module.def(
      "padded_sample",
      [](const Scores& scores, const Lengths& lengths, bool projective, bool single_root, int threads, int k,
         std::uint64_t seed, Heads heads) {
        const auto batch = padded<Float>(scores, lengths, projective, single_root);
        require(k >= 1, "k must be positive");
        check_size(heads, static_cast<std::size_t>(batch.sentences) * k * (batch.width - 1));
        const nb::gil_scoped_release release;
        several_trees(batch, threads, k, heads.data(), static_cast<Float*>(nullptr),
                      [&](const Distribution& trees, int sentence) {
                        return trees.sample(k, Random::mix(seed) + static_cast<std::uint64_t>(sentence), false);
                      });
      },
      scores, lengths, projective, single_root, threads, nb::arg("k"), nb::arg("seed"), heads);
}

}  // namespace

void bind_padded(nb::module_& module) {
  module.def(
      "padded_is_tree",
      [](const PaddedArray<const std::int64_t>& heads, const PaddedArray<const std::int64_t>& lengths, bool projective,
         bool single_root, PaddedArray<bool> results) {
        require(heads.ndim() == 2 && heads.shape(0) == lengths.size() && results.size() == lengths.size(),
                "heads must have shape (B, n)");
        for (std::size_t sentence = 0; sentence < lengths.size(); ++sentence) {
          const std::int64_t length = lengths.data()[sentence];
          require(length >= 0 && length <= static_cast<std::int64_t>(heads.shape(1)),
                  "lengths must lie between 0 and the number of words");
          // A type of another name and the same size on this platform.
          const std::vector<long long> copy(heads.data() + sentence * heads.shape(1),
                                            heads.data() + sentence * heads.shape(1) + length);
          results.data()[sentence] =
              kernels::is_tree(kernels::Lanes{}, copy.data(), static_cast<int>(length), projective, single_root);
        }
      },
      nb::arg("heads").noconvert(), nb::arg("lengths").noconvert(), nb::arg("projective"), nb::arg("single_root"),
      nb::arg("results").noconvert());
  bind_for<float>(module);
  bind_for<double>(module);
}

}  // namespace headwise::bind
