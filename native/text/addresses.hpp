// Addresses of the web, which are one token however they are spelled: https://x.org/a-b?c=d, www.x.org.
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

// Where the address that begins at i ends; i where none does. Punctuation at its end is that of the sentence around it,
// except a bracket that is opened inside.
inline int end_of_address(const Characters& text, int i) {
  int name = i;
  if (reads(text, i, "www.")) {
    name += 4;
  } else {
    while (text.kind(name) == CharacterClass::letter || text.kind(name) == CharacterClass::capital) ++name;
    if (name == i || !reads(text, name, "://")) return i;
    name += 3;
  }
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
