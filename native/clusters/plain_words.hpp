// Words of running text by a plain rule, for languages without a tokenizer: runs of letters, digits and marks, joined by
// single hyphens, apostrophes, full stops, commas and colons between them; every other character is a word by itself.
#pragma once
#include "rooms.hpp"
#include <string>
#include <string_view>

#include "base/unicode/characters.hpp"

namespace headwise::clusters {

inline bool is_inside_word(std::uint32_t c) {
  using base::CharacterClass;
  const CharacterClass found = base::class_of(c);
  return (found != CharacterClass::punctuation && found != CharacterClass::symbol && found != CharacterClass::space) || c == '_';
}

// Writes the words of each line with spaces between them.
inline std::string plain_words(std::string_view text) {
  std::string words;
  words.reserve(text.size() + text.size() / 8);
  const auto joins = [](std::uint32_t c) {
    return c == '-' || c == '\'' || c == 0x2019 || c == '.' || c == ',' || c == ':';
  };
  bool in_word = false, any = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = base::next_character(text, at);
    if (c == '\n') {
      words += '\n';
      in_word = any = false;
      continue;
    }
    if (base::class_of(c) == base::CharacterClass::space) {
      in_word = false;
      continue;
    }
    bool inside = is_inside_word(c);
    if (!inside && in_word && joins(c) && at < text.size()) {
      std::size_t after = at;
      inside = is_inside_word(base::next_character(text, after));
    }
    if (any && !(in_word && inside)) words += ' ';
    words.append(text.substr(begin, at - begin));
    in_word = inside;
    any = true;
  }
  return words;
}

}  // namespace headwise::clusters
