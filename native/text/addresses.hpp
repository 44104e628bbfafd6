// Addresses of the web, which are one token however they are spelled: https://x.org/a-b?c=d, www.x.org, x.org/a.
#pragma once
#include "rooms.hpp"
#include <string_view>

#include "text/boundary_features.hpp"
#include "text/handles.hpp"

namespace headwise::text {

inline bool reads(const Characters& text, int i, std::string_view word) {
  for (const char c : word)
    if (text.code(i++) != static_cast<std::uint32_t>(c)) return false;
  return true;
}

// Marks that no address holds, but that stand around one (RFC 3986, appendix C).
inline bool encloses_addresses(const Characters& text, int i) { return is_one_of(text, i, "<>\"`"); }

// Where the name of a host without a scheme ends, if a path follows (x.org/a); i where none begins there. Its last part is of
// small letters or of capitals: in "by St.Paul/Minneapolis" a space is missing.
inline int end_of_host(const Characters& text, int i) {
  int end = i, part = i;
  for (; is_alphanumeric(text, end) || (end > part && is_one_of(text, end, "-.")); ++end)
    if (text.code(end) == '.') part = end + 1;
  const bool is_host = part > i && end - part >= 2 && text.code(end) == '/' && text.kind(part) != CharacterClass::digit;
  for (int c = part; c < end && is_host; ++c)
    if (text.kind(c) != text.kind(part) || text.code(c) >= 128) return i;
  return is_host ? end : i;
}

// Where what an address begins with ends, its scheme or host; i where none begins.
inline int end_of_address_start(const Characters& text, int i) {
  if (reads(text, i, "www.")) return i + 4;
  int scheme = i;
  while (is_letter(text, scheme)) ++scheme;
  return scheme > i && reads(text, scheme, "://") ? scheme + 3 : end_of_host(text, i);
}

// Where the address that begins at i ends; i where none does. Punctuation at its end is that of the sentence around it,
// except a bracket that is opened inside.
inline int end_of_address(const Characters& text, int i) {
  const int name = end_of_address_start(text, i);
  if (name == i) return i;
  int end = name, open = 0;
  for (int c = name; c < text.size() && !text.is_space(c) && !encloses_addresses(text, c); ++c) {
    if (text.code(c) == '(') ++open;
    const bool closes = text.code(c) == ')' && open > 0;
    if (closes) --open;
    if (closes || text.code(c) == '/' || text.kind(c) != CharacterClass::punctuation) end = c + 1;
  }
  return end > name ? end : i;
}

}  // namespace headwise::text
