// A hidden Markov model of lines of words (Koo 2010, section 3.5.1).
//
// A line begins in a state, goes from state to state, and stops: start, transitions and stop make a distribution over
// all sequences of states, emissions one over the words of each.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/simd.hpp"
#include "clusters/word_lines.hpp"

namespace headwise::clusters {

using Floats = simd::AlignedVector<float>;

struct HiddenMarkovModel {
  std::size_t states = 0, words = 0;
  std::size_t width = 0;     // of a row: states, and zeros up to a whole number of vectors
  Floats start, stop;        // P(state | beginning), P(end | state)
  Floats transitions;        // P(to | from), a row for each state it comes from; as many rows as columns
  Floats emissions;          // P(word | state), a row for each word
  std::vector<double> mass;  // how often a state is expected in the text that the model was learned from

  static constexpr std::size_t vector_floats = 16;

  HiddenMarkovModel(std::size_t state_count, std::size_t word_count)
      : states(state_count),
        words(word_count),
        width((state_count + vector_floats - 1) / vector_floats * vector_floats),
        start(width),
        stop(width),
        transitions(width * width),
        emissions(word_count * width),
        mass(state_count) {
    if (!states || states > 1 << 14) throw std::invalid_argument("a model has between 1 and 16384 states");
    if (!words) throw std::invalid_argument("there are no words");
  }

  float* from(std::size_t state) { return transitions.data() + state * width; }
  const float* from(std::size_t state) const { return transitions.data() + state * width; }
  float* of_word(std::size_t word) { return emissions.data() + word * width; }
  const float* of_word(std::size_t word) const { return emissions.data() + word * width; }
};

// How often everything is expected, or was seen, in a text.
struct StateCounts {
  std::size_t states, words;
  std::vector<double> start, stop, transitions, emissions;  // rows as in the model, without zeros at their ends

  StateCounts(std::size_t state_count, std::size_t word_count)
      : states(state_count),
        words(word_count),
        start(states),
        stop(states),
        transitions(states * states),
        emissions(words * states) {}
};

// The model under which the counts are most probable. `smoothing` is added to the counts of transitions, so that every
// line of known words has a probability.
inline HiddenMarkovModel most_likely_model(const StateCounts& counts, double smoothing) {
  const std::size_t n = counts.states;
  HiddenMarkovModel model(n, counts.words);
  const auto share = [](double part, double whole) { return whole > 0 ? static_cast<float>(part / whole) : 0.0f; };
  double lines = 0;
  for (std::size_t s = 0; s < n; ++s) lines += counts.start[s] + smoothing;
  for (std::size_t s = 0; s < n; ++s) {
    model.start[s] = share(counts.start[s] + smoothing, lines);
    const double* row = counts.transitions.data() + s * n;
    double leaving = counts.stop[s] + smoothing;
    for (std::size_t x = 0; x < n; ++x) leaving += row[x] + smoothing;
    for (std::size_t x = 0; x < n; ++x) model.from(s)[x] = share(row[x] + smoothing, leaving);
    model.stop[s] = share(counts.stop[s] + smoothing, leaving);
  }
  for (std::size_t w = 0; w < counts.words; ++w)
    for (std::size_t s = 0; s < n; ++s) model.mass[s] += counts.emissions[w * n + s];
  for (std::size_t w = 0; w < counts.words; ++w)
    for (std::size_t s = 0; s < n; ++s) model.of_word(w)[s] = share(counts.emissions[w * n + s], model.mass[s]);
  return model;
}

// As if every word were in the state of its group, but for a share that is spread evenly: else it could never leave.
// A word without a group (−1) is evenly in all.
inline HiddenMarkovModel model_of_groups(const WordLines& text, std::span<const std::int32_t> group, std::size_t groups,
                                         double spread, double smoothing) {
  if (group.size() != text.kinds()) throw std::invalid_argument("every word needs a group, and so does the unknown word");
  for (const std::int32_t g : group)
    if (g >= static_cast<std::int32_t>(groups)) throw std::invalid_argument("a word has a group that is not there");
  const std::size_t kinds = groups + 1;  // of words: one for each group, and those without
  const auto kind = [&](std::uint32_t word) { return group[word] < 0 ? groups : static_cast<std::size_t>(group[word]); };
  const auto in_state = [&](std::size_t of_kind, std::size_t state) {
    const double even = 1.0 / static_cast<double>(groups);
    return of_kind == groups ? even : spread * even + (of_kind == state ? 1.0 - spread : 0.0);
  };
  std::vector<double> pairs(kinds * kinds), first(kinds), last(kinds);
  for (std::size_t i = 0; i < text.lines(); ++i) {
    const auto line = text.line(i);
    ++first[kind(line.front())];
    ++last[kind(line.back())];
    for (std::size_t t = 1; t < line.size(); ++t) ++pairs[kind(line[t - 1]) * kinds + kind(line[t])];
  }
  StateCounts counts(groups, text.kinds());
  for (std::size_t a = 0; a < kinds; ++a)
    for (std::size_t s = 0; s < groups; ++s) {
      counts.start[s] += first[a] * in_state(a, s);
      counts.stop[s] += last[a] * in_state(a, s);
      for (std::size_t b = 0; b < kinds; ++b)
        for (std::size_t x = 0; x < groups; ++x)
          counts.transitions[s * groups + x] += pairs[a * kinds + b] * in_state(a, s) * in_state(b, x);
    }
  for (std::uint32_t w = 0; w < text.kinds(); ++w)
    for (std::size_t s = 0; s < groups; ++s)
      counts.emissions[w * groups + s] = static_cast<double>(text.counts[w]) * in_state(kind(w), s);
  return most_likely_model(counts, smoothing);
}

}  // namespace headwise::clusters
