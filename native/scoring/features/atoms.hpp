// What a feature template can ask of one word: its atoms, each a 64-bit number.
#pragma once
#include "rooms.hpp"
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "base/index.hpp"
#include "scoring/features/word_view.hpp"
#include "treebank/sentence.hpp"
#include "base/unicode/characters.hpp"

namespace headwise::scoring {

// clang-format off
enum class Attribute : std::uint8_t {
  form, lemma, tag, pos, feats, feat, prefix, suffix, shape,
  lower, prefix1, prefix2, prefix3, suffix1, suffix2, suffix4, suffix5, role,
  prefix5, c4, c6, cluster, c4_2, c6_2, cluster_2, c4_3, c6_3, cluster_3,
  there
};
inline constexpr std::array<std::string_view, 29> attribute_names = {
    "form", "lemma", "tag", "pos", "feats", "feat", "prefix", "suffix", "shape",
    "lower", "prefix1", "prefix2", "prefix3", "suffix1", "suffix2", "suffix4", "suffix5", "role",
    "prefix5", "c4", "c6", "cluster", "c4_2", "c6_2", "cluster_2", "c4_3", "c6_3", "cluster_3",
    "there"};
// clang-format on
inline constexpr int attribute_count = static_cast<int>(attribute_names.size());

inline Attribute attribute_named(std::string_view name) {
  for (int a = 0; a < attribute_count; ++a)
    if (attribute_names[at(a)] == name) return static_cast<Attribute>(a);
  std::string known;
  for (const auto other : attribute_names) known += (known.empty() ? "" : ", ") + std::string(other);
  throw std::invalid_argument("no attribute is called '" + std::string(name) + "' (use one of: " + known + ")");
}

// `feat` is the only attribute with several values a word: one for each piece of FEATS.
constexpr bool has_many_values(Attribute a) { return a == Attribute::feat; }

// Byte offset of the k-th UTF-8 character, or the length when there are fewer.
inline std::size_t utf8_offset(std::string_view text, int characters) {
  std::size_t i = 0;
  while (characters-- > 0 && i < text.size()) {
    ++i;
    while (i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) ++i;
  }
  return i;
}

inline std::string_view utf8_prefix(std::string_view text, int characters) {
  return text.substr(0, utf8_offset(text, characters));
}

inline std::string_view utf8_suffix(std::string_view text, int characters) {
  std::size_t i = text.size();
  while (characters > 0 && i > 0) {
    --i;
    while (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
    --characters;
  }
  return text.substr(i);
}

// Xx for "Cairo" and "Ékin", d for "1984", Xd for "B52": runs of character classes; punctuation is itself.
inline std::uint64_t shape_of(std::string_view form) {
  std::uint64_t h = 0x5a17, last = 0;
  for (std::size_t at = 0; at < form.size();) {
    const std::uint32_t c = next_character(form, at);
    const CharacterClass found = class_of(c);
    const std::uint64_t kind = found == CharacterClass::capital  ? 'X'
                               : found == CharacterClass::letter ? 'x'
                               : found == CharacterClass::digit  ? 'd'
                                                                 : c;
    if (kind != last) h = combine(h, kind);
    last = kind;
  }
  return mix(h);
}

inline bool consists_of_punctuation(std::string_view form) {
  for (std::size_t at = 0; at < form.size();)
    if (class_of(next_character(form, at)) != CharacterClass::punctuation) return false;
  return true;
}

// The atoms of a sentence. Positions run from -1 (before the root) over 0 (the root) and the words
// 1..n to n+1 (after the last word), so that a neighbour can always be asked for.
class Atoms {
 public:
  Atoms() = default;
  // With a view, words are seen as it says.
  explicit Atoms(std::shared_ptr<const WordView> view) : view_(std::move(view)) {}

  void assign(const Sentence& sentence) { assign(sentence, 0, sentence.size()); }

  // Of `count` words of a sentence, the first `begin` left out: as if there were no others.
  void assign(const Sentence& sentence, int begin, int count) {
    n_ = count;
    reading_ = new_reading();
    const std::size_t positions = static_cast<std::size_t>(n_) + 3;
    values_.assign(positions * attribute_count, 0);
    feats_.clear();
    feats_begin_.assign(positions + 1, 0);
    punctuation_.clear();
    glued_.clear();
    texts_.clear();
    text_end_.assign(1, 0);
    vectors_.assign(view_ && view_->vectors() ? positions : 0, nullptr);
    fill_boundary(-1, 0xB0);
    set(-1, Attribute::there, mix(0xB0));  // the one place where nobody is
    fill_boundary(0, 0xB1);
    for (int word = 1; word <= n_; ++word) fill_word(sentence, begin + word, word);
    fill_boundary(n_ + 1, 0xB2);
  }

  // Other tags for a word; the pieces of FEATS (the attribute feat) stay those that were read.
  void set_tags(int word, std::string_view upos, std::string_view xpos, std::string_view feats) {
    set(word, Attribute::tag, hash_bytes(upos));
    set(word, Attribute::pos, hash_bytes(xpos));
    set(word, Attribute::feats, hash_bytes(feats));
    reading_ = 0;
  }

  // What each word is taken to be in its sentence (roles.hpp). Until then no word has a role.
  void set_roles(std::span<const int> roles) {
    for (int word = 1; word <= n_; ++word)
      set(word, Attribute::role, mix(0x2013 + static_cast<std::uint64_t>(roles[at(word) - 1])));
    reading_ = 0;
  }

  // Makes a word one that was never seen: what is left of it is its prefixes, suffixes and shape.
  void forget(int word) {
    set(word, Attribute::form, mix(0xF0));
    set(word, Attribute::lower, mix(0xF0));
    reading_ = 0;
  }

  int words() const { return n_; }
  // A number for what was read: that of other atoms only if these are a copy. 0 where atoms were changed since.
  std::uint64_t reading() const { return reading_; }

  // A word in lower case; nothing at the root and outside of the sentence.
  std::string_view text(int position) const {
    if (position < 1 || position > n_) return {};
    const auto i = static_cast<std::size_t>(position);
    return std::string_view(texts_).substr(text_end_[i - 1], text_end_[i] - text_end_[i - 1]);
  }

  // Whether every character of the word is punctuation.
  bool is_punctuation(int word) const { return punctuation_[at(word) - 1] != 0; }

  // Whether no space follows the word.
  bool is_glued(int word) const { return glued_[at(word) - 1] != 0; }

  std::uint64_t value(int position, Attribute a) const {
    return values_[index(position) * attribute_count + at(a)];
  }

  // A vector of the word that was learned from raw text; nullptr where the view has none.
  const float* vector(int position) const { return vectors_.empty() ? nullptr : vectors_[index(position)]; }

  // The values of a many-valued attribute (today: the pieces of FEATS).
  std::span<const std::uint64_t> values(int position) const {
    const std::size_t i = index(position);
    return {feats_.data() + feats_begin_[i], feats_begin_[i + 1] - feats_begin_[i]};
  }

 private:
  std::size_t index(int position) const {
    const int clamped = position < -1 ? -1 : position > n_ + 1 ? n_ + 1 : position;
    return static_cast<std::size_t>(clamped + 1);
  }

  void set(int position, Attribute a, std::uint64_t v) {
    values_[index(position) * attribute_count + at(a)] = v;
  }

  void fill_boundary(int position, std::uint64_t code) {
    const int with_clusters =
        static_cast<int>(Attribute::c4) + static_cast<int>((view_ ? view_->clusterings().size() : 0) * cluster_levels);
    for (int a = 0; a < with_clusters; ++a) set(position, static_cast<Attribute>(a), mix(code));
    feats_begin_[index(position) + 1] = feats_.size();
  }

  void fill_word(const Sentence& sentence, int from, int word) {
    const auto read = [&](Column column) -> std::string_view {
      return !view_ || view_->reads(column) ? sentence.field(from, column) : "_";
    };
    const auto form = read(Column::form), lemma = read(Column::lemma);
    const auto upos = read(Column::upos), xpos = read(Column::xpos), feats = read(Column::feats);
    punctuation_.push_back(consists_of_punctuation(form));
    glued_.push_back(sentence.field(from, Column::misc).find("SpaceAfter=No") != std::string_view::npos);
    set(word, Attribute::form, hash_bytes(form));
    set(word, Attribute::lemma, hash_bytes(lemma));
    set(word, Attribute::tag, hash_bytes(upos));
    set(word, Attribute::pos, hash_bytes(xpos));
    set(word, Attribute::feats, hash_bytes(feats));
    set(word, Attribute::prefix, hash_bytes(utf8_prefix(form, 4)));
    set(word, Attribute::suffix, hash_bytes(utf8_suffix(form, 3)));
    set(word, Attribute::shape, shape_of(form));
    append_lower(texts_, form);
    text_end_.push_back(texts_.size());
    set(word, Attribute::lower, hash_bytes(text(word)));
    set(word, Attribute::prefix1, hash_bytes(utf8_prefix(form, 1)));
    set(word, Attribute::prefix2, hash_bytes(utf8_prefix(form, 2)));
    set(word, Attribute::prefix3, hash_bytes(utf8_prefix(form, 3)));
    set(word, Attribute::prefix5, hash_bytes(utf8_prefix(form, 5)));
    set(word, Attribute::suffix1, hash_bytes(utf8_suffix(form, 1)));
    set(word, Attribute::suffix2, hash_bytes(utf8_suffix(form, 2)));
    set(word, Attribute::suffix4, hash_bytes(utf8_suffix(form, 4)));
    set(word, Attribute::suffix5, hash_bytes(utf8_suffix(form, 5)));
    if (view_) look_at(word);
    if (feats != "_") {
      std::size_t begin = 0;
      while (begin <= feats.size()) {
        std::size_t end = feats.find('|', begin);
        if (end == std::string_view::npos) end = feats.size();
        if (end > begin) feats_.push_back(hash_bytes(feats.substr(begin, end - begin)));
        begin = end + 1;
      }
    }
    feats_begin_[index(word) + 1] = feats_.size();
  }

  void look_at(int word) {
    const std::uint64_t lower = value(word, Attribute::lower);
    auto next = static_cast<int>(Attribute::c4);
    for (const Clustering& clustering : view_->clusterings())
      for (const std::uint64_t one : clustering.classes(value(word, Attribute::form), lower))
        set(word, static_cast<Attribute>(next++), one);
    if (const WordVectors* vectors = view_->vectors())
      vectors_[index(word)] = vectors->find(value(word, Attribute::form), lower);
    if (!view_->knows(lower))
      for (const Attribute a : {Attribute::form, Attribute::lower, Attribute::lemma}) set(word, a, WordView::rare);
  }

  static std::uint64_t new_reading() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::shared_ptr<const WordView> view_;
  int n_ = 0;
  std::uint64_t reading_ = 0;
  std::string texts_;  // of all words, and where each ends
  std::vector<std::size_t> text_end_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> feats_;
  std::vector<std::size_t> feats_begin_;
  std::vector<std::uint8_t> punctuation_, glued_;
  std::vector<const float*> vectors_;  // into the view
};

}  // namespace headwise::scoring
