// headwise._native.treebank: Sentence and Token.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/index.hpp"
#include "bind/arguments.hpp"
#include "bind/treebank.hpp"
#include "treebank/conll_edit.hpp"
#include "treebank/sentence.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

nb::str text(std::string_view bytes) { return nb::str(bytes.data(), bytes.size()); }

nb::list column(const Sentence& sentence, Column column) {
  nb::list fields;
  for (int word = 1; word <= sentence.size(); ++word) fields.append(text(sentence.field(word, column)));
  return fields;
}

template <Column C>
nb::typed<nb::list, nb::str> column_of(const Sentence& sentence) {
  return nb::borrow<nb::typed<nb::list, nb::str>>(column(sentence, C));
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

nb::typed<nb::list, nb::str> comments(const Sentence& sentence) {
  nb::list lines;
  for_each_line(sentence.body(), [&](std::string_view line) {
    if (line.starts_with('#')) lines.append(text(line));
    return true;
  });
  return nb::borrow<nb::typed<nb::list, nb::str>>(lines);
}

std::optional<std::string_view> comment(const Sentence& sentence, std::string_view key) {
  std::optional<std::string_view> value;
  for_each_line(sentence.body(), [&](std::string_view line) {
    const auto equals = line.find('=');
    if (line.starts_with('#') && equals != std::string_view::npos && trimmed(line.substr(1, equals - 1)) == key) {
      value = trimmed(line.substr(equals + 1));
    }
    return !value;
  });
  return value;
}

std::string source(const Sentence& sentence) {
  return *sentence.source().file + ":" + std::to_string(sentence.source().line);
}

std::uint64_t line_of(const Sentence& sentence, int word) {
  if (word < 1 || word > sentence.size()) throw nb::index_error("words are numbered from 1 to the length");
  const auto before = sentence.body().substr(0, sentence.row(word).begin - sentence.preamble().size());
  return sentence.source().line + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

std::string describe(const Sentence& sentence) {
  std::string words;
  int word = 1;
  for (; word <= sentence.size() && words.size() < 40; ++word) {
    if (word > 1) words += ' ';
    words += sentence.field(word, Column::form);
  }
  if (word <= sentence.size()) words += " …";
  return "<Sentence \"" + words + "\" (" + std::to_string(sentence.size()) +
         (sentence.size() == 1 ? " word, " : " words, ") + source(sentence) + ")>";
}

std::optional<Strings> strings_or_none(nb::handle sequence, const char* name) {
  if (sequence.is_none()) return std::nullopt;
  return Strings(sequence, name);
}

std::optional<std::span<const std::string_view>> span_or_none(const std::optional<Strings>& strings) {
  if (!strings) return std::nullopt;
  return std::span<const std::string_view>(strings->views());
}

// Errors of the edits name the sentence.
template <class F>
Sentence edit(const Sentence& sentence, F&& f) {
  try {
    return f();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(source(sentence) + ": " + error.what());
  }
}

Sentence tree_of(const Sentence& sentence, nb::handle heads, nb::handle labels, nb::handle misc) {
  const auto numbers = word_numbers(heads, "heads");
  const auto label_strings = strings_or_none(labels, "labels");
  const auto misc_strings = strings_or_none(misc, "misc");
  return edit(sentence, [&] {
    return with_tree(sentence, numbers, span_or_none(label_strings), span_or_none(misc_strings));
  });
}

Sentence from_words(nb::handle forms, nb::handle lemmas, nb::handle upos, nb::handle xpos, nb::handle feats,
                    nb::handle heads, nb::handle labels, nb::handle misc, nb::handle comments) {
  std::vector<Strings> owners;  // of the views in words
  const auto views = [&](nb::handle sequence, const char* name) -> std::optional<Words::Texts> {
    if (sequence.is_none()) return std::nullopt;
    return owners.emplace_back(sequence, name).views();
  };
  Words words{
      .forms = owners.emplace_back(forms, "forms").views(),
      .lemmas = views(lemmas, "lemmas"),
      .upos = views(upos, "upos"),
      .xpos = views(xpos, "xpos"),
      .feats = views(feats, "feats"),
      .labels = views(labels, "labels"),
      .misc = views(misc, "misc"),
      .heads = std::nullopt,
      .comments = owners.emplace_back(comments, "comments").views(),
  };
  if (!heads.is_none()) words.heads = word_numbers(heads, "heads");
  return sentence_from_words(words);
}

// A line of a sentence that has columns, with its fields as they stand in the file.
struct Token {
  std::array<std::string, column_count> fields;
  Row::Kind kind;
  int first;
  int last;
};

std::vector<Token> tokens(const Sentence& sentence) {
  std::vector<Token> tokens;
  for (const auto& row : sentence.rows()) {
    Token token{{}, row.kind, row.first, row.kind == Row::Kind::empty ? row.first : row.last};
    for (int c = 0; c < column_count; ++c) {
      token.fields[at(c)] = sentence.field(row, static_cast<Column>(c));
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

nb::tuple state(const Sentence& sentence) {
  const auto preamble = sentence.preamble();
  const auto lines = static_cast<std::uint64_t>(std::count(preamble.begin(), preamble.end(), '\n'));
  return nb::make_tuple(raw(sentence.bytes()), preamble.size(), format_name(sentence.format()),
                        *sentence.source().file, sentence.source().line - lines);
}

void restore(Sentence& sentence, const nb::tuple& state) {
  const auto bytes = nb::cast<nb::bytes>(state[0]);
  const Source source{std::make_shared<const std::string>(nb::cast<std::string>(state[3])),
                      nb::cast<std::uint64_t>(state[4])};
  const auto format = parse_format(nb::cast<std::string>(state[2])).value();
  const auto body = nb::cast<std::size_t>(state[1]);
  if (body > view(bytes).size()) throw nb::value_error("the pickled sentence is damaged");
  new (&sentence) Sentence(SentenceParser::parse(view(bytes), body, format, Validation::columns, source));
}

void bind_token(nb::module_& module) {
  nb::class_<Token> token(module, "Token",
                          "A line of a sentence: a word, a multiword token (3-4) or an empty node (8.1).");
  const auto field = [&](const char* name, Column column) {
    const auto index = static_cast<std::size_t>(column);
    token.def_prop_ro(name, [index](const Token& t) { return t.fields[index]; });
  };
  field("id", Column::id);
  field("form", Column::form);
  field("lemma", Column::lemma);
  field("upos", Column::upos);
  field("xpos", Column::xpos);
  field("feats", Column::feats);
  field("head", Column::head);
  field("deprel", Column::deprel);
  field("deps", Column::deps);
  field("misc", Column::misc);
  token
      .def_prop_ro("is_word", [](const Token& t) { return t.kind == Row::Kind::word; })
      .def_prop_ro("is_multiword", [](const Token& t) { return t.kind == Row::Kind::multiword; })
      .def_prop_ro("is_empty", [](const Token& t) { return t.kind == Row::Kind::empty; })
      .def_prop_ro(
          "words", [](const Token& t) { return nb::make_tuple(t.first, t.last); },
          nb::sig("def words(self) -> tuple[int, int]"),
          "The first and the last word of the token; for an empty node, the word before it, twice.")
      .def("__repr__", [](const Token& t) { return "<Token " + t.fields[0] + " \"" + t.fields[1] + "\">"; });
}

}  // namespace

void bind_sentence(nb::module_& module) {
  bind_token(module);
  nb::class_<Sentence>(module, "Sentence",
                       "A sentence of a treebank: the bytes of the file, and its words by column.\n\n"
                       "Words are numbered 1…n; multiword tokens and empty nodes are kept, but are not words. A\n"
                       "sentence is never changed: with_tree and with_comments return changed copies, in which\n"
                       "every other byte is as it was.")
      .def_static("from_words", &from_words, "forms"_a, "lemmas"_a = nb::none(), "upos"_a = nb::none(),
                  "xpos"_a = nb::none(), "feats"_a = nb::none(), "heads"_a = nb::none(), "labels"_a = nb::none(),
                  "misc"_a = nb::none(), "comments"_a = nb::tuple(),
                  nb::sig("def from_words(forms: collections.abc.Sequence[str],"
                          " lemmas: collections.abc.Sequence[str] | None = None,"
                          " upos: collections.abc.Sequence[str] | None = None,"
                          " xpos: collections.abc.Sequence[str] | None = None,"
                          " feats: collections.abc.Sequence[str] | None = None,"
                          " heads: " HEADWISE_WORD_NUMBERS " | None = None,"
                          " labels: collections.abc.Sequence[str] | None = None,"
                          " misc: collections.abc.Sequence[str] | None = None,"
                          " comments: collections.abc.Sequence[str] = ()) -> Sentence"),
                  "A CoNLL-U sentence from plain columns; a column left out is \"_\".")
      .def("__len__", &Sentence::size)
      .def_prop_ro("forms", &column_of<Column::form>)
      .def_prop_ro("lemmas", &column_of<Column::lemma>)
      .def_prop_ro("upos", &column_of<Column::upos>, "UPOS; CPOSTAG in CoNLL-X.")
      .def_prop_ro("xpos", &column_of<Column::xpos>, "XPOS; POSTAG in CoNLL-X.")
      .def_prop_ro("feats", &column_of<Column::feats>)
      .def_prop_ro("labels", &column_of<Column::deprel>, "DEPREL.")
      .def_prop_ro("deps", &column_of<Column::deps>, "DEPS; PHEAD in CoNLL-X.")
      .def_prop_ro("misc", &column_of<Column::misc>, "MISC; PDEPREL in CoNLL-X.")
      .def_prop_ro(
          "heads",
          [](const Sentence& s) {
            return nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<1>>(
                s.heads().data(), {s.heads().size()}, nb::find(s));
          },
          nb::rv_policy::reference_internal, nb::sig("def heads(self) -> numpy.typing.NDArray[numpy.int32]"),
          "heads[m-1] is the head of word m, 0 the root, -1 where the file has \"_\". Read-only; copy to change.")
      .def_prop_ro("tokens", &tokens, "All lines with columns, multiword tokens and empty nodes too.")
      .def_prop_ro("comments", &comments, "The comment lines, with their \"#\".")
      .def("comment", &comment, "key"_a, "The value of the first comment \"# key = value\", or None.")
      .def_prop_ro("text", [](const Sentence& s) { return comment(s, "text"); }, "The comment \"# text = …\".")
      .def_prop_ro("sent_id", [](const Sentence& s) { return comment(s, "sent_id"); },
                   "The comment \"# sent_id = …\".")
      .def_prop_ro("file", [](const Sentence& s) { return *s.source().file; }, "The file it was read from.")
      .def_prop_ro("line", [](const Sentence& s) { return s.source().line; }, "Its first line in that file.")
      .def("line_of", &line_of, "word"_a, "The line of a word in that file.")
      .def_prop_ro("source", &source, "\"file:line\", for messages.")
      .def_prop_ro("format", [](const Sentence& s) { return format_name(s.format()); },
                   nb::sig("def format(self) -> typing.Literal[\"conllu\", \"conllx\"]"))
      .def("with_tree", &tree_of, "heads"_a, "labels"_a = nb::none(), "misc"_a = nb::none(),
           nb::sig("def with_tree(self,"
                   " heads: " HEADWISE_WORD_NUMBERS ","
                   " labels: collections.abc.Sequence[str] | None = None,"
                   " misc: collections.abc.Sequence[str] | None = None) -> Sentence"),
           "A copy with other heads (0…n, or -1 for \"_\"), and other labels and MISC fields where given.\n\n"
           "Heads are checked to be in range; whether they form a tree is for check_tree to say.\n"
           "DEPS stays as it is.")
      .def("with_comments",
           [](const Sentence& s, nb::handle comments) {
             const Strings lines(comments, "comments");
             return edit(s, [&] { return with_comments(s, lines.views(), false); });
           },
           "comments"_a, nb::sig("def with_comments(self, comments: collections.abc.Sequence[str]) -> Sentence"),
           "A copy with these comment lines (with or without \"#\") in place of its own.")
      .def("with_added_comments",
           [](const Sentence& s, nb::handle comments) {
             const Strings lines(comments, "comments");
             return edit(s, [&] { return with_comments(s, lines.views(), true); });
           },
           "comments"_a,
           nb::sig("def with_added_comments(self, comments: collections.abc.Sequence[str]) -> Sentence"),
           "A copy with these comment lines (with or without \"#\") after its own.")
      .def("to_conllu", [](const Sentence& s) { return converted(s, Format::conllu); },
           "The sentence in CoNLL-U; PHEAD and PDEPREL of CoNLL-X are left out.")
      .def("to_conllx", [](const Sentence& s) { return converted(s, Format::conllx); },
           "The sentence in CoNLL-X, without what that format lacks: comments, multiword tokens, empty nodes,\n"
           "DEPS and MISC. headwise.treebank.conversion_losses counts these.")
      .def("to_bytes", [](const Sentence& s) { return raw(s.bytes()); }, "The bytes of the file.")
      .def("__str__", [](const Sentence& s) { return text(s.bytes()); })
      .def("__repr__", &describe)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Sentence& s) { return nb::hash(raw(s.bytes())); })
      .def("__getstate__", &state, nb::sig("def __getstate__(self) -> tuple[bytes, int, str, str, int]"))
      .def("__setstate__", &restore,
           nb::sig("def __setstate__(self, state: tuple[bytes, int, str, str, int], /) -> None"));
}

}  // namespace headwise::bind
