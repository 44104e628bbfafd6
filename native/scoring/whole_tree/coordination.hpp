// Whether conjuncts are alike, in their tags and in the lengths of their spans (section 4: coordination).
//
// Treebanks draw coordination in different ways. A conjunction k is taken to join
//   its nearest modifiers on both sides, where it has some on both (Prague, Alpino),
//   its head before it and its nearest modifier after it (Mel'čuk, Danish),
//   the head of its head and its head, where that follows it (Universal Dependencies), or
//   its head before it and the next modifier of that head after k (Bosque).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <optional>

#include "scoring/whole_tree/spans.hpp"

namespace headwise::scoring {

struct Conjuncts {
  int style, first, second;
};

// The modifier of h nearest to it on a side, but for punctuation.
inline int nearest_modifier(const SentenceWords& words, const LinkedTree& tree, int h, int side) {
  int nearest = nobody;
  for (int m = tree.outermost(h, side); m != nobody; m = tree.inner(m))
    if (!words.is_punctuation(m)) nearest = m;
  return nearest;
}

inline std::optional<Conjuncts> conjuncts_of(const SentenceWords& words, const LinkedTree& tree, int k) {
  const int before = nearest_modifier(words, tree, k, 0), after = nearest_modifier(words, tree, k, 1);
  if (before != nobody && after != nobody) return Conjuncts{0, before, after};
  const int h = tree.head(k);
  if (h == nobody || h == 0) return std::nullopt;
  if (after != nobody) return h < k ? std::optional(Conjuncts{1, h, after}) : std::nullopt;
  if (h > k) {
    const int above = tree.head(h);
    return above > 0 && above < k ? std::optional(Conjuncts{2, above, h}) : std::nullopt;
  }
  int next = tree.outer(k);
  while (next != nobody && words.is_punctuation(next)) next = tree.outer(next);
  return next != nobody ? std::optional(Conjuncts{3, h, next}) : std::nullopt;
}

template <class Emit>
void coordination_features(const SentenceWords& words, const LinkedTree& tree, const Spans& spans, int k, Emit emit) {
  static constexpr FeatureName none("no conjuncts"), tags("conjuncts"), fine_tags("conjuncts, fine tags"),
      alike("conjuncts alike"), lengths("lengths of conjuncts"), longer("longer conjunct"), by_word("conjuncts, conjunction"),
      both_words("conjuncts, words");
  const auto found = conjuncts_of(words, tree, k);
  if (!found) return emit(none(words.coarse(k)));
  const auto [style, a, b] = *found;
  const int first = spans.of(a).length(), second = spans.of(b).length();
  const int difference = (first < second ? 10 : 0) + length_bin(std::max(1, std::abs(first - second)));
  emit(tags(style, words.coarse(a), words.coarse(b)));
  if (words.has_fine_tags()) emit(fine_tags(style, words.fine(a), words.fine(b)));
  emit(alike(style, int(words.coarse(a) == words.coarse(b)), int(words.fine(a) == words.fine(b))));
  emit(lengths(style, words.coarse(a), length_bin(first), length_bin(second)));
  emit(longer(style, int(words.fine(a) == words.fine(b)), first == second ? 99 : difference));
  emit(by_word(style, words.word(k), words.coarse(a), words.coarse(b)));
  emit(both_words(words.word(a), words.word(b)));
}

}  // namespace headwise::scoring
