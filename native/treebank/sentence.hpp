// A sentence of a treebank file: its bytes exactly as read, and where every field lies in them.
//
// Nothing is decoded or normalized, so writing a sentence back is copying its bytes. A sentence is never
// changed in place; native/conll_edit.hpp makes changed copies.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/index.hpp"

namespace headwise::treebank {

// Both formats have ten columns. CoNLL-X (Buchholz and Marsi, 2006) calls upos and xpos CPOSTAG and POSTAG,
// and has PHEAD and PDEPREL where CoNLL-U has deps and misc.
enum class Format : std::uint8_t { conllu, conllx };

enum class Column : std::uint8_t { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };

inline constexpr int column_count = 10;

// A line that has columns: a word, a multiword token (3-4) or an empty node (8.1).
struct Row {
  enum class Kind : std::uint8_t { word, multiword, empty };

  std::uint32_t begin;                           // offset of the line in the bytes of the sentence
  std::array<std::uint32_t, column_count> end;   // where each field ends; CoNLL-X files may lack the last two
  std::int32_t first;                            // a word's number; the first word of 3-4; 8 for 8.1
  std::int32_t last;                             // the same again;   the last word of 3-4;  1 for 8.1
  Kind kind;

  std::uint32_t field_begin(Column column) const noexcept {
    return column == Column::id ? begin : end[at(column) - 1] + 1;
  }
  std::uint32_t field_end(Column column) const noexcept { return end[at(column)]; }
  bool has(Column column) const noexcept { return field_begin(column) <= field_end(column); }
};

// Where a sentence was read, for messages. Sentences of one file share its name.
struct Source {
  std::shared_ptr<const std::string> file;
  std::uint64_t line = 1;  // of the first line of the sentence's own, counting from 1
};

class Sentence {
 public:
  // The number of words 1…n; multiword tokens and empty nodes are not words.
  int size() const noexcept { return static_cast<int>(words_.size()); }

  // The bytes of a field of a word in 1…n; "_" where an 8-column file has no such column.
  std::string_view field(int word, Column column) const { return field(row(word), column); }
  std::string_view field(const Row& row, Column column) const {
    if (!row.has(column)) return "_";
    const auto begin = row.field_begin(column);
    return std::string_view(bytes_).substr(begin, row.field_end(column) - begin);
  }

  // The head of a word in 1…n; -1 where the file has "_" (or a negative number).
  int head(int word) const { return heads_[at(word) - 1]; }
  const std::vector<std::int32_t>& heads() const noexcept { return heads_; }  // heads()[m - 1] is head(m)

  const std::string& bytes() const noexcept { return bytes_; }
  const std::vector<Row>& rows() const noexcept { return rows_; }
  const Row& row(int word) const { return rows_[words_[at(word) - 1]]; }

  // Bytes before the sentence's own first line: blank lines, a byte-order mark, comments that stand alone.
  std::string_view preamble() const { return std::string_view(bytes_).substr(0, body_begin_); }
  std::string_view body() const { return std::string_view(bytes_).substr(body_begin_); }

  // The line ending of the sentence, "\n" or "\r\n".
  std::string_view newline() const {
    const auto at = bytes_.find('\n', body_begin_);
    return at != std::string::npos && at > 0 && bytes_[at - 1] == '\r' ? "\r\n" : "\n";
  }

  Format format() const noexcept { return format_; }
  const Source& source() const noexcept { return source_; }

  bool operator==(const Sentence& other) const noexcept {
    return format_ == other.format_ && bytes_ == other.bytes_;
  }

 private:
  friend class SentenceParser;  // the only maker, native/conll_parse.hpp

  std::string bytes_;
  std::uint32_t body_begin_ = 0;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> words_;  // words_[m - 1] is the row of word m
  std::vector<std::int32_t> heads_;
  Format format_ = Format::conllu;
  Source source_;
};

// Calls f(line), without its line ending, for each line of text; stops where f returns false.
template <class F>
void for_each_line(std::string_view text, F&& f) {
  std::size_t at = 0;
  while (at < text.size()) {
    auto end = text.find('\n', at);
    const auto next = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos) end = text.size();
    if (end > at && text[end - 1] == '\r') --end;
    if (!f(text.substr(at, end - at))) return;
    at = next;
  }
}

}  // namespace headwise::treebank
