// What cannot end at a place in a text, whatever was learned: treebanks have too few addresses, names that begin with a full
// stop and brackets around sentences to learn it from. (Of 63,000 sentences in eleven treebanks, two end before a mark that
// is glued to them, and none after the full stop of a name.)
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "text/boundary_features.hpp"
#include "text/handles.hpp"
#include "text/name_endings.hpp"

namespace headwise::text {

// The boundaries that a place leaves open.
struct BoundaryLimits {
  bool inside = true, multiword = true, sentence = true;

  bool allow(Boundary boundary) const {
    if (boundary == Boundary::inside) return inside;
    return (multiword || !is_multiword(boundary)) && (sentence || !ends_sentence(boundary));
  }
};

// Marks that belong to what stands before them, where no space is between. Straight quotes may as well begin something.
inline bool is_closing_mark(std::uint32_t code) {
  static constexpr std::uint32_t marks[] = {
      '!',    ')',    ',',    '.',    ':',    ';',    '?',    ']',    '}',    0xBB,   0x60C,  0x61B,  0x61F,  0x964,  0x201D,
      0x2026, 0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0xFF01, 0xFF09, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F};
  // » ، ؛ ؟ । ” … 、。〉》」』】！），：；？
  return std::find(std::begin(marks), std::end(marks), code) != std::end(marks);
}

// Whether character i is the full stop that a name begins with: ".NET", "a .doc file", ".@somebody". Before other words it may be
// one with the space on the wrong side ("We left .Then it rained.", "it was nice .i liked it").
inline bool is_leading_stop(const Characters& text, int i) {
  if (text.code(i) != '.' || !text.is_space(i - 1)) return false;
  if (text.code(i + 1) == '@') return true;
  const int begin = i + 1;
  int end = begin;
  while (end - begin <= longest_ending && text.kind(end) == text.kind(begin)) ++end;
  if (is_alphanumeric(text, end)) return false;
  if (text.kind(begin) == CharacterClass::capital) return end - begin >= 2;
  return is_among(text, begin, end, file_endings) || (end - begin >= 3 && is_among(text, begin, end, domains));
}

// Whether a sentence may end after character i.
inline bool may_end_sentence(const Characters& text, int i) {
  return !is_closing_mark(text.code(i + 1)) && !is_leading_stop(text, i);
}

}  // namespace headwise::text
