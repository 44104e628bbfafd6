// Which labels a word may have: those seen with it, or, for a word that was never seen, those seen with
// its longest known ending and with its shape. Short candidate lists are what makes exact search fast.
//
// Everything is stored by 64-bit hash; a context (such as a part of speech) may be part of a key.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/features/atoms.hpp"
#include "base/hashing.hpp"
#include "base/unicode/characters.hpp"

namespace headwise::tagging {

class Lexicon {
 public:
  static constexpr int longest_suffix = 6;

  static std::uint64_t word_key(std::string_view form, std::string_view context) {
    return salted(1, hash_bytes(form), context);
  }
  static std::uint64_t shape_key(std::string_view form, std::string_view context) {
    return salted(2, shape_of(form), context);
  }
  // The endings of the lower-case form, longest first, down to the empty one.
  template <class F>
  static void for_each_suffix_key(std::string_view form, std::string_view context, F f) {
    std::string lower;
    append_lower(lower, form);
    std::string_view last = "\n";
    for (int length = longest_suffix; length >= 0; --length) {
      const std::string_view suffix = utf8_suffix(lower, length);
      if (suffix == last) continue;
      last = suffix;
      if (!f(salted(3, hash_bytes(suffix), context))) return;
    }
  }

  // labels[begins[k] … begins[k + 1]) are those of keys[k]; keys are ascending, labels too within a key.
  Lexicon(std::span<const std::int64_t> keys, std::span<const std::int32_t> begins,
          std::span<const std::int32_t> labels, int label_count)
      : begins_(begins.begin(), begins.end()), labels_(labels.begin(), labels.end()) {
    const auto fail = [] { return std::invalid_argument("the lexicon is damaged"); };
    if (begins.size() != keys.size() + 1 || begins[0] != 0 || begins.back() != static_cast<int>(labels.size())) throw fail();
    if (!std::is_sorted(begins.begin(), begins.end())) throw fail();
    for (const int label : labels)
      if (label < 0 || label >= label_count) throw fail();
    std::size_t size = 16;
    while (size < 2 * keys.size()) size *= 2;
    slots_.assign(size, {0, -1});
    for (std::size_t k = 0; k < keys.size(); ++k) {
      std::size_t at = static_cast<std::uint64_t>(keys[k]) & (size - 1);
      while (slots_[at].entry >= 0) at = (at + 1) & (size - 1);
      slots_[at] = {static_cast<std::uint64_t>(keys[k]), static_cast<int>(k)};
    }
  }

  std::span<const std::int32_t> find(std::uint64_t key) const {
    for (std::size_t at = key & (slots_.size() - 1); slots_[at].entry >= 0; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].key == key) {
        const auto k = static_cast<std::size_t>(slots_[at].entry);
        return {labels_.data() + begins_[k], static_cast<std::size_t>(begins_[k + 1] - begins_[k])};
      }
    return {};
  }

  bool knows(std::string_view form, std::string_view word_context) const {
    return !find(word_key(form, word_context)).empty();
  }

  // The candidates of a word, ascending: never none, as the empty ending is always known.
  void candidates(std::string_view form, std::string_view word_context, std::string_view guess_context,
                  std::vector<int>& out) const {
    const auto seen = find(word_key(form, word_context));
    out.assign(seen.begin(), seen.end());
    if (out.empty()) guess(form, guess_context, out);
  }

  void guess(std::string_view form, std::string_view context, std::vector<int>& out) const {
    out.clear();
    const auto add_ending = [&](std::string_view c) {
      for_each_suffix_key(form, c, [&](std::uint64_t key) {
        const auto found = find(key);
        out.insert(out.end(), found.begin(), found.end());
        return found.empty();
      });
    };
    add_ending(context);
    if (out.empty()) add_ending({});  // a context that was never seen
    const auto shape = find(shape_key(form, context));
    out.insert(out.end(), shape.begin(), shape.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (out.empty()) throw std::invalid_argument("the lexicon is damaged: it knows no candidates for unseen words");
  }

 private:
  static std::uint64_t salted(std::uint64_t salt, std::uint64_t value, std::string_view context) {
    return mix(combine(combine(mix(salt), value), hash_bytes(context)));
  }

  struct Slot {
    std::uint64_t key;
    int entry;
  };
  std::vector<Slot> slots_;
  std::vector<int> begins_, labels_;
};

}  // namespace headwise::tagging
