// Bindings of the low-rank tensor. No algorithms here.
#include <algorithm>
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/fields.hpp"
#include "bind/modules.hpp"
#include "learning/tensor_start.hpp"
#include "scoring/tensor/scorer.hpp"
#include "scoring/tensor/shape.hpp"
#include "treebank/sentence.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Lines = std::vector<std::string>;

constexpr std::uint32_t most_unfolded = 4096;

std::vector<int> rows_of(const TensorShape& shape, const Atoms& atoms, int word) {
  std::vector<int> rows;
  shape.for_each_row(atoms, word, [&](std::uint32_t row) { rows.push_back(static_cast<int>(row)); });
  return rows;
}

// For the root and each word: what it is as a head, then what it is as a modifier.
Array<float> project(const TensorShape& shape, const Sentence& sentence, const ArrayIn<float>& heads,
                     const ArrayIn<float>& modifiers, std::shared_ptr<const WordView> words) {
  const auto sizes = shape.tables();
  if (heads.size() != sizes[0].size || modifiers.size() != sizes[1].size)
    throw std::invalid_argument("the tables are of another tensor");
  const std::vector<float> zeros(std::max(sizes[2].size, sizes.back().size));
  Atoms atoms(std::move(words));
  atoms.assign(sentence);
  TensorScorer scorer(shape);
  const WeightTables tables = {{"tensor_heads", heads.data()},
                               {"tensor_modifiers", modifiers.data()},
                               {"tensor_arcs", zeros.data()},
                               {"tensor_labels", zeros.data()}};
  scorer.read(atoms, tables);
  std::vector<float> all;
  for (int word = 0; word <= atoms.words(); ++word)
    for (const float* own : {scorer.as_head(word), scorer.as_modifier(word)})
      all.insert(all.end(), own, own + shape.rank());
  return to_array(std::move(all));
}

}  // namespace

void tensor_scoring(nb::module_ module) {
  nb::class_<TensorShape, ScorerShape>(module, "TensorShape", "A low-rank tensor as a scorer of arcs.")
      .def("__init__",
           [](TensorShape* self, const Lines& templates, const ArrayIn<std::int32_t>& vocabulary,
              const nb::kwargs& sizes) {
             const std::vector<std::uint32_t> keys(vocabulary.data(), vocabulary.data() + vocabulary.size());
             new (self) TensorShape(WordTemplates(templates), keys, struct_of<TensorSizes>(sizes));
           },
           nb::kw_only(), "templates"_a, "vocabulary"_a, "sizes"_a,
           nb::sig(constructor_of<TensorSizes>({}, "templates: collections.abc.Sequence[str], vocabulary: " + array_of("int32") + ", ")
                       .c_str()))
      .def_prop_ro("stride", &TensorShape::stride, "Numbers in a row; those beyond the rank are zero.")
      .def_prop_ro("rows", &TensorShape::row_count, "Of the tables of heads and of modifiers.")
      .def_prop_ro("first_vector_row", &TensorShape::first_vector_row)
      .def("rows_of",
           [](const TensorShape& self, const Sentence& sentence, std::shared_ptr<const WordView> words) {
             Atoms atoms(std::move(words));
             atoms.assign(sentence);
             std::vector<std::vector<int>> rows;
             for (int word = 0; word <= atoms.words(); ++word) rows.push_back(rows_of(self, atoms, word));
             return rows;
           },
           "sentence"_a, "words"_a.none() = nb::none(), "The rows that are added up for the root and for each word; those of vectors are not there.")
      .def("project", &project, "sentence"_a, "heads"_a, "modifiers"_a, "words"_a.none() = nb::none(),
           "Uφ and Vφ of the root and of each word, one after the other.");
}

void tensor_learning(nb::module_ module) {
  module.def(
      "collect_word_features",
      [](const Lines& templates, const std::vector<const TrainingExample*>& examples, int at_least) {
        const auto keys = collect_word_features(WordTemplates(templates), examples, at_least);
        return to_array(std::vector<std::int32_t>(keys.begin(), keys.end()));  // files have no unsigned numbers
      },
      "templates"_a, "examples"_a, "at_least"_a, "Features of words that occur at least so often, by their keys.");
  module.def(
      "unfold_features",
      [](const ParserShape& model, const TensorShape& tensor, const std::vector<const TrainingExample*>& examples,
         const ArrayIn<float>& weights, std::uint32_t rows) {
        if (weights.size() != model.arc_table_size()) throw std::invalid_argument("unfold_features: wrong table size");
        if (rows < 1 || rows > tensor.row_count() || rows > most_unfolded)
          throw std::invalid_argument("unfold_features: from 1 to 4096 rows, of those there are");
        std::vector<float> full;
        {
          const nb::gil_scoped_release release;
          full = TensorUnfolding(model, tensor, rows).tensor(examples, weights.data());
        }
        return to_array(std::move(full));
      },
      "model"_a, "tensor"_a, "examples"_a, "weights"_a, "rows"_a,
      "Weights of arcs that are entries of the tensor, [slot, row of the head, row of the modifier]; of the first rows.");
}

}  // namespace headwise::bind
