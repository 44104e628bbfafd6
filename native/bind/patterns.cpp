// headwise._native.patterns: patterns over trees, built up piece by piece, and their matches.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <limits>
#include <memory>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "patterns/matcher.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

template <class Enum, std::size_t n>
Enum by_name(const std::array<const char*, n>& names, std::string_view name, const char* what) {
  for (std::size_t k = 0; k < n; ++k) {
    if (names[k] == name) return static_cast<Enum>(k);
  }
  throw nb::value_error((std::string("there is no ") + what + " " + std::string(name)).c_str());
}

constexpr std::array<const char*, column_count> columns{"id",    "form", "lemma",  "upos", "xpos",
                                                        "feats", "head", "deprel", "deps", "misc"};
constexpr std::array<const char*, 7> tests{"defined", "undefined", "one of", "none of", "like", "unlike", "compare"};
constexpr std::array<const char*, 6> comparisons{"=", "<>", "<", "<=", ">", ">="};
constexpr std::array<const char*, 6> relations{"edge", "dominates", "next", "before", "numbered", "compare"};

Attribute attribute(std::string_view column, std::string key) {
  return {by_name<Column>(columns, column, "column"), std::move(key)};
}

Comparison comparison(std::string_view name) { return by_name<Comparison>(comparisons, name, "comparison"); }

// A pattern while it is put together.
class PatternBuilder {
 public:
  void block(bool wanted, int nodes) {
    pattern_.blocks.push_back({wanted, pattern_.nodes, pattern_.nodes + nodes, {}, {}});
    pattern_.nodes += nodes;
  }
  void test(int node, Test test) { last().tests.emplace_back(known(node), std::move(test)); }
  void relate(Relation relation) {
    known(relation.a), known(relation.b);
    last().relations.push_back(std::move(relation));
  }
  const Pattern& pattern() const { return pattern_; }

 private:
  Block& last() {
    if (pattern_.blocks.empty()) throw nb::value_error("a pattern begins with a block");
    return pattern_.blocks.back();
  }
  int known(int node) const {
    if (node < 0 || node >= pattern_.nodes) throw nb::value_error("there is no such node");
    return node;
  }

  Pattern pattern_;
};

Expression expression(nb::handle ask) {
  return Expression([ask = nb::borrow<nb::object>(ask)](std::string_view value) {
    // Bytes of a file that are no UTF-8 are what they are in Python's own strings.
    const auto text = nb::steal(PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace"));
    if (!text.is_valid()) nb::raise_python_error();
    return nb::cast<bool>(nb::bool_(ask(text)));
  });
}

}  // namespace

void patterns(nb::module_ module) {
  nb::class_<PatternBuilder>(module, "PatternBuilder", "A pattern while it is put together.")
      .def(nb::init<>())
      .def("block", &PatternBuilder::block, "wanted"_a, "nodes"_a,
           "Begin a block with so many nodes of its own; nodes are numbered through.")
      .def("ask",
           [](PatternBuilder& self, int node, std::string_view column, std::string key, std::string_view kind,
              std::vector<std::string> values) {
             self.test(node, {attribute(column, std::move(key)), by_name<Test::Kind>(tests, kind, "test"),
                              std::move(values), {}, Comparison::equal, 0.0});
           },
           "node"_a, "column"_a, "key"_a, "kind"_a, "values"_a,
           "Whether a value is there (defined, undefined), and which it is (one of, none of).")
      .def("ask_expressions",
           [](PatternBuilder& self, int node, std::string_view column, std::string key, bool like, nb::list asks) {
             Test test{attribute(column, std::move(key)), like ? Test::Kind::like : Test::Kind::unlike,
                       {}, {}, Comparison::equal, 0.0};
             for (const auto ask : asks) test.expressions.push_back(expression(ask));
             self.test(node, std::move(test));
           },
           "node"_a, "column"_a, "key"_a, "like"_a, "asks"_a,
           nb::sig("def ask_expressions(self, node: int, column: str, key: str, like: bool, "
                   "asks: list[collections.abc.Callable[[str], object]]) -> None"),
           "Whether one of these functions of a value says so.")
      .def("ask_number",
           [](PatternBuilder& self, int node, std::string_view column, std::string key, std::string_view how,
              double number) {
             self.test(node, {attribute(column, std::move(key)), Test::Kind::compare, {}, {}, comparison(how), number});
           },
           "node"_a, "column"_a, "key"_a, "comparison"_a, "number"_a)
      .def("relate",
           [](PatternBuilder& self, std::string_view kind, int a, int b) {
             Relation relation;
             relation.kind = by_name<Relation::Kind>(relations, kind, "relation"), relation.a = a, relation.b = b;
             self.relate(std::move(relation));
           },
           "kind"_a, "a"_a, "b"_a)
      .def("compare",
           [](PatternBuilder& self, int a, std::string_view column_of_a, std::string key_of_a, std::string_view how,
              int b, std::string_view column_of_b, std::string key_of_b) {
             self.relate({Relation::Kind::compare, a, b, attribute(column_of_a, std::move(key_of_a)),
                          attribute(column_of_b, std::move(key_of_b)), comparison(how)});
           },
           "a"_a, "column_of_a"_a, "key_of_a"_a, "comparison"_a, "b"_a, "column_of_b"_a, "key_of_b"_a);

  nb::class_<Matcher>(module, "Matcher", "Finds a pattern in sentences.")
      .def("__init__",
           [](Matcher* self, const PatternBuilder& builder) {
             if (builder.pattern().blocks.empty()) throw nb::value_error("a pattern begins with a block");
             new (self) Matcher(builder.pattern());
           },
           "builder"_a)
      .def("find",
           [](Matcher& self, nb::handle sentences, std::size_t most) {
             std::vector<std::int32_t> rows, words;
             std::int32_t number = 0;
             for (const auto sentence : nb::iter(sentences)) {
               words.clear();
               self.find(nb::cast<const Sentence&>(sentence), words, most ? most : std::numeric_limits<std::size_t>::max());
               const auto width = static_cast<std::size_t>(self.width());
               for (std::size_t at = 0; at + width <= words.size(); at += width) {
                 rows.push_back(number);
                 rows.insert(rows.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                             words.begin() + static_cast<std::ptrdiff_t>(at + width));
                 if (width == 0) break;
               }
               ++number;
             }
             return to_array(std::move(rows));
           },
           "sentences"_a, "most"_a = 0,
           nb::sig("def find(self, sentences: collections.abc.Iterable[headwise._native.treebank.Sentence], most: int = 0)"
                   " -> numpy.typing.NDArray[numpy.int32]"),
           "Of each match the number of its sentence, and the words of the nodes, in rows one after the other.");
}

}  // namespace headwise::bind
