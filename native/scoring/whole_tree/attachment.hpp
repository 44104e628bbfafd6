// What an adposition joins: a head and an argument (section 4: PP attachment). An adposition with modifiers has its
// argument below it; one without is taken to stand below its argument, as in Universal Dependencies. An argument that
// is a conjunction stands for what it joins.
#pragma once
#include "rooms.hpp"
#include "scoring/whole_tree/coordination.hpp"

namespace headwise::scoring {

template <class Emit>
void attachment_features(const SentenceWords& words, const LinkedTree& tree, int p, Emit emit) {
  static constexpr FeatureName tags("adposition, tags"), by_head("adposition, head"), by_argument("adposition, argument"),
      head_only("adposition, head alone"), triple("adposition, head and argument");
  const int right = nearest_modifier(words, tree, p, 1);
  const int below = right != nobody ? right : nearest_modifier(words, tree, p, 0);
  const int style = below == nobody;
  const int argument = style ? tree.head(p) : below;
  const int head = style ? (argument > 0 ? tree.head(argument) : nobody) : tree.head(p);
  if (argument <= 0 || head == nobody) return;
  const auto show = [&](int a) {
    emit(tags(style, words.coarse(head), words.word(p), words.coarse(a)));
    emit(by_head(style, words.word(head), words.word(p), words.coarse(a)));
    emit(by_argument(style, words.coarse(head), words.word(p), words.word(a)));
    emit(head_only(style, words.word(head), words.word(p)));
    emit(triple(style, words.word(head), words.word(p), words.word(a)));
  };
  const auto joined = words.is_conjunction(argument) ? conjuncts_of(words, tree, argument) : std::nullopt;
  if (!joined || joined->style != 0) return show(argument);
  show(joined->first);
  show(joined->second);
}

}  // namespace headwise::scoring
