// Reading a treebank file piece by piece: bytes go in as they come, sentences come out as they end.
//
// Memory depends on the longest sentence, not on the file.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <variant>

#include "base/index.hpp"
#include "treebank/conll_parse.hpp"

namespace headwise::treebank {

class ConllReader {
 public:
  using Item = std::variant<Sentence, ConllProblem>;

  // Where a file runs on for this long without an empty line, it is no treebank, and is not kept in memory.
  static constexpr std::size_t longest_sentence = std::size_t{64} << 20;

  // format: nothing to find out from the first sentence, with fallback where it fits both formats.
  ConllReader(std::string file, std::optional<Format> format, Format fallback, Validation validation)
      : file_(std::make_shared<const std::string>(std::move(file))),
        format_(format),
        fallback_(fallback),
        validation_(validation) {}

  void feed(std::string_view bytes) {
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    searched_ -= std::min(searched_, begin_);
    body_ -= begin_;
    begin_ = 0;
    buffer_.append(bytes);
  }

  // No more bytes will come: what is left is the last sentence, or the trailer.
  void finish() noexcept { finished_ = true; }

  // The next sentence, or what is wrong with it; nothing when more bytes are needed or the file has ended.
  std::optional<Item> next() {
    if (!skip_byte_order_mark()) return std::nullopt;
    for (;;) {
      const auto newline = buffer_.find('\n', std::max(scanned_, searched_));
      const bool cut = newline == std::string::npos;
      if (cut && (!finished_ || scanned_ == buffer_.size())) break;
      const auto end = cut ? buffer_.size() : newline + 1;
      if (auto item = take_line(end)) return item;
    }
    searched_ = buffer_.size();
    if (finished_ && has_rows_) return take_sentence();
    if (finished_) return check_trailer();
    if (buffer_.size() - begin_ > longest_sentence) return give_up();
    return std::nullopt;
  }

  // After the last sentence: the bytes that belong to none (blank lines, comments).
  std::string_view trailer() const noexcept { return std::string_view(buffer_).substr(begin_); }

  // Known once the first sentence was read.
  std::optional<Format> format() const noexcept { return format_; }

 private:
  // A byte-order mark may begin a file; it belongs to the preamble of the first sentence.
  bool skip_byte_order_mark() {
    if (started_) return true;
    if (buffer_.size() < 3 && !finished_) return false;
    started_ = true;
    if (buffer_.starts_with("\xEF\xBB\xBF")) body_ = scanned_ = 3;
    return true;
  }

  std::optional<Item> take_line(std::size_t end) {
    auto line = std::string_view(buffer_).substr(scanned_, end - scanned_);
    scanned_ = end;
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      if (has_rows_) return take_sentence();
      if (discarding_) {
        discarding_ = false;
        drop_block();
      }
      body_ = scanned_;
    } else if (discarding_) {
      drop_block();
    } else if (line[0] != '#') {
      has_rows_ = true;
    }
    return std::nullopt;
  }

  Item take_sentence() {
    const auto block = std::string_view(buffer_).substr(begin_, scanned_ - begin_);
    const auto body = body_ - begin_;
    const Source source{file_, line_};
    drop_block();
    has_rows_ = false;
    try {
      if (!format_) format_ = guess_format(block.substr(body));
      return SentenceParser::parse(block, body, *format_, validation_, source);
    } catch (const ConllProblem& problem) {
      return problem;
    }
  }

  // The buffer keeps its bytes until the next feed, so views of the block stay valid.
  void drop_block() {
    for (auto at = begin_; at < scanned_; ++at) line_ += buffer_[at] == '\n';
    begin_ = body_ = scanned_;
  }

  // What follows the last sentence is kept, so it has to be text as well.
  std::optional<Item> check_trailer() {
    if (discarding_) drop_block();
    try {
      require_text(trailer(), line_);
    } catch (const ConllProblem& problem) {
      drop_block();
      return problem;
    }
    return std::nullopt;
  }

  // Once reported, a block without an end is passed over up to the next empty line.
  std::optional<Item> give_up() {
    ConllProblem problem(line_, 1,
                         "no sentence ends within " + std::to_string(longest_sentence >> 20) +
                             " MiB from here: an empty line is missing",
                         "end every sentence with an empty line, or check that this is a treebank file");
    scanned_ = buffer_.size();
    drop_block();
    has_rows_ = false;
    if (std::exchange(discarding_, true)) return std::nullopt;
    return problem;
  }

  // What only one of the formats has, looked for in the first sentence.
  Format guess_format(std::string_view body) const {
    std::optional<Format> found;
    for_each_line(body, [&](std::string_view line) {
      if (line.empty()) return false;
      if (line[0] == '#') {
        found = Format::conllu;
        return false;
      }
      std::array<std::string_view, column_count> fields;
      std::size_t columns = 0;
      for (auto rest = line; columns < fields.size(); ++columns) {
        const auto tab = rest.find('\t');
        fields[columns] = rest.substr(0, tab);
        if (tab == std::string_view::npos) {
          ++columns;
          break;
        }
        rest.remove_prefix(tab + 1);
      }
      if (columns == 8) found = Format::conllx;
      if (columns == column_count) {
        const auto phead = fields[at(Column::deps)];
        if (phead.find_first_not_of("0123456789") == std::string_view::npos) found = Format::conllx;
        if (phead.find(':') != std::string_view::npos) found = Format::conllu;
        if (fields[0].find_first_of("-.") != std::string_view::npos) found = Format::conllu;
      }
      return !found;
    });
    return found.value_or(fallback_);
  }

  std::shared_ptr<const std::string> file_;
  std::optional<Format> format_;
  Format fallback_;
  Validation validation_;

  std::string buffer_;
  std::size_t begin_ = 0;     // of the block being read: preamble, comments, rows
  std::size_t body_ = 0;      // where its preamble ends
  std::size_t scanned_ = 0;   // up to here its lines were looked at
  std::size_t searched_ = 0;  // up to here no further line ends
  std::uint64_t line_ = 1;    // the line begin_ is on
  bool has_rows_ = false;
  bool started_ = false;
  bool finished_ = false;
  bool discarding_ = false;
};

}  // namespace headwise::treebank
