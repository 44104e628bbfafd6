// Finds the ends of tokens and sentences, one character after the other, and learns to.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "learning/averaged_weights.hpp"
#include "learning/update_rules.hpp"
#include "text/addresses.hpp"
#include "text/boundary_features.hpp"
#include "text/boundary_limits.hpp"
#include "text/handles.hpp"

namespace headwise::text {

// What may end where: decided by the kind of input, not learned.
struct BoundaryRules {
  bool spaces_in_tokens;  // a space may stand inside a token (as in French "10 000")
  bool sentences;         // sentences are searched; otherwise the text is one
  bool addresses = false;  // of the web are never split
  bool handles = false;    // nor are e-mail addresses, @names and #tags

  // Whether a boundary may stand after a character that is followed by a space.
  bool allows(Boundary boundary, bool spaced) const {
    if (boundary == Boundary::inside) return !spaced || spaces_in_tokens;
    return sentences || !ends_sentence(boundary);
  }
};

// Scores all boundaries after one character. Rows are asked for before the first is needed: they are
// scattered over a table larger than the cache.
class BoundaryScorer {
 public:
  BoundaryScorer(std::uint32_t mask, Context context)
      : mask_(mask & ~std::uint32_t{boundary_row - 1}), context_(context) {}

  const float* score(const Characters& text, int i, const ReadingState& state, const float* weights) {
    rows_.clear();
    for_each_boundary_feature(text, i, state, context_, [&](std::uint64_t hash) {
      const auto row = static_cast<std::uint32_t>(hash) & mask_;
      __builtin_prefetch(weights + row);
      rows_.push_back(row);
    });
    std::fill(std::begin(sums_), std::end(sums_), 0.0f);
    for (const std::uint32_t row : rows_)
      for (int b = 0; b < boundary_row; ++b) sums_[b] += weights[row + static_cast<std::uint32_t>(b)];
    return sums_;
  }

  std::span<const std::uint32_t> rows() const { return rows_; }

 private:
  std::uint32_t mask_;
  Context context_;
  std::vector<std::uint32_t> rows_;
  float sums_[boundary_row];
};

// The best boundary that is allowed; ties go to the first. `gold` adds a cost of one to every other.
inline std::pair<Boundary, float> best_boundary(const float* sums, const BoundaryRules& rules, bool spaced,
                                                const BoundaryLimits& limits, const Boundary* gold = nullptr) {
  std::pair<Boundary, float> best{Boundary::token, -std::numeric_limits<float>::infinity()};
  for (int b = 0; b < boundary_count; ++b) {
    const auto boundary = static_cast<Boundary>(b);
    if (!rules.allows(boundary, spaced) || !limits.allow(boundary)) continue;
    const float score = sums[b] + (gold && boundary != *gold ? 1.0f : 0.0f);
    if (score > best.second) best = {boundary, score};
  }
  return best;
}

// A token of a text: [begin, end) in characters.
struct TextToken {
  int begin, end;
  Boundary boundary;
};

// Text without an end (a list of a million names) is no sentence, and nobody could parse it as one: after so
// many tokens a sentence is ended where it stands.
inline constexpr int longest_found_sentence = 300;

// Where the token that must begin at i and stay whole ends; i where there is none.
inline int end_of_whole_token(const Characters& text, int i, const BoundaryRules& rules) {
  int end = rules.addresses ? end_of_address(text, i) : i;
  if (end == i && rules.handles) end = end_of_mail_address(text, i);
  if (end == i && rules.handles) end = end_of_name(text, i);
  return end;
}

// Whether character i is a mark glued to the token behind it that stays whole, and so a token of its own.
inline bool is_before_whole_token(const Characters& text, int i, const BoundaryRules& rules) {
  const bool is_mark = text.kind(i) == CharacterClass::punctuation || text.kind(i) == CharacterClass::symbol;
  return is_mark && end_of_whole_token(text, i + 1, rules) > i + 1;
}

// Splits a paragraph. The end of the paragraph ends a sentence.
inline void find_tokens(const Characters& text, const BoundaryRules& rules, const float* weights,
                        BoundaryScorer& scorer, std::vector<TextToken>& tokens) {
  tokens.clear();
  ReadingState state;
  int begin = -1, tokens_in_sentence = 0, whole_end = 0, last_whole_end = -1;
  for (int i = 0; i < text.size(); ++i) {
    if (text.is_space(i)) continue;  // one inside a token is not a place where something ends
    if (begin < 0) {
      begin = i;
      whole_end = end_of_whole_token(text, i, rules);
    }
    state.read(text.code(i));
    if (i + 1 < whole_end || is_inside_emoji(text, i, state.token_length)) {
      state.end(Boundary::inside);
      continue;
    }
    const int ahead = text.skip_spaces(i + 1);
    const bool is_whole = i + 1 == whole_end, before_whole = is_before_whole_token(text, i, rules);
    const bool closes_whole = begin == i && i == last_whole_end && is_one_of(text, i, ">`");  // <a@b.co>.
    const bool opens_whole = before_whole && !is_closing_mark(text.code(i));
    const BoundaryLimits limits{
        .inside = !is_whole && !before_whole && !closes_whole,
        .multiword = !is_whole,
        .sentence = may_end_sentence(text, i) && !opens_whole && !(is_whole && ahead == i + 1),
    };
    if (is_whole) last_whole_end = whole_end;
    Boundary boundary = best_boundary(scorer.score(text, i, state, weights), rules, ahead != i + 1, limits).first;
    const bool too_long = rules.sentences && boundary != Boundary::inside && tokens_in_sentence + 1 == longest_found_sentence;
    if (ahead == text.size() || too_long)
      boundary = is_multiword(boundary) ? Boundary::multiword_sentence : Boundary::sentence;
    state.end(boundary);
    if (boundary == Boundary::inside) continue;
    tokens.push_back({begin, i + 1, boundary});
    tokens_in_sentence = ends_sentence(boundary) ? 0 : tokens_in_sentence + 1;
    begin = -1;
  }
}

struct BoundaryCounts {
  std::uint64_t words = 0, mistakes = 0;  // decisions, and wrong ones
  double loss = 0;
};

// One paragraph of training: its text, and what ends after each character (spaces: nothing).
struct BoundaryExample {
  std::string text;
  std::vector<Boundary> boundaries;
};

// Learns each decision as a multi-class problem, by MIRA, with the decisions before it taken as right.
class BoundaryTrainer {
 public:
  BoundaryTrainer(std::uint32_t mask, BoundaryRules rules, Context context, Margins rule)
      : rules_(rules), rule_(rule), weights_(std::size_t{mask} + 1), scorer_(mask, context) {}

  void add(BoundaryExample example) { examples_.push_back(std::move(example)); }

  BoundaryCounts train(std::span<const std::int64_t> order) {
    BoundaryCounts counts;
    for (const std::int64_t number : order) {
      const BoundaryExample& example = examples_.at(static_cast<std::size_t>(number));
      text_.assign(example.text);
      ReadingState state;
      for (int i = 0; i < text_.size(); ++i) {
        if (text_.is_space(i)) continue;
        state.read(text_.code(i));
        const Boundary gold = example.boundaries[at(i)];
        decide(i, state, gold, counts);
        state.end(gold);
      }
    }
    return counts;
  }

  AveragedWeights& weights() { return weights_; }

 private:
  void decide(int i, const ReadingState& state, Boundary gold, BoundaryCounts& counts) {
    const int ahead = text_.skip_spaces(i + 1);
    if (ahead == text_.size()) return;  // the end of the paragraph is no decision
    const float* sums = scorer_.score(text_, i, state, weights_.current());
    const auto [best, score] = best_boundary(sums, rules_, ahead != i + 1, {}, &gold);
    ++counts.words;
    weights_.next_step();
    if (best == gold) return;
    const double violation = static_cast<double>(score) - sums[static_cast<int>(gold)];
    counts.mistakes += score - 1.0f > sums[static_cast<int>(gold)];
    counts.loss += violation;
    const auto step = static_cast<float>(rule_.step(violation, 2.0 * static_cast<double>(scorer_.rows().size())));
    for (const std::uint32_t row : scorer_.rows()) {
      weights_.add(row + static_cast<std::uint32_t>(gold), step);
      weights_.add(row + static_cast<std::uint32_t>(best), -step);
    }
  }

  BoundaryRules rules_;
  Margins rule_;
  AveragedWeights weights_;
  BoundaryScorer scorer_;
  Characters text_;
  std::vector<BoundaryExample> examples_;
};

}  // namespace headwise::text
