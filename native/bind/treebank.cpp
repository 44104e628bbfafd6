// headwise._native.treebank: reading and writing treebank files; its sentences and trees are bound beside it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "bind/treebank.hpp"
#include "bind/modules.hpp"
#include "treebank/conll_reader.hpp"
#include "treebank/conll_writer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

Validation parse_validation(std::string_view name) {
  if (name == "columns") return Validation::columns;
  if (name == "tree") return Validation::tree;
  if (name == "single-root") return Validation::single_root;
  throw nb::value_error(("validate must be columns, tree or single-root, not " + std::string(name)).c_str());
}

void bind_reader(nb::module_& module) {
  nb::class_<ConllProblem>(module, "Problem", "What is wrong at a place of a file, and what to do about it.")
      .def_ro("line", &ConllProblem::line)
      .def_ro("column", &ConllProblem::column)
      .def_ro("problem", &ConllProblem::problem)
      .def_ro("remedy", &ConllProblem::remedy);

  nb::class_<ConllReader>(module, "Reader", "Turns the bytes of a file, piece by piece, into sentences.")
      .def("__init__",
           [](ConllReader* self, std::string file, std::string_view format, std::string_view fallback,
              std::string_view validate) {
             new (self) ConllReader(std::move(file), parse_format(format), parse_format(fallback).value(),
                                    parse_validation(validate));
           },
           "file"_a, "format"_a, "fallback"_a, "validate"_a)
      .def("read",
           [](ConllReader& reader, const nb::bytes& chunk) {
             nb::list items;
             if (view(chunk).empty()) {
               reader.finish();
             } else {
               reader.feed(view(chunk));
             }
             while (auto item = reader.next()) {
               std::visit([&](auto&& found) { items.append(nb::cast(std::move(found))); }, *std::move(item));
             }
             return items;
           },
           "chunk"_a, nb::sig("def read(self, chunk: bytes) -> list[Sentence | Problem]"),
           "The sentences that end in these bytes, and problems in place of broken ones. Empty bytes end the file.")
      .def_prop_ro("trailer", [](const ConllReader& reader) { return raw(reader.trailer()); },
                   "After the end of the file: what followed the last sentence.")
      .def_prop_ro("format",
                   [](const ConllReader& reader) -> std::optional<std::string> {
                     if (!reader.format()) return std::nullopt;
                     return format_name(*reader.format());
                   },
                   nb::sig("def format(self) -> typing.Literal[\"conllu\", \"conllx\"] | None"));
}

void bind_writer(nb::module_& module) {
  nb::class_<ConllWriter>(module, "Writer", "Puts sentences one after the other, as bytes.")
      .def(nb::init<>())
      .def("write", &ConllWriter::write, "sentence"_a)
      .def("write_trailer",
           [](ConllWriter& writer, const nb::bytes& trailer) { writer.write_trailer(view(trailer)); },
           "trailer"_a)
      .def("take", [](ConllWriter& writer) { return raw(writer.take()); }, "The bytes since the last call.");

  module.def(
      "to_bytes",
      [](nb::iterable sentences, const nb::bytes& trailer) {
        ConllWriter writer;
        for (const auto sentence : sentences) writer.write(nb::cast<const Sentence&>(sentence));
        writer.write_trailer(view(trailer));
        return raw(writer.take());
      },
      "sentences"_a, "trailer"_a = nb::bytes("", 0),
      nb::sig("def to_bytes(sentences: collections.abc.Iterable[Sentence], trailer: bytes = b'') -> bytes"),
      "The bytes of a file with these sentences.");
}

}  // namespace

void treebank(nb::module_ module) {
  bind_sentence(module);
  bind_tree_shape(module);
  bind_reader(module);
  bind_writer(module);
}

}  // namespace headwise::bind
