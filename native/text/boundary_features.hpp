// What tells whether a token or a sentence ends after a character: the characters around it, the token so
// far, the stretch of text up to the next space, and what comes after that.
//
// Characters are lower-cased and digits made equal, except where their class is asked for. A feature is a
// hash that names a row of weights, one weight a boundary. Nothing here knows a language; texts without
// spaces are one long stretch.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "base/index.hpp"
#include "base/unicode/characters.hpp"

namespace headwise::text {

// What ends after a character. A multiword token (French "du", English "don't") stands for several words.
enum class Boundary : std::uint8_t { inside, token, multiword, sentence, multiword_sentence };
inline constexpr int boundary_count = 5;
inline constexpr int boundary_row = 8;  // weights a feature: half a cache line

inline bool ends_sentence(Boundary b) { return b == Boundary::sentence || b == Boundary::multiword_sentence; }
inline bool is_multiword(Boundary b) { return b == Boundary::multiword || b == Boundary::multiword_sentence; }

// What decisions look at. In scripts that write no spaces, a stretch up to the next space is a whole line and tells nothing.
enum class Context : std::uint8_t {
  first,       // as models of the first version do
  words,       // and two words on either side
  characters,  // for scripts without spaces
};

// The characters of a text. Positions outside of it are spaces of a kind of their own.
class Characters {
 public:
  void assign(std::string_view text) {
    begins_.clear();
    codes_.clear();
    classes_.clear();
    for (std::size_t at = 0; at < text.size();) {
      begins_.push_back(at);
      const std::uint32_t code = next_character(text, at);
      const CharacterClass kind = class_of(code);
      classes_.push_back(kind);
      codes_.push_back(kind == CharacterClass::digit ? '0' : lower_of(code));
    }
    begins_.push_back(text.size());
    text_ = text;
    hash_ahead();
  }

  int size() const { return static_cast<int>(codes_.size()); }
  std::size_t begin(int i) const { return begins_[at(i)]; }  // in bytes
  bool is_space(int i) const { return kind(i) == CharacterClass::space; }
  std::uint32_t code(int i) const { return inside(i) ? codes_[at(i)] : i < 0 ? 1 : 2; }
  CharacterClass kind(int i) const { return inside(i) ? classes_[at(i)] : CharacterClass::space; }

  // The stretch from i up to the next space: its hash, and where the next one begins.
  std::uint64_t stretch(int i) const { return inside(i) ? stretch_[at(i)] : 3; }
  int next_stretch(int i) const { return inside(i) ? next_[at(i)] : size(); }
  int skip_spaces(int i) const {
    while (i < size() && is_space(i)) ++i;
    return i;
  }

 private:
  bool inside(int i) const { return i >= 0 && i < size(); }

  void hash_ahead() {
    stretch_.assign(codes_.size(), 0);
    next_.assign(codes_.size(), 0);
    std::uint64_t hash = 0x57ULL;
    int next = size();
    for (int i = size() - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      if (is_space(i)) {
        if (i + 1 < size() && !is_space(i + 1)) next = i + 1;
        hash = 0x57ULL;
      } else {
        hash = combine(hash, mix(codes_[at]));
      }
      stretch_[at] = hash;
      next_[at] = next;
    }
  }

  std::string_view text_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> codes_;
  std::vector<CharacterClass> classes_;
  std::vector<std::uint64_t> stretch_;
  std::vector<int> next_;
};

// What reading the text up to a character has led to.
struct ReadingState {
  std::uint64_t token = 0;      // hash of the token so far
  std::uint64_t previous = 0;   // hash of the token before it
  std::uint64_t before_previous = 0;
  int token_length = 0;
  int sentence_tokens = 0;      // finished tokens of the sentence so far

  void read(std::uint32_t code) {
    token = combine(token_length == 0 ? 0x70ULL : token, mix(code));
    ++token_length;
  }
  void end(Boundary boundary) {
    if (boundary == Boundary::inside) return;
    before_previous = ends_sentence(boundary) ? 0x5e7ULL : previous;
    previous = ends_sentence(boundary) ? 0x5e7ULL : token;
    sentence_tokens = ends_sentence(boundary) ? 0 : sentence_tokens + 1;
    token_length = 0;
  }
};

// Calls f(hash) for every feature of the place after character i, which the state has read.
template <class F>
void for_each_boundary_feature(const Characters& text, int i, const ReadingState& state, Context context, F f) {
  std::uint64_t number = 0;
  const auto feature = [&](auto... values) {
    std::uint64_t h = mix(++number);
    ((h = combine(h, mix(static_cast<std::uint64_t>(values) + 1))), ...);
    f(mix(h));
  };
  const auto c = [&](int k) { return text.code(i + k); };
  const auto window = [&](int first, int last) {
    std::uint64_t classes = 1;
    for (int k = first; k <= last; ++k) classes = classes << 3 | static_cast<std::uint64_t>(text.kind(i + k));
    return classes;
  };
  const int ahead = text.skip_spaces(i + 1);  // what comes next, spaces or not
  const bool spaced = ahead != i + 1;
  const std::uint64_t next = text.stretch(ahead), rest = text.stretch(i + 1);
  const auto next_kind = text.kind(ahead);
  const int after_next = text.next_stretch(ahead);
  const int tokens = state.sentence_tokens;
  const bool apart = context != Context::characters;  // words stand between spaces
  const int length = tokens < 4 ? tokens : tokens < 8 ? 4 : tokens < 16 ? 5 : tokens < 32 ? 6 : 7;

  // characters
  feature(c(0), spaced);
  feature(c(1));
  feature(c(0), c(1));
  feature(c(-1), c(0));
  feature(c(1), c(2));
  feature(c(-1), c(0), c(1));
  feature(c(0), c(1), c(2));
  feature(c(-2), c(-1), c(0));
  feature(c(1), c(2), c(3));
  feature(c(-1), c(0), c(1), c(2));
  feature(c(-2), c(-1), c(0), c(1));
  feature(c(-2), c(-1), c(0), c(1), c(2), c(3));
  // classes
  feature(window(-1, 1));
  feature(window(-2, 2));
  feature(window(-3, 3));
  feature(window(0, 4));
  feature(c(0), window(1, 3));
  // the token so far, and what it would leave
  feature(state.token, spaced);
  feature(state.token, c(1));
  feature(state.token, c(1), c(2));
  if (apart) feature(state.token, rest);
  feature(state.previous, state.token);
  if (apart) feature(c(0), rest);
  feature(std::min(state.token_length, 6), window(0, 1));
  // what comes next
  if (apart) {
    feature(c(0), next, spaced);
    feature(state.token, next);
  }
  feature(c(0), text.code(ahead), next_kind, spaced);
  feature(state.token, next_kind, spaced);
  feature(c(-1), c(0), next_kind, text.kind(ahead + 1), spaced);
  if (apart) {
    feature(c(0), next_kind, text.kind(after_next), spaced);
    feature(next, text.stretch(after_next));
    feature(text.code(i + 1), next_kind, next);  // the kind of space
  }
  // the sentence so far
  feature(c(0), next_kind, length, spaced);
  if (apart) feature(length, next, window(0, 0));
  if (context == Context::words) {  // sentences begin and end with certain words; some stand in the second place
    feature(text.stretch(after_next), spaced);
    feature(state.previous, spaced);
    feature(state.before_previous, spaced);
  }
  if (context == Context::characters) {
    const int read = std::min(state.token_length, 6);
    feature(read, c(0), c(1));
    feature(read, c(1), c(2));
    feature(c(-1), c(1));
    feature(c(0), c(2));
  }
}

}  // namespace headwise::text
