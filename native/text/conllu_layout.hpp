// Tokens of a text as CoNLL-U: numbered words, multiword tokens, "# text", SpaceAfter=No, character offsets.
#pragma once
#include "rooms.hpp"
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/boundary_model.hpp"

namespace headwise::text {

class ConlluLayout {
 public:
  ConlluLayout(std::string_view bytes, const Characters& text, bool offsets, long long first_offset)
      : bytes_(bytes), text_(&text), offsets_(offsets), first_offset_(first_offset) {}

  // A sentence: its tokens, and for each the words of it (none: the token is the word).
  std::string sentence(std::span<const TextToken> tokens, std::span<const std::vector<std::string>> words,
                       std::string_view comments) const {
    std::string out(comments);
    out += "# text = ";
    append_spaced(out, tokens.front().begin, tokens.back().end);
    out += '\n';
    int word = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const TextToken& token = tokens[k];
      const bool last = k + 1 == tokens.size();
      // The last token of a sentence: what comes after it in the paragraph.
      const int next = last ? token.end : tokens[k + 1].begin;
      const bool no_space = next == token.end && token.end < text_->size() && !text_->is_space(token.end);
      if (words[k].empty()) {
        append_number(out, ++word);
        append_line(out, token, no_space);
        continue;
      }
      append_number(out, word + 1);
      out += '-';
      append_number(out, word + static_cast<int>(words[k].size()));
      append_line(out, token, no_space);
      for (const std::string& part : words[k]) {
        append_number(out, ++word);
        out.append("\t").append(part).append("\t_\t_\t_\t_\t_\t_\t_\t_\n");
      }
    }
    out += '\n';
    return out;
  }

 private:
  static void append_number(std::string& out, long long number) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }

  // A stretch of the text with every run of spaces as one space, as "# text" and FORM want it.
  void append_spaced(std::string& out, int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      if (!text_->is_space(i)) out.append(bytes_.substr(text_->begin(i), text_->begin(i + 1) - text_->begin(i)));
      else if (i == begin || !text_->is_space(i - 1)) out += ' ';
    }
  }

  void append_line(std::string& out, const TextToken& token, bool no_space) const {
    out += '\t';
    append_spaced(out, token.begin, token.end);
    out += "\t_\t_\t_\t_\t_\t_\t_\t";
    if (no_space) out += "SpaceAfter=No";
    if (offsets_) {
      if (no_space) out += '|';
      out += "TokenRange=";
      append_number(out, first_offset_ + token.begin);
      out += ':';
      append_number(out, first_offset_ + token.end);
    }
    if (!no_space && !offsets_) out += '_';
    out += '\n';
  }

  std::string_view bytes_;
  const Characters* text_;
  bool offsets_;
  long long first_offset_;
};

}  // namespace headwise::text
