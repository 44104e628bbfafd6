// Model 1 of Collins (2003, section 3.1): a phrase is generated from its head outwards.
//
//   P(H | P, t, w) · Π over each side, up to STOP, of
//     P1(M, t_M | P, H, t, w, side, distance, previous) · P2(w_M | M, t_M, P, H, t, w, side, distance)
//
// P the phrase, H its head child, (w, t) the head word and its tag, M a modifier with its own head word and tag. The
// distance says whether a verb lies between; `previous` is a class of the modifier before (none: the head is next
// to it), which takes the place of Collins' rules for coordination and base noun phrases. Each probability is
// smoothed by leaving out w, then t, then all but the side and P (his Table 1).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "constituency/bracketing.hpp"
#include "constituency/counts.hpp"

namespace headwise::constituency {

// What a modifier is generated from.
struct Surroundings {
  int side, phrase, head_child, verb_between, previous, head_word, head_tag;
};

struct ModifierEvent {
  Surroundings from;
  int label, tag, word;
};

inline constexpr int kStop = 0, kStart = 1;  // labels: the end of a side, and what stands above the root
inline constexpr int kLeft = 0, kRight = 1, kAbove = 2;

class Model1 {
 public:
  static constexpr int kModifierColumns = 10, kHeadColumns = 4;

  // Rows of modifier events (side, P, H, verb, previous, w, t, M, t_M, w_M) and of head events (P, H, w, t), each with
  // how often it was seen. Labels, tags included, are 0 … labels − 1; words 0 … words − 1.
  Model1(int labels, int words, std::span<const int> modifiers, std::span<const float> modifier_times,
         std::span<const int> heads, std::span<const float> head_times, double factor)
      : labels_(labels),
        words_(words),
        factor_(factor),
        counts_(5 * modifier_times.size()),
        parents_of_(at(labels)),
        licensed_(2 * at(labels) * at(labels), 0) {
    if (modifiers.size() != modifier_times.size() * kModifierColumns ||
        heads.size() != head_times.size() * kHeadColumns)
      throw std::invalid_argument("events: one number of times a row");
    for (std::size_t r = 0; r < modifier_times.size(); ++r)
      add_modifier(modifiers.subspan(r * kModifierColumns, kModifierColumns), modifier_times[r]);
    for (std::size_t r = 0; r < head_times.size(); ++r)
      add_head(heads.subspan(r * kHeadColumns, kHeadColumns), head_times[r]);
  }

  int labels() const { return labels_; }
  int words() const { return words_; }
  // The phrases that were seen with this head child.
  const std::vector<int>& parents_of(int head_child) const { return parents_of_[at(head_child)]; }
  bool is_licensed(int side, int phrase, int label) const { return licensed_[license(side, phrase, label)]; }

  double log_head(int phrase, int head_child, int word, int tag) const {
    const std::uint64_t c1 = key_of(20, phrase, word, tag), c2 = key_of(21, phrase, tag), c3 = key_of(22, phrase);
    const auto outcome = static_cast<std::uint64_t>(head_child);
    const auto about = counts_.context(c3);
    const double p3 = about.times > 0 ? counts_.times(c3, outcome) / about.times : 0.0;
    const double p2 = counts_.smooth(counts_.context(c2), c2, outcome, p3, factor_);
    return std::log(counts_.smooth(counts_.context(c1), c1, outcome, p2, factor_));
  }

  // P1 · P2, or P1 of STOP.
  double log_modifier(const ModifierEvent& event) const {
    return event.label == kStop ? log_label(event) : log_label(event) + log_word(event);
  }

  // P1, whatever the word.
  double log_label(const ModifierEvent& event) const {
    const Surroundings& from = event.from;
    const std::uint64_t outcome = label_outcome(event);
    const std::uint64_t c1 = key_of(1, from.side, from.phrase, from.head_child, from.verb_between, from.previous,
                                    from.head_word, from.head_tag);
    const std::uint64_t c2 =
        key_of(2, from.side, from.phrase, from.head_child, from.verb_between, from.previous, from.head_tag);
    const std::uint64_t c3 = key_of(3, from.side, from.phrase, from.head_child, from.verb_between, from.previous);
    const double p3 = counts_.smooth(counts_.context(c3), c3, outcome, unconditional(event), factor_);
    const double p2 = counts_.smooth(counts_.context(c2), c2, outcome, p3, factor_);
    return std::log(counts_.smooth(counts_.context(c1), c1, outcome, p2, factor_));
  }

  // P2, whatever the modifier before.
  double log_word(const ModifierEvent& event) const {
    const Surroundings& from = event.from;
    const std::uint64_t d1 = key_of(6, event.label, event.tag, from.side, from.phrase, from.head_child,
                                    from.verb_between, from.head_word, from.head_tag);
    const std::uint64_t d2 =
        key_of(7, event.label, event.tag, from.side, from.phrase, from.head_child, from.verb_between, from.head_tag);
    const auto word = static_cast<std::uint64_t>(event.word);
    const double q2 = counts_.smooth(counts_.context(d2), d2, word, word_given_tag(event.word, event.tag), factor_);
    return std::log(counts_.smooth(counts_.context(d1), d1, word, q2, factor_));
  }

  // P(word | tag), what words are smoothed towards. Never 0.
  double word_given_tag(int word, int tag) const {
    const std::uint64_t context = key_of(8, tag);
    return (counts_.times(context, static_cast<std::uint64_t>(word)) + kPrior) /
           (counts_.context(context).times + kPrior * words_);
  }

 private:
  static constexpr double kPrior = 0.01;

  std::size_t license(int side, int phrase, int label) const {
    return (at(side) * at(labels_) + at(phrase)) * at(labels_) + at(label);
  }
  std::uint64_t label_outcome(const ModifierEvent& event) const {
    return static_cast<std::uint64_t>(event.label) * static_cast<std::uint64_t>(labels_) +
           static_cast<std::uint64_t>(event.tag);
  }
  // P(M | side, P) · P(t_M | M): not 0 for any phrase seen on this side, with any tag.
  double unconditional(const ModifierEvent& event) const {
    const std::uint64_t c4 = key_of(4, event.from.side, event.from.phrase), c5 = key_of(5, event.label);
    const auto sides = counts_.context(c4), tags = counts_.context(c5);
    const double label =
        (counts_.times(c4, static_cast<std::uint64_t>(event.label)) + 1e-6) / (sides.times + 1e-6 * labels_);
    if (event.label == kStop) return label;
    return label * (counts_.times(c5, static_cast<std::uint64_t>(event.tag)) + 1e-4) / (tags.times + 1e-4 * labels_);
  }

  void check(int label, int word) const {
    if (label < 0 || label >= labels_) throw std::invalid_argument("events: unknown label");
    if (word < 0 || word >= words_) throw std::invalid_argument("events: unknown word");
  }

  void add_modifier(std::span<const int> row, float times) {
    const ModifierEvent event{{row[0], row[1], row[2], row[3], row[4], row[5], row[6]}, row[7], row[8], row[9]};
    const Surroundings& from = event.from;
    if (from.side < kLeft || from.side > kAbove) throw std::invalid_argument("events: unknown side");
    for (const int label : {from.phrase, from.head_child, from.head_tag, event.label, event.tag}) check(label, 0);
    check(0, from.head_word), check(0, event.word);
    const std::uint64_t outcome = label_outcome(event);
    counts_.add(key_of(1, from.side, from.phrase, from.head_child, from.verb_between, from.previous, from.head_word,
                       from.head_tag),
                outcome, times);
    counts_.add(key_of(2, from.side, from.phrase, from.head_child, from.verb_between, from.previous, from.head_tag),
                outcome, times);
    counts_.add(key_of(3, from.side, from.phrase, from.head_child, from.verb_between, from.previous), outcome, times);
    counts_.add(key_of(4, from.side, from.phrase), static_cast<std::uint64_t>(event.label), times);
    if (event.label == kStop) return;
    if (from.side != kAbove) licensed_[license(from.side, from.phrase, event.label)] = 1;
    counts_.add(key_of(5, event.label), static_cast<std::uint64_t>(event.tag), times);
    const auto word = static_cast<std::uint64_t>(event.word);
    counts_.add(key_of(6, event.label, event.tag, from.side, from.phrase, from.head_child, from.verb_between,
                       from.head_word, from.head_tag),
                word, times);
    counts_.add(
        key_of(7, event.label, event.tag, from.side, from.phrase, from.head_child, from.verb_between, from.head_tag),
        word, times);
    counts_.add(key_of(8, event.tag), word, times);
  }

  void add_head(std::span<const int> row, float times) {
    const int phrase = row[0], head_child = row[1], word = row[2], tag = row[3];
    check(phrase, word), check(head_child, 0), check(tag, 0);
    const auto outcome = static_cast<std::uint64_t>(head_child);
    counts_.add(key_of(20, phrase, word, tag), outcome, times);
    counts_.add(key_of(21, phrase, tag), outcome, times);
    counts_.add(key_of(22, phrase), outcome, times);
    auto& parents = parents_of_[at(head_child)];
    if (std::find(parents.begin(), parents.end(), phrase) == parents.end()) parents.push_back(phrase);
  }

  int labels_, words_;
  double factor_;
  EventCounts counts_;
  std::vector<std::vector<int>> parents_of_;
  std::vector<std::uint8_t> licensed_;
};

}  // namespace headwise::constituency
