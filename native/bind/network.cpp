// Bindings of the network and its trainer. No algorithms here.
#include "scoring/network/network.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/fields.hpp"
#include "bind/modules.hpp"
#include "base/index.hpp"
#include "base/simd/log_probabilities.hpp"
#include "learning/network_trainer.hpp"
#include "scoring/network/byte_rows.hpp"
#include "scoring/network/byte_weights.hpp"
#include "scoring/network/network_scorer.hpp"
#include "treebank/sentence.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

Array<float> copy(const Floats& numbers) { return to_array(std::vector<float>(numbers.begin(), numbers.end())); }

// What kind of thing an atom says of its word.
std::uint8_t kind_of(Attribute a) {
  if (NetworkVocabulary::names_the_word(a)) return 0;
  if (a == Attribute::tag || a == Attribute::pos || a == Attribute::feat) return 1;
  return a < Attribute::c4 ? 2 : 3;
}

std::tuple<Array<std::int32_t>, Array<std::uint8_t>, Array<std::int32_t>> network_atoms(
    const NetworkShape& shape, const std::vector<const TrainingExample*>& examples) {
  std::vector<std::int32_t> rows, counts;
  std::vector<std::uint8_t> kinds;
  for (const TrainingExample* example : examples)
    for (int t = 0; t <= example->atoms.words(); ++t) {
      const std::size_t before = rows.size();
      shape.vocabulary.for_each_row(example->atoms, t, [&](Attribute a, int row) {
        rows.push_back(row);
        kinds.push_back(kind_of(a));
      });
      counts.push_back(static_cast<std::int32_t>(rows.size() - before));
    }
  return {to_array(std::move(rows)), to_array(std::move(kinds)), to_array(std::move(counts))};
}

std::tuple<Array<std::int64_t>, Array<std::uint8_t>, Array<std::int32_t>> word_atoms(const Sentence& sentence,
                                                                                     int pieces) {
  std::vector<std::int64_t> keys;
  std::vector<std::uint8_t> kinds;
  std::vector<std::int32_t> counts;
  Atoms atoms;
  atoms.assign(sentence);
  for (int t = 0; t <= sentence.size(); ++t) {
    const std::size_t before = keys.size();
    NetworkVocabulary::for_each_key(atoms, t, pieces, [&](Attribute a, std::uint64_t key) {
      if (NetworkVocabulary::is_annotation(a)) return;
      keys.push_back(static_cast<std::int64_t>(key));
      kinds.push_back(kind_of(a));
    });
    counts.push_back(static_cast<std::int32_t>(keys.size() - before));
  }
  return {to_array(std::move(keys)), to_array(std::move(kinds)), to_array(std::move(counts))};
}

Array<float> given_vectors(const NetworkShape& shape, const std::vector<const TrainingExample*>& examples) {
  std::vector<float> numbers;
  Network network(shape);
  for (const TrainingExample* example : examples)
    for (int t = 0; t <= example->atoms.words(); ++t) {
      network.reset_given(1);
      network.set_given(example->atoms.vector(t), 0);
      numbers.insert(numbers.end(), network.given().row(0), network.given().row(0) + shape.widths.given);
    }
  return to_array(std::move(numbers));
}

void check_bits(int bits) {
  if (bits != 8 && bits != 32) throw std::invalid_argument("a network has 8 or 32 bits");
}

nb::dict quantize_network(const NetworkShape& shape, const ArrayIn<float>& weights, const ArrayIn<float>& vectors) {
  check_table_size(weights.size(), network_weight_count(shape), "network");
  check_table_size(vectors.size(), shape.vector_count(), "vectors");
  QuantizedNetwork made = quantized(shape, weights.data(), vectors.data());
  nb::dict tables;
  tables["network"] = to_array(std::move(made.network));
  tables["network_scales"] = to_array(std::move(made.network_scales));
  tables["vectors"] = to_array(std::move(made.vectors));
  tables["vector_scales"] = to_array(std::move(made.vector_scales));
  return tables;
}

std::pair<Array<float>, Array<float>> restore_network(const NetworkShape& shape, const nb::dict& tables) {
  const ByteWeights sizes(shape, nullptr, nullptr);
  const auto table = [&]<class T>(const char* name, std::size_t size) {
    const auto found = nb::cast<ArrayIn<T>>(tables[name]);
    check_table_size(found.size(), size, name);
    return found.data();
  };
  auto [weights, vectors] = restored(
      shape, {table.operator()<std::uint8_t>("network", sizes.byte_count()),
              table.operator()<float>("network_scales", sizes.float_count()),
              table.operator()<std::uint8_t>("vectors", shape.vector_count()),
              table.operator()<float>("vector_scales", static_cast<std::size_t>(shape.vocabulary.size()))});
  return {to_array(std::move(weights)), to_array(std::move(vectors))};
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const simd::ByteKernel& kernel : simd::byte_kernels()) names.emplace_back(kernel.name);
  return names;
}

Array<float> multiply_by_kernel(const std::string& name, const ArrayIn<float>& rows, const ArrayIn<float>& matrix,
                                int inner) {
  const auto size = static_cast<std::size_t>(inner);
  if (inner < 1 || rows.size() % size || matrix.size() % size) throw std::invalid_argument("inner: wrong size");
  const int columns = static_cast<int>(matrix.size() / size), row_count = static_cast<int>(rows.size() / size);
  const int padded = simd::padded_byte_columns(columns);
  simd::AlignedVector<std::uint8_t> bytes(simd::packed_bytes(inner, columns), simd::kByteZero);
  Floats scales(static_cast<std::size_t>(padded));
  quantize({matrix.data(), inner, columns, columns}, bytes.data(), scales.data());
  ByteRows activations;
  activations.assign({rows.data(), row_count, inner, inner});
  Matrix product;
  product.reset(row_count, padded);
  const auto kernels = simd::byte_kernels();
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == name; });
  if (kernel == kernels.end()) throw std::invalid_argument("this processor has no kernel '" + name + "'");
  kernel->multiply(activations.view(), {bytes.data(), scales.data(), inner, columns}, {product.row(0), padded},
                   {product.row(0), padded});
  std::vector<float> numbers;
  for (int r = 0; r < row_count; ++r) numbers.insert(numbers.end(), product.row(r), product.row(r) + columns);
  return to_array(std::move(numbers));
}

Array<float> log_probabilities(const ArrayIn<float>& scores) {
  std::vector<float> row(scores.data(), scores.data() + scores.size());
  if (row.empty()) throw std::invalid_argument("scores: none");
  simd::to_log_probabilities(static_cast<int>(row.size()), row.data());
  return to_array(std::move(row));
}

// From the sums of gates, row by row, and cells that are zero at first: the outputs of one position after the other.
Array<float> gate_outputs(const ArrayIn<float>& gates, int width) {
  const auto size = static_cast<std::size_t>(width);
  if (width < 16 || width % 16 || gates.size() % (4 * size)) throw std::invalid_argument("gates: wrong size");
  Floats cell(size, 0.0f);
  std::vector<float> outputs(gates.size() / 4);
  for (std::size_t row = 0; row * size < outputs.size(); ++row)
    simd::pass_gates(width, gates.data() + 4 * row * size, cell.data(), outputs.data() + row * size);
  return to_array(std::move(outputs));
}

std::array<std::pair<const char*, AdamWeights*>, 3> tables(NetworkTrainer& trainer) {
  return {{{"network", &trainer.weights()}, {"vectors", &trainer.vectors()}, {"tag_pieces", &trainer.pieces()}}};
}

nb::dict state(NetworkTrainer& trainer) {
  nb::dict state;
  for (const auto& [name, weights] : tables(trainer)) {
    int number = 0;
    for (const Floats* table : weights->tables())
      state[(std::string(name) + "." + std::to_string(number++)).c_str()] = copy(*table);
  }
  state["seen"] = to_array(std::vector<std::int64_t>{trainer.seen()});
  return state;
}

void restore(NetworkTrainer& trainer, const nb::dict& state) {
  for (const auto& [name, weights] : tables(trainer)) {
    int number = 0;
    for (Floats* table : weights->tables()) {
      const auto saved =
          nb::cast<ArrayIn<float>>(state[(std::string(name) + "." + std::to_string(number++)).c_str()]);
      if (saved.size() != table->size()) throw std::invalid_argument("the training state is of another model");
      std::copy(saved.data(), saved.data() + saved.size(), table->begin());
    }
  }
  const auto seen = nb::cast<ArrayIn<std::int64_t>>(state["seen"]);
  if (seen.size() != 1) throw std::invalid_argument("the training state is of another model");
  trainer.seen() = seen.data()[0];
}

}  // namespace

void network_scoring(nb::module_ module) {
  nb::class_<NetworkShape>(module, "NetworkShape", "What a network computes, without its weights.")
      .def("__init__",
           [](NetworkShape* self, const ArrayIn<std::int64_t>& vocabulary, const nb::kwargs& widths) {
             new (self) NetworkShape(view(vocabulary), struct_of<NetworkWidths>(widths));
           },
           "vocabulary"_a, "widths"_a,
           nb::sig(constructor_of<NetworkWidths>("vocabulary: " + array_of("int64") + ", ").c_str()))
      .def("vector_rows",
           [](const NetworkShape& self, const Sentence& sentence) {
             Atoms atoms;
             atoms.assign(sentence);
             std::vector<std::vector<int>> rows(static_cast<std::size_t>(sentence.size()) + 1);
             for (int t = 0; t <= sentence.size(); ++t)
               self.vocabulary.for_each_row(
                   atoms, t, [&](Attribute, int row) { rows[at(t)].push_back(row); });
             return rows;
           },
           "sentence"_a, "The rows of the vectors that are added up for the root and for each word.")
      .def_prop_ro("weight_count", [](const NetworkShape& self) { return network_weight_count(self); })
      .def_prop_ro("vector_count", &NetworkShape::vector_count);

  nb::class_<NetworkScorerShape, ScorerShape>(module, "NetworkScorerShape", "A network as a scorer.")
      .def("__init__",
           [](NetworkScorerShape* self, const NetworkShape& network, double weight, int bits, int member) {
             if (!(weight >= 0 && std::isfinite(weight)))
               throw std::invalid_argument("the weight of a network must be a number that is not negative");
             check_bits(bits);
             check(limit("network.members"), member);
             new (self) NetworkScorerShape(network, weight, bits == 8, member);
           },
           "network"_a, nb::kw_only(), "weight"_a, "bits"_a = 32, "member"_a = 1);

  module.def("quantize_network", &quantize_network, "shape"_a, "weights"_a, "vectors"_a,
             "The tables of a network in bytes: network, network_scales, vectors, vector_scales.");
  module.def("restore_network", &restore_network, "shape"_a, "tables"_a,
             "The floats that the tables of a network in bytes stand for: of layers, and of vectors.");
  module.def("byte_kernels", &kernel_names, "The ways to multiply bytes that this processor has, the quickest first.");
  module.def("multiply_bytes", &multiply_by_kernel, "kernel"_a, "rows"_a, "matrix"_a, "inner"_a,
             "The product of two matrices of floats, in bytes: row by row, with `inner` columns and rows.");
  module.def("log_probabilities", &log_probabilities, "scores"_a,
             "scores - log Σ exp(scores), as networks in bytes do it.");
  module.def("gate_outputs", &gate_outputs, "gates"_a, "width"_a,
             "What an LSTM in bytes makes of the sums of its gates (input, forget, output, candidate), position by"
             " position.");
}

void network_learning(nb::module_ module) {
  module.def(
      "collect_vocabulary",
      [](const std::vector<const TrainingExample*>& examples, int at_least, int pieces, int pieces_at_least,
         bool annotations) {
        return to_array(collect_vocabulary(examples, at_least, pieces, pieces_at_least, annotations));
      },
      "examples"_a, "at_least"_a, "pieces"_a = 0, "pieces_at_least"_a = 1, "annotations"_a = true,
      "The atoms of words that occur at least so often, and the pieces of words, of up to `pieces` characters.\n\n"
      "Without annotations, tags and lemmas are no atoms.");
  module.def("word_atoms", &word_atoms, "sentence"_a, "pieces"_a,
             "Of the root and all words, as they are without tags: the keys of their atoms, as vocabularies have them,"
             " the kind of each (as `network_atoms` has it), and how many each position has.");
  module.def("network_atoms", &network_atoms, "shape"_a, "examples"_a,
             "Of the root and all words of all examples, one after the other: the rows of their vectors, the kind of"
             " each (0: the word, 1: its tags, 2: its spelling, 3: its clusters), and how many each position has.");
  module.def("given_vectors", &given_vectors, "shape"_a, "examples"_a,
             "Of the root and all words of all examples, as the network reads them: the vectors that come with words.");

  nb::class_<NetworkTrainer>(module, "NetworkTrainer", "Learning a network by Adam.")
      .def("__init__",
           [](NetworkTrainer* self, const NetworkShape& shape, std::vector<std::vector<int>> tag_pieces,
              const nb::kwargs& learning) {
             new (self) NetworkTrainer(shape, struct_of<NetworkLearning>(learning), TagPieces(std::move(tag_pieces)));
           },
           "shape"_a, "tag_pieces"_a = std::vector<std::vector<int>>{}, "learning"_a,
           nb::sig(constructor_of<NetworkLearning>("shape: headwise._native.scoring.NetworkShape, tag_pieces: "
                                                   "collections.abc.Sequence[collections.abc.Sequence[int]] = [], ")
                       .c_str()))
      .def("add",
           [](NetworkTrainer& self, const TrainingExample& example, const std::optional<ArrayIn<std::int32_t>>& tags) {
             self.add(example, tags ? std::vector<int>(tags->data(), tags->data() + tags->size()) : std::vector<int>());
           },
           "example"_a, "tags"_a = nb::none(), "A sentence, and the tags of its words where the network scores them.")
      .def("train",
           [](NetworkTrainer& self, const ArrayIn<std::int64_t>& order, int threads) {
             const nb::gil_scoped_release release;
             return self.train(view(order), threads);
           },
           "order"_a, "threads"_a = 1)
      .def("averaged",
           [](NetworkTrainer& self) {
             return std::tuple(copy(self.weights().values), copy(self.vectors().values));
           },
           "The weights and the vectors as they are: the rate falls to zero, so there is nothing to average.")
      .def("loss",
           [](NetworkTrainer& self, const ArrayIn<std::int64_t>& order) {
             Floats weights, vectors;
             const double loss = self.loss(view(order), weights, vectors);
             return std::tuple(loss, copy(weights), copy(vectors));
           },
           "order"_a, "Of examples, without dropout: the loss and its gradients.")
      .def("state", &state)
      .def("restore", &restore, "state"_a);
}

}  // namespace headwise::bind
