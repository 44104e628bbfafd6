// The grammar of one sentence of a CoNLL-U or CoNLL-X file: from its bytes to a Sentence, or to a problem
// that says where and what. See https://universaldependencies.org/format.html and Buchholz and Marsi (2006).
#pragma once
#include "rooms.hpp"
#include <charconv>
#include <cstring>
#include <limits>

#include "treebank/conll_problem.hpp"
#include "treebank/sentence.hpp"
#include "treebank/tree_check.hpp"

namespace headwise::treebank {

// How much of a sentence is checked: its lines; that the heads it has belong to some tree; and that this
// tree has one root. A head of "_" is unknown, and no rule is broken by it.
enum class Validation : std::uint8_t { columns, tree, single_root };

class SentenceParser {
 public:
  // bytes: the preamble (body_begin bytes of it), comments, rows, and at most one blank line.
  // source.line is the line of the first byte. Throws ConllProblem.
  static Sentence parse(std::string_view bytes, std::size_t body_begin, Format format, Validation validation,
                        Source source) {
    SentenceParser parser(bytes, body_begin, format, std::move(source));
    require_text(bytes, parser.first_line_);
    parser.read_rows();
    if (validation != Validation::columns) parser.require_tree(validation == Validation::single_root);
    return std::move(parser.sentence_);
  }

 private:
  SentenceParser(std::string_view bytes, std::size_t body_begin, Format format, Source source)
      : first_line_(source.line) {
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max() / 2) {
      throw ConllProblem(source.line, 1, "the sentence is larger than 2 GiB", "is this a treebank file?");
    }
    sentence_.bytes_.assign(bytes);
    sentence_.body_begin_ = static_cast<std::uint32_t>(body_begin);
    sentence_.format_ = format;
    sentence_.source_ = std::move(source);
    for (const char c : sentence_.preamble()) sentence_.source_.line += c == '\n';
  }

  [[noreturn]] void fail(std::size_t offset, std::string problem, std::string remedy) const {
    fail_at(sentence_.bytes_, first_line_, offset, std::move(problem), std::move(remedy));
  }

  void read_rows() {
    const std::string_view bytes = sentence_.bytes_;
    std::size_t at = sentence_.body_begin_;
    while (at < bytes.size()) {
      const auto newline = bytes.find('\n', at);
      const auto next = newline == std::string_view::npos ? bytes.size() : newline + 1;
      auto end = newline == std::string_view::npos ? bytes.size() : newline;
      if (end > at && bytes[end - 1] == '\r') --end;
      if (end == at) break;
      if (const void* lone = std::memchr(bytes.data() + at, '\r', end - at)) {
        fail(static_cast<std::size_t>(static_cast<const char*>(lone) - bytes.data()),
             "a carriage return stands inside the line", "remove it: lines end with a line feed, or with both");
      }
      if (bytes[at] != '#') read_row(at, end);
      at = next;
    }
    if (open_range_end_ > sentence_.size()) {
      const auto& row = sentence_.rows_[open_range_row_];
      fail(row.begin, "the multiword token goes up to word " + std::to_string(row.last) +
                          ", but the sentence ends with word " + std::to_string(sentence_.size()),
           "correct its ID, or add the missing words");
    }
    if (sentence_.size() == 0) {
      fail(sentence_.body_begin_, "the sentence has no words", "add its words, or remove it");
    }
  }

  void read_row(std::size_t begin, std::size_t end) {
    Row row{};
    row.begin = static_cast<std::uint32_t>(begin);
    split_columns(row, end);
    read_id(row);
    sentence_.rows_.push_back(row);
    if (row.kind != Row::Kind::word) return;
    sentence_.words_.push_back(static_cast<std::uint32_t>(sentence_.rows_.size() - 1));
    sentence_.heads_.push_back(read_head(row));
  }

  void split_columns(Row& row, std::size_t end) const {
    const char* const bytes = sentence_.bytes_.data();
    std::size_t at = row.begin;
    int columns = 0, empty = -1;
    for (;;) {
      const auto* tab = static_cast<const char*>(std::memchr(bytes + at, '\t', end - at));
      const auto field_end = tab ? static_cast<std::size_t>(tab - bytes) : end;
      if (columns < column_count) row.end[static_cast<std::size_t>(columns)] = static_cast<std::uint32_t>(field_end);
      if (field_end == at && empty < 0) empty = columns;
      ++columns;
      if (!tab) break;
      at = field_end + 1;
    }
    if (columns == 8 && sentence_.format_ == Format::conllx) {
      row.end[8] = row.end[9] = row.end[7];
    } else if (columns != column_count) {
      fail_column_count(row, end, columns);
    }
    if (empty >= 0) {
      const auto column = static_cast<Column>(empty);
      fail(row.field_begin(column), std::string(column_name(column)) + " is empty",
           "write _ where there is nothing to say");
    }
  }

  [[noreturn]] void fail_column_count(const Row& row, std::size_t end, int columns) const {
    const auto line = std::string_view(sentence_.bytes_).substr(row.begin, end - row.begin);
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      fail(row.begin, "the line holds only white space", "make it empty: an empty line ends a sentence");
    }
    const bool conllu = sentence_.format_ == Format::conllu;
    std::string remedy = "write _ in columns that have nothing to say";
    if (columns == 1 && line.find(' ') != std::string_view::npos) {
      remedy = "separate the columns with tabs, not with spaces";
    } else if (columns == 8) {
      remedy = "read 8-column files as CoNLL-X (format conllx)";
    } else if (columns > column_count) {
      remedy = "remove the extra tabs";
    } else if (end == sentence_.bytes_.size()) {
      remedy = "the file seems to be cut off here; get the whole file";
    }
    fail(end, "the line has " + std::to_string(columns) + (columns == 1 ? " column" : " columns") + ", and " +
                  (conllu ? "CoNLL-U has 10" : "CoNLL-X has 10 (or 8)") + ", separated by tabs",
         std::move(remedy));
  }

  // A non-negative number that fills the text, or -1.
  static std::int32_t number(std::string_view text) noexcept {
    std::int32_t value = -1;
    if (text.empty() || text[0] < '0' || text[0] > '9') return -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : -1;
  }

  // Word 1, 2, 3 …; a multiword token a-b right before its word a; empty nodes a.1, a.2 … right after word a.
  void read_id(Row& row) {
    const auto id = sentence_.field(row, Column::id);
    const int words = sentence_.size();
    if (const int word = number(id); word >= 0) {
      if (word != words + 1) fail_id(row, "the next word is " + std::to_string(words + 1));
      row.kind = Row::Kind::word;
      row.first = row.last = word;
      empty_nodes_ = 0;
      return;
    }
    const auto mark = id.find_first_of("-.");
    const int first = mark == std::string_view::npos ? -1 : number(id.substr(0, mark));
    const int last = mark == std::string_view::npos ? -1 : number(id.substr(mark + 1));
    if (first < 0 || last < 0) {
      fail_id(row, "an ID is a number (3), a range (3-4) or a decimal (8.1)");
    }
    if (sentence_.format_ == Format::conllx) {
      fail(row.begin, "the ID is " + std::string(id) + ", and CoNLL-X has only words 1, 2, 3, …",
           "read the file as CoNLL-U (format conllu)");
    }
    row.first = first;
    row.last = last;
    if (id[mark] == '.') {
      row.kind = Row::Kind::empty;
      if (first != words || last != empty_nodes_ + 1) {
        fail_id(row, "the next empty node here is " + std::to_string(words) + "." +
                         std::to_string(empty_nodes_ + 1));
      }
      ++empty_nodes_;
      return;
    }
    row.kind = Row::Kind::multiword;
    if (first != words + 1 || last < first) {
      fail_id(row, "a multiword token stands right before its first word, and the next word is " +
                       std::to_string(words + 1));
    }
    if (first <= open_range_end_) fail_id(row, "it overlaps with the multiword token before it");
    open_range_end_ = last;
    open_range_row_ = sentence_.rows_.size();
  }

  [[noreturn]] void fail_id(const Row& row, const std::string& why) const {
    fail(row.begin, "the ID is " + shown(sentence_.field(row, Column::id)) + ", but " + why,
         "number the words 1, 2, 3, … and end a sentence with an empty line");
  }

  std::int32_t read_head(const Row& row) const {
    const auto head = sentence_.field(row, Column::head);
    if (head == "_") return -1;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), value);
    if (error == std::errc::invalid_argument || end != head.data() + head.size()) {
      fail(row.field_begin(Column::head), "HEAD is " + shown(head) + ", which is not a number",
           "write the number of a word, 0 for the root, or _ for a head not known");
    }
    // Too large for a number is too large for any sentence, and read as such.
    constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
    if (error == std::errc::result_out_of_range) value = head[0] == '-' ? lowest : highest;
    return static_cast<std::int32_t>(std::clamp(value, lowest, highest));
  }

  void require_tree(bool single_root) const {
    for (int word = 1; word <= sentence_.size(); ++word) {
      const Row& row = sentence_.row(word);
      if (sentence_.head(word) == -1 && sentence_.field(row, Column::head) != "_") {
        fail(row.field_begin(Column::head), "HEAD is " + shown(sentence_.field(row, Column::head)),
             "write the number of a word, 0 for the root, or _ for a head not known");
      }
    }
    const auto problems = check_tree(sentence_.heads_, {.single_root = single_root, .missing_heads = true});
    if (problems.empty()) return;
    const auto& first = problems.front();
    const auto at = first.word == 0 ? sentence_.body_begin_ : sentence_.row(first.word).field_begin(Column::head);
    fail(at, first.explanation, "correct HEAD, or leave such sentences out (--on-error skip)");
  }

  static std::string shown(std::string_view field) {
    constexpr std::size_t longest = 40;
    auto cut = std::min(field.size(), longest);
    while (cut < field.size() && cut > 0 && (static_cast<unsigned char>(field[cut]) & 0xC0u) == 0x80u) --cut;
    std::string quoted("\"");
    return quoted.append(field.substr(0, cut)).append(cut < field.size() ? "…\"" : "\"");
  }

  std::string_view column_name(Column column) const noexcept {
    static constexpr std::string_view conllu[] = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                  "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
    static constexpr std::string_view conllx[] = {"ID",    "FORM", "LEMMA",  "CPOSTAG", "POSTAG",
                                                  "FEATS", "HEAD", "DEPREL", "PHEAD",   "PDEPREL"};
    return (sentence_.format_ == Format::conllu ? conllu : conllx)[static_cast<std::size_t>(column)];
  }

  Sentence sentence_;
  std::uint64_t first_line_;
  int empty_nodes_ = 0;      // since the last word
  int open_range_end_ = 0;   // the last word of the multiword token read last
  std::size_t open_range_row_ = 0;
};

}  // namespace headwise::treebank
