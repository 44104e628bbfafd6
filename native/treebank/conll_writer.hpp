// Writing sentences one after the other, so that what was read from a file comes out as the same bytes.
#pragma once
#include "rooms.hpp"
#include "treebank/sentence.hpp"

namespace headwise::treebank {

class ConllWriter {
 public:
  void write(const Sentence& sentence) {
    end_sentence();
    auto preamble = sentence.preamble();
    // A byte-order mark has its place at the start of a file only.
    if (!empty_ && preamble.starts_with("\xEF\xBB\xBF")) preamble.remove_prefix(3);
    append(preamble);
    append(sentence.body());
    newline_ = sentence.newline();
  }

  // What a reader found after the last sentence.
  void write_trailer(std::string_view trailer) {
    if (trailer.empty()) return;
    end_sentence();
    append(trailer);
  }

  // The bytes written since the last call.
  std::string take() { return std::exchange(written_, {}); }

 private:
  // The last sentence of a file may lack its empty line; it must not run into the next sentence.
  void end_sentence() {
    if (empty_) return;
    if (!tail_.ends_with('\n')) append(newline_);
    if (!tail_.ends_with("\n\n") && !tail_.ends_with("\n\r\n")) append(newline_);
  }

  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    empty_ = false;
    written_.append(bytes);
    tail_.append(bytes.substr(bytes.size() < 3 ? 0 : bytes.size() - 3));
    if (tail_.size() > 3) tail_.erase(0, tail_.size() - 3);
  }

  std::string written_;
  std::string tail_;  // the last three bytes of all that was written
  std::string_view newline_ = "\n";
  bool empty_ = true;
};

}  // namespace headwise::treebank
