// Padded batches of trees with larger parts. Arguments are checked by headwise.torch; what is checked here only keeps
// memory safe.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

#include "bind/trees_arrays.hpp"
#include "trees/padded_parts.hpp"

namespace headwise::bind {
namespace {

template <class Number>
using PaddedArray = nb::ndarray<Number, nb::c_contig, nb::device::cpu>;
using Scores = PaddedArray<const double>;
using Results = PaddedArray<double>;
using Integers64 = PaddedArray<const std::int64_t>;
using Heads = PaddedArray<std::int64_t>;

// A table of a batch; its first dimension is the sentence, and `strides` says where to write the strides of the others.
kernels::PartTable<double> part_table(const std::optional<Scores>& scores, std::size_t sentences,
                                      std::initializer_list<int kernels::PartTable<double>::*> strides,
                                      std::initializer_list<std::size_t> shape) {
  kernels::PartTable<double> table{};
  if (!scores) return table;
  require(scores->ndim() == shape.size() + 1 && scores->shape(0) == sentences &&
              std::equal(shape.begin(), shape.end(), scores->shape_ptr() + 1),
          "a table of parts has the wrong shape");
  table.scores = scores->data();
  long long stride = 1;
  for (std::size_t k = shape.size(); k > 0; --k) {
    table.*(strides.begin()[k - 1]) = static_cast<int>(stride);
    stride *= static_cast<long long>(scores->shape(k));
  }
  table.sentence = stride;
  require(stride <= std::numeric_limits<int>::max(), "a table of parts is too large");
  return table;
}

// Siblings, grandchildren and grand-siblings, where they are given.
using TableScores = std::vector<std::optional<Scores>>;
using TableResults = std::vector<std::optional<Results>>;

struct PartArguments {
  Scores arcs;
  TableScores tables;
  std::optional<Integers64> candidates;
  Integers64 lengths;
  bool single_root;
  // `lengths` by the type that kernels have for them.
  std::vector<long long> long_lengths, long_candidates;

  PaddedParts batch() {
    require(arcs.ndim() == 3 && arcs.shape(1) == arcs.shape(2) && arcs.shape(1) >= 1,
            "arcs must have shape (B, n+1, n+1)");
    const std::size_t sentences = arcs.shape(0), nodes = arcs.shape(1);
    require(lengths.ndim() == 1 && lengths.shape(0) == sentences, "lengths must be one a sentence");
    long_lengths.assign(lengths.data(), lengths.data() + lengths.size());
    require(std::all_of(long_lengths.begin(), long_lengths.end(),
                        [&](long long n) { return n >= 0 && n < static_cast<long long>(nodes); }),
            "lengths must lie between 0 and the number of words");
    require(tables.size() == 3, "there must be three tables");
    const auto &siblings = tables[0], &grandchildren = tables[1], &grand_siblings = tables[2];
    PaddedParts batch{};
    batch.arcs = {arcs.data(), nullptr, nullptr, long_lengths.data(), static_cast<int>(sentences),
                  static_cast<int>(nodes), single_root};
    using Table = kernels::PartTable<double>;
    const auto modifier = &Table::modifier, head = &Table::head, grandparent = &Table::grandparent,
               sibling = &Table::sibling;
    if (!candidates) {
      batch.parts.choices = static_cast<int>(nodes);
      batch.parts.siblings = part_table(siblings, sentences, {head, modifier, sibling}, {nodes, nodes, nodes});
      batch.parts.grandchildren =
          part_table(grandchildren, sentences, {grandparent, head, modifier}, {nodes, nodes, nodes});
      batch.parts.grand_siblings =
          part_table(grand_siblings, sentences, {grandparent, head, modifier, sibling}, {nodes, nodes, nodes, nodes});
      return batch;
    }
    require(candidates->ndim() == 3 && candidates->shape(0) == sentences && candidates->shape(1) == nodes &&
                candidates->shape(2) >= 1,
            "candidates must have shape (B, n+1, k)");
    const std::size_t k = candidates->shape(2);
    long_candidates.assign(candidates->data(), candidates->data() + candidates->size());
    batch.parts.candidates = long_candidates.data();
    batch.parts.choices = static_cast<int>(k);
    batch.parts.empty_sides = grandchildren && grandchildren->ndim() == 4 && grandchildren->shape(2) == k + 2;
    batch.parts.siblings = part_table(siblings, sentences, {modifier, head, sibling}, {nodes, k, nodes});
    batch.parts.grandchildren = part_table(grandchildren, sentences, {modifier, head, grandparent},
                                           {nodes, batch.parts.empty_sides ? k + 2 : k, k});
    batch.parts.grand_siblings =
        part_table(grand_siblings, sentences, {modifier, head, grandparent, sibling}, {nodes, k, k, nodes});
    return batch;
  }
};

// set(table, array) for those of three arrays that are given, each as large as the scores of its table.
template <class Array, class Set>
void each_given(PaddedParts& batch, const std::vector<std::optional<Array>>& tables, Set set) {
  require(tables.size() == 3, "there must be three tables");
  kernels::PartTable<double>* of[] = {&batch.parts.siblings, &batch.parts.grandchildren, &batch.parts.grand_siblings};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!tables[k]) continue;
    require(of[k]->scores && static_cast<long long>(tables[k]->size()) == of[k]->sentence * batch.arcs.sentences,
            "an array has the wrong size");
    set(*of[k], tables[k]->data());
  }
}

void check_size(std::size_t size, std::size_t wanted) { require(size == wanted, "an array has the wrong size"); }

}  // namespace

void bind_padded_parts(nb::module_& module) {
  nb::class_<PartArguments>(module, "PaddedParts")
      .def(nb::new_([](const Scores& arcs, const TableScores& tables, std::optional<Integers64> candidates,
                       const Integers64& lengths, bool single_root) {
             return new PartArguments{arcs, tables, candidates, lengths, single_root, {}, {}};
           }),
           nb::arg("arcs").noconvert(), nb::arg("tables"), nb::arg("candidates").noconvert().none(),
           nb::arg("lengths").noconvert(), nb::arg("single_root"))
      .def(
          "argmax",
          [](PartArguments& self, int threads, Heads heads, Results best) {
            const PaddedParts batch = self.batch();
            check_size(heads.size(), static_cast<std::size_t>(batch.arcs.sentences) * (batch.arcs.width - 1));
            check_size(best.size(), batch.arcs.sentences);
            const nb::gil_scoped_release release;
            argmax(batch, threads, heads.data(), best.data());
          },
          nb::arg("threads"), nb::arg("heads").noconvert(), nb::arg("best").noconvert())
      .def(
          "sums",
          [](PartArguments& self, int threads, Results log_partition, Results arcs, const TableResults& tables) {
            PaddedParts batch = self.batch();
            check_size(log_partition.size(), batch.arcs.sentences);
            check_size(arcs.size(), self.arcs.size());
            each_given(batch, tables, [](auto& table, double* results) { table.results = results; });
            const nb::gil_scoped_release release;
            sums(batch, threads, log_partition.data(), arcs.data());
          },
          nb::arg("threads"), nb::arg("log_partition").noconvert(), nb::arg("arcs").noconvert(), nb::arg("tables"))
      .def(
          "derivatives",
          [](PartArguments& self, int threads, std::optional<Scores> direction, const TableScores& directions,
             std::optional<Scores> second, const TableScores& seconds, Results arcs, const TableResults& tables) {
            PaddedParts batch = self.batch();
            check_size(arcs.size(), self.arcs.size());
            if (direction) check_size(direction->size(), self.arcs.size());
            if (second) check_size(second->size(), self.arcs.size());
            batch.arcs.direction = direction ? direction->data() : nullptr;
            batch.arcs.second_direction = second ? second->data() : nullptr;
            each_given(batch, directions, [](auto& table, const double* given) { table.direction = given; });
            each_given(batch, seconds, [](auto& table, const double* given) { table.second_direction = given; });
            each_given(batch, tables, [](auto& table, double* results) { table.results = results; });
            const nb::gil_scoped_release release;
            derivatives(batch, threads, arcs.data());
          },
          nb::arg("threads"), nb::arg("direction").noconvert().none(), nb::arg("directions"),
          nb::arg("second").noconvert().none(), nb::arg("seconds"), nb::arg("arcs").noconvert(), nb::arg("tables"))
      .def(
          "sample",
          [](PartArguments& self, int threads, int k, std::uint64_t seed, Heads heads) {
            const PaddedParts batch = self.batch();
            require(k >= 1, "k must be positive");
            check_size(heads.size(), static_cast<std::size_t>(batch.arcs.sentences) * k * (batch.arcs.width - 1));
            const nb::gil_scoped_release release;
            sample(batch, threads, k, seed, heads.data());
          },
          nb::arg("threads"), nb::arg("k"), nb::arg("seed"), nb::arg("heads").noconvert());
}

}  // namespace headwise::bind
