// Changed copies of a sentence. Only the fields that change are written anew; every other byte is copied.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <span>
#include <stdexcept>

#include "base/index.hpp"
#include "treebank/conll_parse.hpp"

namespace headwise::treebank {

namespace detail {

// A text that may stand in a field: something, and nothing that ends a field or a line.
inline void require_field(std::string_view text, std::string_view what, int word) {
  const auto fail = [&](const char* why) {
    throw std::invalid_argument(std::string(what) + " of word " + std::to_string(word) + " " + why);
  };
  if (text.empty()) fail("is empty; write _ where there is nothing to say");
  if (text.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string_view::npos) {
    fail("holds a tab, a line break or a NUL, which no field can");
  }
}

inline void require_length(std::size_t given, int words, std::string_view what) {
  if (given == static_cast<std::size_t>(words)) return;
  throw std::invalid_argument(std::string(what) + " has length " + std::to_string(given) +
                              ", but the sentence has " + std::to_string(words) + " words");
}

inline void require_heads(std::span<const std::int32_t> heads, int words) {
  require_length(heads.size(), words, "heads");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i] >= -1 && heads[i] <= words) continue;
    throw std::invalid_argument("word " + std::to_string(i + 1) + " has head " + std::to_string(heads[i]) +
                                ", but heads are 0 to " + std::to_string(words) + " (or -1 for none)");
  }
}

inline std::string head_text(std::int32_t head) { return head == -1 ? "_" : std::to_string(head); }

inline Sentence parse_again(const Sentence& like, std::string_view bytes, Format format) {
  auto source = like.source();
  for (const char c : like.preamble()) source.line -= c == '\n';
  return SentenceParser::parse(bytes, like.preamble().size(), format, Validation::columns, std::move(source));
}

// Calls change(word, replace) for each word; replace(column, text), columns from left to right, changes a field.
template <class Change>
Sentence with_fields(const Sentence& sentence, Change change) {
  std::string bytes;
  bytes.reserve(sentence.bytes().size() + 16 * static_cast<std::size_t>(sentence.size()));
  std::size_t copied = 0;
  for (int word = 1; word <= sentence.size(); ++word) {
    change(word, [&](Column column, std::string_view text) {
      const auto& row = sentence.row(word);
      bytes.append(sentence.bytes(), copied, row.field_begin(column) - copied);
      bytes.append(text);
      copied = row.field_end(column);
    });
  }
  bytes.append(sentence.bytes(), copied);
  return parse_again(sentence, bytes, sentence.format());
}

}  // namespace detail

// New heads (0…n, -1 for "_"), and new labels and MISC fields where given. DEPS stays as it is.
inline Sentence with_tree(const Sentence& sentence, std::span<const std::int32_t> heads,
                          std::optional<std::span<const std::string_view>> labels,
                          std::optional<std::span<const std::string_view>> misc) {
  const int n = sentence.size();
  detail::require_heads(heads, n);
  if (labels) detail::require_length(labels->size(), n, "labels");
  if (misc) detail::require_length(misc->size(), n, "misc");
  if (misc && sentence.format() != Format::conllu) {
    throw std::invalid_argument("MISC is a column of CoNLL-U; convert the sentence first (to_conllu)");
  }

  return detail::with_fields(sentence, [&](int word, auto replace) {
    const auto i = static_cast<std::size_t>(word) - 1;
    if (heads[i] != sentence.head(word)) replace(Column::head, detail::head_text(heads[i]));
    if (labels && (*labels)[i] != sentence.field(word, Column::deprel)) {
      detail::require_field((*labels)[i], "the label", word);
      replace(Column::deprel, (*labels)[i]);
    }
    if (misc && (*misc)[i] != sentence.field(word, Column::misc)) {
      detail::require_field((*misc)[i], "MISC", word);
      replace(Column::misc, (*misc)[i]);
    }
  });
}

// New lemmas and tags; a column whose span is empty stays as it is.
struct TagColumns {
  std::span<const std::string_view> lemmas, upos, xpos, feats;
};

inline Sentence with_tags(const Sentence& sentence, const TagColumns& columns) {
  const auto check = [&](std::span<const std::string_view> column, std::string_view name) {
    if (!column.empty()) detail::require_length(column.size(), sentence.size(), name);
  };
  check(columns.lemmas, "lemmas");
  check(columns.upos, "upos");
  check(columns.xpos, "xpos");
  check(columns.feats, "feats");
  return detail::with_fields(sentence, [&](int word, auto replace) {
    const auto change = [&](Column column, std::span<const std::string_view> values, std::string_view name) {
      if (values.empty()) return;
      const auto text = values[at(word) - 1];
      detail::require_field(text, name, word);
      replace(column, text);
    };
    change(Column::lemma, columns.lemmas, "the lemma");
    change(Column::upos, columns.upos, "UPOS");
    change(Column::xpos, columns.xpos, "XPOS");
    change(Column::feats, columns.feats, "FEATS");
  });
}

// The comment lines given, with or without their "#", instead of (keep: after) those the sentence has.
inline Sentence with_comments(const Sentence& sentence, std::span<const std::string_view> comments, bool keep) {
  std::string bytes(sentence.preamble());
  const auto newline = sentence.newline();
  bool added = false;
  const auto add = [&] {
    if (std::exchange(added, true)) return;
    for (const auto comment : comments) {
      if (comment.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos) {
        throw std::invalid_argument("a comment is one line, and this one holds a line break or a NUL");
      }
      if (!comment.starts_with('#')) bytes += "# ";
      bytes.append(comment).append(newline);
    }
  };
  auto rest = sentence.body();
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n') == std::string_view::npos ? rest.size() : rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    const bool comment = line.starts_with('#');
    if (!comment || !keep) add();
    if (!comment || keep) bytes.append(line);
  }
  return detail::parse_again(sentence, bytes, sentence.format());
}

// The columns of a new sentence; one that is left out is all "_".
struct Words {
  using Texts = std::vector<std::string_view>;

  Texts forms;
  std::optional<Texts> lemmas, upos, xpos, feats, labels, misc;
  std::optional<std::vector<std::int32_t>> heads;
  Texts comments;
};

inline Sentence sentence_from_words(const Words& words) {
  if (words.forms.empty()) throw std::invalid_argument("a sentence needs at least one word");
  const auto n = static_cast<int>(words.forms.size());
  const auto check = [n](const std::optional<Words::Texts>& column, std::string_view name) {
    if (!column) return;
    detail::require_length(column->size(), n, name);
    for (int word = 1; word <= n; ++word) {
      detail::require_field((*column)[at(word) - 1], name, word);
    }
  };
  check(words.forms, "forms");
  check(words.lemmas, "lemmas");
  check(words.upos, "upos");
  check(words.xpos, "xpos");
  check(words.feats, "feats");
  check(words.labels, "labels");
  check(words.misc, "misc");
  if (words.heads) detail::require_heads(*words.heads, n);

  std::string bytes;
  for (int word = 1; word <= n; ++word) {
    const auto i = static_cast<std::size_t>(word) - 1;
    const auto append = [&](const std::optional<Words::Texts>& column) {
      bytes.append("\t").append(column ? (*column)[i] : std::string_view("_"));
    };
    bytes.append(std::to_string(word)).append("\t").append(words.forms[i]);
    append(words.lemmas);
    append(words.upos);
    append(words.xpos);
    append(words.feats);
    bytes.append("\t").append(words.heads ? detail::head_text((*words.heads)[i]) : "_");
    append(words.labels);
    bytes.append("\t_");
    append(words.misc);
    bytes.append("\n");
  }
  bytes.append("\n");
  const Source nowhere{std::make_shared<const std::string>("<words>"), 1};
  const auto plain = SentenceParser::parse(bytes, 0, Format::conllu, Validation::columns, nowhere);
  return words.comments.empty() ? plain : with_comments(plain, words.comments, false);
}

// The sentence in another format. CoNLL-X has no comments, multiword tokens, empty nodes, DEPS and MISC;
// CoNLL-U has no PHEAD and PDEPREL: these are left out, and what was its own format already is left alone.
inline Sentence converted(const Sentence& sentence, Format format) {
  if (sentence.format() == format) return sentence;
  const auto newline = sentence.newline();
  std::string bytes;
  if (format == Format::conllu) {
    bytes = sentence.preamble();
    for_each_line(sentence.body(), [&](std::string_view line) {
      if (line.starts_with('#')) bytes.append(line).append(newline);
      return true;
    });
  }
  for (int word = 1; word <= sentence.size(); ++word) {
    const auto& row = sentence.row(word);
    const auto end = row.field_end(Column::deprel);
    bytes.append(sentence.bytes(), row.begin, end - row.begin).append("\t_\t_").append(newline);
  }
  bytes.append(newline);
  // Comments may stand in the preamble too, so CoNLL-X goes without one.
  if (format == Format::conllu) return detail::parse_again(sentence, bytes, format);
  return SentenceParser::parse(bytes, 0, format, Validation::columns, sentence.source());
}

}  // namespace headwise::treebank
