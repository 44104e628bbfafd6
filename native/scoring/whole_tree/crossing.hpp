// Arcs that span a word that does not descend from their head (section 4: non-projective arcs).
#pragma once
#include "rooms.hpp"
#include <algorithm>

#include "scoring/whole_tree/spans.hpp"

namespace headwise::scoring {

inline bool descends_from(const LinkedTree& tree, int word, int ancestor) {
  while (word != nobody && word != ancestor) word = tree.head(word);
  return word == ancestor;
}

// The arcs from v. What hangs from v is without gaps, in most trees, and nothing is to be looked at.
template <class Emit>
void crossing_features(const SentenceWords& words, const LinkedTree& tree, const Spans& spans, int v, Emit emit) {
  static constexpr FeatureName any("crossing"), tags("crossing, tags"), head_word("crossing, head"),
      modifier_word("crossing, modifier"), both_words("crossing, words");
  if (v == 0 || !spans.of(v).has_gaps()) return;
  tree.each_modifier(v, [&](int m) {
    const auto [from, to] = std::minmax(v, m);
    int between = from + 1;
    while (between < to && descends_from(tree, between, v)) ++between;
    if (between == to) return;
    const int to_the_right = v < m;
    emit(any(to_the_right));
    emit(tags(words.coarse(v), words.coarse(m), to_the_right));
    emit(head_word(words.word(v), words.coarse(m)));
    emit(modifier_word(words.coarse(v), words.word(m)));
    emit(both_words(words.word(v), words.word(m)));
  });
}

}  // namespace headwise::scoring
