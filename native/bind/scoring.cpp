// Bindings of how words are looked at, and of scorers: what a list of them has in common, and each in a file of its own.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "scoring/features/word_view.hpp"
#include "scoring/scorer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

Column column_named(const std::string& name) {
  if (name == "lemma") return Column::lemma;
  if (name == "upos") return Column::upos;
  if (name == "xpos") return Column::xpos;
  if (name == "feats") return Column::feats;
  throw std::invalid_argument("no column of features is called '" + name + "' (use lemma, upos, xpos or feats)");
}

void word_view(nb::module_& module) {
  nb::class_<WordView>(module, "WordView", "How a model looks at words, beyond what the sentence says of them.")
      .def("__init__",
           [](WordView* self, const std::optional<std::vector<std::string>>& known,
              const std::vector<std::string>& ignored) {
             WordView view;
             if (known) view.know_only(*known);
             for (const std::string& column : ignored) view.ignore(column_named(column));
             new (self) WordView(std::move(view));
           },
           nb::kw_only(), "known"_a.none() = nb::none(), "ignored"_a = std::vector<std::string>{})
      .def("add_clustering",
           [](WordView& self, const nb::bytes& lines, const std::set<std::string>& near, const std::set<std::string>& far) {
             const auto contour = [](const std::set<std::string>& nodes) {
               return Clustering::Contour(nodes.begin(), nodes.end());
             };
             self.add(Clustering({lines.c_str(), lines.size()}, {contour(near), contour(far)}));
           },
           "lines"_a, "near"_a, "far"_a, "Paths and words; the nodes of a contour near the root, and of one farther down.")
      .def("set_vectors",
           [](WordView& self, const nb::bytes& words, const ArrayIn<float>& numbers, int width) {
             self.set_vectors(WordVectors({words.c_str(), words.size()}, view(numbers), width));
           },
           "words"_a, "numbers"_a, "width"_a, "Words, each with a line break, and a row of numbers for each.");
}

}  // namespace

void scoring(nb::module_ module) {
  word_view(module);
  nb::class_<ScorerShape>(module, "ScorerShape", "What a scorer computes, without its weights.");
  label_rules(module);
  role_scoring(module);
  whole_tree_scoring(module);
  tensor_scoring(module);
  network_scoring(module);
}

}  // namespace headwise::bind
