// Characters of a UTF-8 text: reading and writing them, their class, their lower case.
//
// Lower case is the simple one-to-one mapping of the Unicode database, the same on every machine and in
// every locale. Text is taken to be valid UTF-8 (native/utf8.hpp checks it where it comes in).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "base/unicode/tables.hpp"

namespace headwise::base {

// The character that begins at text[at]; `at` moves behind it.
inline std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) : 0x80u;
  };
  const std::uint32_t lead = byte(at);
  const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  std::uint32_t code = more == 0 ? lead : lead & (0x3Fu >> more);
  for (int k = 1; k <= more; ++k) code = code << 6 | (byte(at + static_cast<std::size_t>(k)) & 0x3Fu);
  at = std::min(text.size(), at + 1 + static_cast<std::size_t>(more));
  return code;
}

inline void append_character(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto rest = [&](int shift) { put(0x80u | (code >> shift & 0x3Fu)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0u | code >> 6), rest(0);
  if (code < 0x10000) return put(0xE0u | code >> 12), rest(6), rest(0);
  put(0xF0u | code >> 18), rest(12), rest(6), rest(0);
}

namespace detail {

inline CharacterClass search_class(std::uint32_t code) {
  using unicode_tables::classes;
  const auto* after = std::upper_bound(std::begin(classes), std::end(classes), code,
                                       [](std::uint32_t c, const auto& range) { return c < range.first; });
  return std::prev(after)->kind;
}

inline std::uint32_t search_lower(std::uint32_t code) {
  using unicode_tables::lower_case;
  const auto* after = std::upper_bound(std::begin(lower_case), std::end(lower_case), code,
                                       [](std::uint32_t c, const auto& range) { return c < range.first; });
  if (after == std::begin(lower_case)) return code;
  const auto& range = *std::prev(after);
  const bool inside = code <= range.last && (code - range.first) % range.stride == 0;
  return inside ? static_cast<std::uint32_t>(static_cast<std::int64_t>(code) + range.delta) : code;
}

}  // namespace detail

inline std::uint32_t lower_of(std::uint32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  return detail::search_lower(code);
}

inline CharacterClass class_of(std::uint32_t code) {
  const auto search = [](std::uint32_t c) {
    const CharacterClass found = detail::search_class(c);
    return found == CharacterClass::letter && lower_of(c) != c ? CharacterClass::capital : found;
  };
  static const auto ascii = [&] {
    std::array<CharacterClass, 128> table{};
    for (std::uint32_t c = 0; c < table.size(); ++c) table[c] = search(c);
    return table;
  }();
  return code < ascii.size() ? ascii[code] : search(code);
}

inline void append_lower(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) append_character(out, lower_of(next_character(text, at)));
}

}  // namespace headwise::base
