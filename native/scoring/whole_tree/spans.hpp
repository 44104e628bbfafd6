// The words from the first to the last that hang from a word: the span of that word, how long it is and what stands
// beside it (Zhang et al. 2014, "Steps to excellence", section 4: span length, neighbours).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "scoring/whole_tree/feature_hash.hpp"
#include "scoring/whole_tree/sentence_words.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::scoring {

class Spans {
 public:
  // Of all words of a forest.
  void assign(const LinkedTree& tree) {
    const auto nodes = static_cast<std::size_t>(tree.words()) + 1;
    spans_.resize(nodes);
    for (int v = 0; v <= tree.words(); ++v) of(v) = {v, v, 1};
    for (int m = 1; m <= tree.words(); ++m)
      for (int v = tree.head(m); v != nobody; v = tree.head(v)) {
        of(v).left = std::min(of(v).left, m);
        of(v).right = std::max(of(v).right, m);
        ++of(v).size;
      }
  }

  struct Span {
    int left, right, size;  // size: the words that hang from it, and itself
    int length() const { return right - left + 1; }
    bool has_gaps() const { return length() != size; }
    bool is_like(const Span& other) const { return left == other.left && right == other.right; }
  };
  Span& of(int v) { return spans_[at(v)]; }
  const Span& of(int v) const { return spans_[at(v)]; }

  // The span of v with what hangs from a new modifier m below it, and without `lost` words that hung from it; the
  // spans of its modifiers are right.
  Span with(int v, int m) const {
    return {std::min(of(v).left, of(m).left), std::max(of(v).right, of(m).right), of(v).size + of(m).size};
  }
  Span without(const LinkedTree& tree, int v, int lost) const {
    Span span{v, v, of(v).size - lost};
    tree.each_modifier(v, [&](int m) {
      span.left = std::min(span.left, of(m).left);
      span.right = std::max(span.right, of(m).right);
    });
    return span;
  }

 private:
  std::vector<Span> spans_;
};

// How long the span of v is, whether it reaches the end of the sentence, and whether punctuation follows it.
template <class Emit>
void span_length_features(const SentenceWords& words, const Spans& spans, int v, Emit emit) {
  static constexpr FeatureName by_tag("span length"), by_fine_tag("span length, fine tag"), by_word("span length, word"),
      by_end("span length, end");
  const auto& span = spans.of(v);
  const int length = length_bin(span.length());
  const int at_end = span.right == words.count();
  const int before_punctuation = !at_end && words.is_punctuation(span.right + 1);
  emit(by_tag(words.coarse(v), length));
  if (words.has_fine_tags()) emit(by_fine_tag(words.fine(v), length));
  emit(by_word(words.word(v), length));
  emit(by_end(words.coarse(v), length, at_end, before_punctuation));
}

// The words on both sides of the span of v.
template <class Emit>
void neighbour_features(const SentenceWords& words, const Spans& spans, int v, Emit emit) {
  static constexpr FeatureName both("neighbours"), left("left neighbour"), right("right neighbour"),
      right_word("right neighbour, word"), left_word("left neighbour, word");
  const auto& span = spans.of(v);
  const int length = length_bin(span.length()), before = span.left - 1, after = span.right + 1;
  emit(both(words.coarse(v), words.coarse(before), words.coarse(after), length));
  emit(left(words.fine(v), words.fine(before), length));
  emit(right(words.fine(v), words.fine(after), length));
  emit(left_word(words.fine(v), words.word(before)));
  emit(right_word(words.fine(v), words.word(after)));
}

}  // namespace headwise::scoring
