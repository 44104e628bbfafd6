// How far the tree branches to the right (section 4: right branch): the number of words from the root down to the last
// word that is not punctuation, as a share of the sentence.
#pragma once
#include "rooms.hpp"
#include "scoring/whole_tree/feature_hash.hpp"
#include "scoring/whole_tree/sentence_words.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::scoring {

template <class Emit>
void branching_features(const SentenceWords& words, const LinkedTree& tree, Emit emit) {
  static constexpr FeatureName share("right branch"), depth("depth of the last word");
  int last = words.count();
  while (last > 1 && words.is_punctuation(last)) --last;
  int steps = 0;
  for (int v = last; v != nobody && v != 0; v = tree.head(v)) ++steps;
  emit(share(10 * steps / words.count()));
  emit(depth(length_bin(steps), length_bin(words.count())));
}

}  // namespace headwise::scoring
