// Checking UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace headwise::base {

// The length of the character that begins at text[at], or 0 where the bytes are not UTF-8.
inline std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return continues(at + 1) ? 2 : 0;
  const unsigned second = byte(at + 1);
  if (lead < 0xF0) {
    const bool overlong = lead == 0xE0 && second < 0xA0;
    const bool surrogate = lead == 0xED && second > 0x9F;
    return continues(at + 1) && continues(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead < 0xF5) {
    const bool overlong = lead == 0xF0 && second < 0x90;
    const bool too_large = lead == 0xF4 && second > 0x8F;
    return continues(at + 1) && continues(at + 2) && continues(at + 3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

// The offset of the first byte that is NUL or not UTF-8; text.size() where all is well.
inline std::size_t find_invalid_text(std::string_view text) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080u, ones = 0x0101010101010101u;
  std::size_t at = 0;
  while (at < text.size()) {
    // Eight ASCII bytes at a time: no high bit, and none of them zero.
    while (at + 8 <= text.size()) {
      std::uint64_t block;
      std::memcpy(&block, text.data() + at, 8);
      if ((block & high_bits) != 0 || ((block - ones) & ~block & high_bits) != 0) break;
      at += 8;
    }
    if (at == text.size()) break;
    const auto length = text[at] == '\0' ? 0 : utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

// The number of characters in text: of bytes that do not continue a character.
inline std::size_t count_characters(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  return count;
}

}  // namespace headwise::base
