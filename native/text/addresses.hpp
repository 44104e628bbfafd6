// Addresses of the web, which are one token however they are spelled: https://x.org/a-b?c=d, www.x.org, x.org/a.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <string_view>

#include "text/boundary_features.hpp"
#include "text/handles.hpp"
#include "text/name_endings.hpp"

namespace headwise::text {

inline constexpr int longest_host = 253;  // RFC 1035
inline constexpr int longest_scheme = 32;

inline bool reads(const Characters& text, int i, std::string_view word) {
  for (const char c : word)
    if (text.code(i++) != static_cast<std::uint32_t>(c)) return false;
  return true;
}

// Marks that no address holds, but that stand around one (RFC 3986, appendix C), and characters of Thai, Chinese, Japanese and
// Korean, whose texts go on behind an address without a space: where one of these follows, the address is over.
inline bool ends_address(const Characters& text, int i) {
  const std::uint32_t code = text.code(i);
  const bool is_mark = code == 0x2014 || code == 0x201C || code == 0x201D || code == 0x2026 || code == 0xAB || code == 0xBB;
  const bool is_unspaced = (code >= 0xE00 && code < 0xE80) || (code >= 0x3000 && code < 0xD7B0) ||  // Thai; CJK, Hangul
                           (code >= 0xF900 && code < 0xFB00) || (code >= 0xFF00 && code < 0xFFF0);
  return is_mark || is_unspaced || is_one_of(text, i, "<>\"`");
}

// A host without a scheme begins behind a space or what opens something: not within AT&T.com/x, a_b.org/x or /etc/cron.de/x.
inline bool may_begin_host(const Characters& text, int i) {
  if (text.is_space(i - 1) || is_one_of(text, i - 1, "([{<:=")) return true;
  return is_one_of(text, i - 1, "\"'`") ? !is_alphanumeric(text, i - 2) : ends_address(text, i - 1);
}

// Where the name of a host without a scheme ends, if a path follows (x.org/a); i where none begins there. Its last part is a
// domain, of small letters or of capitals: in "by B.Com/M.Com" a space is missing, and ASP.NET is none.
inline int end_of_host(const Characters& text, int i) {
  if (!may_begin_host(text, i)) return i;
  const auto is_part_of_host = [&](int c) { return is_alphanumeric(text, c) && text.code(c) < 128; };
  int end = i, part = i;
  for (; end - i < longest_host && (is_part_of_host(end) || (end > part && is_one_of(text, end, "-."))); ++end)
    if (text.code(end) == '.') part = end + 1;
  if (part == i || text.code(end) != '/' || !is_among(text, part, end, domains)) return i;
  for (int c = part; c < end; ++c)
    if (text.kind(c) != text.kind(part)) return i;
  const bool is_dot_net = text.kind(part) == CharacterClass::capital && reads(text, part, "net");
  return is_dot_net ? i : end;
}

// Where what an address begins with ends, its scheme or host; i where none begins.
inline int end_of_address_start(const Characters& text, int i) {
  if (reads(text, i, "www.")) return i + 4;
  int scheme = i;
  while (scheme - i < longest_scheme && is_letter(text, scheme) && text.code(scheme) < 128) ++scheme;
  return scheme > i && reads(text, scheme, "://") ? scheme + 3 : end_of_host(text, i);
}

// Where the address that begins at i ends; i where none does. Punctuation at its end is that of the sentence around it,
// except a bracket that is opened inside.
inline int end_of_address(const Characters& text, int i) {
  const int name = end_of_address_start(text, i);
  if (name == i) return i;
  int end = name, open = 0;
  for (int c = name; c < text.size() && !text.is_space(c) && !ends_address(text, c); ++c) {
    if (text.code(c) == '(') ++open;
    const bool closes = text.code(c) == ')' && open > 0;
    if (closes) --open;
    if (closes || text.code(c) == '/' || text.kind(c) != CharacterClass::punctuation) end = c + 1;
  }
  return end > name ? end : i;
}

}  // namespace headwise::text
