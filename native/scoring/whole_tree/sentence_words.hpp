// What features of whole trees ask of words: a coarse tag, a fine tag, the word itself, and its kind.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "scoring/features/atoms.hpp"

namespace headwise::scoring {

// Which attributes hold tags and words, and which tags are those of conjunctions and adpositions. Where no tag is
// known to be one, features that speak of them stay silent.
struct WordKinds {
  Attribute coarse = Attribute::tag, fine = Attribute::pos, word = Attribute::form;
  std::unordered_set<std::uint64_t> conjunctions, adpositions;

  static std::unordered_set<std::uint64_t> hashes(std::span<const std::string> tags) {
    std::unordered_set<std::uint64_t> result;
    for (const std::string& tag : tags) result.insert(hash_bytes(tag));
    return result;
  }
};

class SentenceWords {
 public:
  void assign(const WordKinds& kinds, const Atoms& atoms) {
    n_ = atoms.words();
    fine_differs_ = kinds.fine != kinds.coarse;
    values_.clear();
    punctuation_.assign(1, 0);
    conjunctions_.clear();
    adpositions_.clear();
    for (int position = -1; position <= n_ + 1; ++position)
      values_.push_back({atoms.value(position, kinds.coarse), atoms.value(position, kinds.fine),
                         atoms.value(position, kinds.word)});
    is_conjunction_.assign(static_cast<std::size_t>(n_) + 1, 0);
    for (int w = 1; w <= n_; ++w) {
      const auto is = [&](const auto& tags) {
        return tags.contains(atoms.value(w, Attribute::tag)) || tags.contains(atoms.value(w, Attribute::pos));
      };
      punctuation_.push_back(atoms.is_punctuation(w));
      if (is(kinds.conjunctions)) {
        conjunctions_.push_back(w);
        is_conjunction_[static_cast<std::size_t>(w)] = 1;
      }
      if (is(kinds.adpositions)) adpositions_.push_back(w);
    }
  }

  int count() const { return n_; }
  bool has_fine_tags() const { return fine_differs_; }
  // Also before the root (−1), of the root (0) and after the last word (n + 1).
  std::uint64_t coarse(int position) const { return at(position).coarse; }
  std::uint64_t fine(int position) const { return at(position).fine; }
  std::uint64_t word(int position) const { return at(position).word; }
  bool is_punctuation(int w) const { return punctuation_[static_cast<std::size_t>(w)] != 0; }
  bool is_conjunction(int w) const { return is_conjunction_[static_cast<std::size_t>(w)] != 0; }
  const std::vector<int>& conjunctions() const { return conjunctions_; }
  const std::vector<int>& adpositions() const { return adpositions_; }

 private:
  struct Values {
    std::uint64_t coarse, fine, word;
  };
  const Values& at(int position) const { return values_[static_cast<std::size_t>(position + 1)]; }

  int n_ = 0;
  bool fine_differs_ = false;
  std::vector<Values> values_;
  std::vector<std::uint8_t> punctuation_, is_conjunction_;
  std::vector<int> conjunctions_, adpositions_;
};

}  // namespace headwise::scoring
