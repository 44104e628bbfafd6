// How many modifiers a word has, and of which tags (section 4: valency). Punctuation does not count.
#pragma once
#include "rooms.hpp"
#include <algorithm>

#include "scoring/whole_tree/feature_hash.hpp"
#include "scoring/whole_tree/sentence_words.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::scoring {

template <class Emit>
void valency_features(const SentenceWords& words, const LinkedTree& tree, int v, Emit emit) {
  static constexpr FeatureName by_tag("valency"), by_fine_tag("valency, fine tag"), by_sides("valency of both sides"),
      by_word("valency of both sides, word"), coarse_list("modifiers"), fine_list("modifiers, fine tags"),
      word_list("modifiers, word"), coarse_tags("tags of modifiers"), fine_tags("fine tags of modifiers");
  static constexpr int most = 7;  // seven and more are alike
  int counts[2] = {};
  std::uint64_t coarse = coarse_tags(), fine = fine_tags();
  for (int side = 0; side < 2; ++side) {
    coarse = combine(coarse, mix(static_cast<std::uint64_t>(side) + 1));
    fine = combine(fine, mix(static_cast<std::uint64_t>(side) + 1));
    for (int m = tree.outermost(v, side); m != nobody; m = tree.inner(m)) {
      if (words.is_punctuation(m)) continue;
      ++counts[side];
      coarse = combine(coarse, words.coarse(m));
      fine = combine(fine, words.fine(m));
    }
  }
  const int left = std::min(counts[0], most), right = std::min(counts[1], most);
  emit(by_tag(words.coarse(v), std::min(counts[0] + counts[1], most)));
  if (words.has_fine_tags()) emit(by_fine_tag(words.fine(v), std::min(counts[0] + counts[1], most)));
  emit(by_sides(words.fine(v), left, right));
  emit(by_word(words.word(v), left, right));
  emit(coarse_list(words.coarse(v), coarse));
  if (words.has_fine_tags()) emit(fine_list(words.fine(v), fine));
  emit(word_list(words.word(v), coarse));
}

}  // namespace headwise::scoring
