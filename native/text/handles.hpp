// What people write on the web and mean as one word: e-mail addresses, @names, #tags, and emoji of several characters.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <string_view>

#include "text/boundary_features.hpp"

namespace headwise::text {

inline bool is_letter(const Characters& text, int i) {
  return text.kind(i) == CharacterClass::letter || text.kind(i) == CharacterClass::capital;
}
inline bool is_alphanumeric(const Characters& text, int i) {
  return is_letter(text, i) || text.kind(i) == CharacterClass::digit;
}
inline bool is_one_of(const Characters& text, int i, std::string_view marks) {
  const std::uint32_t code = text.code(i);
  return code < 128 && marks.find(static_cast<char>(code)) != std::string_view::npos;
}

// Where the e-mail address that begins at i ends; i where none does. It begins with a letter or digit, has 64 characters at most
// before the @ (RFC 5321), and a dot after it.
inline int end_of_mail_address(const Characters& text, int i) {
  if (!is_alphanumeric(text, i)) return i;
  int at = i;
  while (at - i <= 64 && (is_alphanumeric(text, at) || is_one_of(text, at, "._%+-"))) ++at;
  if (text.code(at) != '@' || !is_alphanumeric(text, at + 1)) return i;
  int end = at + 1;
  bool dotted = false;
  for (int c = at + 1; is_alphanumeric(text, c) || is_one_of(text, c, ".-"); ++c) {
    if (!is_alphanumeric(text, c)) continue;
    dotted = dotted || text.code(c - 1) == '.';
    end = c + 1;
  }
  return dotted ? end : i;
}

// Where the @name or #tag that begins at i ends; i where none does. It has a letter ("#1" is a number).
inline int end_of_name(const Characters& text, int i) {
  if (!is_one_of(text, i, "@#")) return i;
  bool has_letter = false;
  int end = i + 1;
  for (; is_alphanumeric(text, end) || text.code(end) == '_'; ++end) has_letter = has_letter || is_letter(text, end);
  return has_letter ? end : i;
}

// Whether characters i and i + 1 make one emoji (of the rules of UAX 29 those about emoji): what changes how one looks, and
// joiners; the two letters of a flag, where `so_far` characters of the token were read.
inline bool is_inside_emoji(const Characters& text, int i, int so_far) {
  const auto is_flag_letter = [](std::uint32_t code) { return code >= 0x1f1e6 && code <= 0x1f1ff; };
  const std::uint32_t here = text.code(i), next = text.code(i + 1);
  if (next == 0xfe0f || next == 0x200d || next == 0x20e3 || (next >= 0x1f3fb && next <= 0x1f3ff)) return true;
  if (here == 0x200d) return !text.is_space(i + 1);
  return is_flag_letter(here) && is_flag_letter(next) && so_far % 2 == 1;
}

}  // namespace headwise::text
