// The states of a hidden Markov model split in two, and merged again (Koo 2010, section 3.5.1, after Petrov et al. 2006).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "clusters/hmm.hpp"

namespace headwise::clusters {

// State s becomes 2 s and 2 s + 1, which differ by noise: one has a probability more where the other has it less.
inline HiddenMarkovModel split_states(const HiddenMarkovModel& model, double noise, std::uint64_t seed) {
  if (!(noise >= 0 && noise < 1)) throw std::invalid_argument("noise is at least 0 and less than 1");
  const std::size_t n = model.states;
  HiddenMarkovModel result(2 * n, model.words);
  const auto tilt = [noise](base::Random& random) { return noise * (2.0 * random.uniform() - 1.0); };
  std::vector<double> sums(2 * n);
  for (std::size_t w = 0; w < model.words; ++w) {
    base::Random random(seed, w);
    for (std::size_t s = 0; s < n; ++s) {
      const double whole = model.of_word(w)[s], by = whole * tilt(random);
      sums[2 * s] += result.of_word(w)[2 * s] = static_cast<float>(whole + by);
      sums[2 * s + 1] += result.of_word(w)[2 * s + 1] = static_cast<float>(whole - by);
    }
  }
  for (std::size_t w = 0; w < model.words; ++w)
    for (std::size_t s = 0; s < 2 * n; ++s)
      if (sums[s] > 0) result.of_word(w)[s] = static_cast<float>(result.of_word(w)[s] / sums[s]);
  for (std::size_t s = 0; s < n; ++s) {
    result.start[2 * s] = result.start[2 * s + 1] = model.start[s] / 2;
    result.mass[2 * s] = result.mass[2 * s + 1] = model.mass[s] / 2;
  }
  for (std::size_t s = 0; s < 2 * n; ++s) {
    base::Random random(seed, model.words + s);
    result.stop[s] = model.stop[s / 2];
    for (std::size_t x = 0; x < n; ++x) {
      const double half = model.from(s / 2)[x] / 2.0, by = half * tilt(random);
      result.from(s)[2 * x] = static_cast<float>(half + by);
      result.from(s)[2 * x + 1] = static_cast<float>(half - by);
    }
  }
  return result;
}

// Some states become one: target[s] is the number of the new state. What goes to them is added; what comes from them is
// averaged, each by how often it is expected.
inline HiddenMarkovModel merge_states(const HiddenMarkovModel& model, std::span<const std::int32_t> target, std::size_t states) {
  if (target.size() != model.states) throw std::invalid_argument("every state needs a new one");
  std::vector<double> mass(states), weight(model.states);
  std::vector<std::size_t> to(model.states), members(states);
  for (std::size_t s = 0; s < model.states; ++s) {
    if (target[s] < 0 || static_cast<std::size_t>(target[s]) >= states) throw std::invalid_argument("there is no such new state");
    to[s] = static_cast<std::size_t>(target[s]);
    mass[to[s]] += model.mass[s];
    ++members[to[s]];
  }
  for (std::size_t s = 0; s < model.states; ++s)
    weight[s] = mass[to[s]] > 0 ? model.mass[s] / mass[to[s]] : 1.0 / static_cast<double>(members[to[s]]);
  StateCounts sums(states, model.words);  // probabilities here
  HiddenMarkovModel result(states, model.words);
  for (std::size_t s = 0; s < model.states; ++s) {
    sums.start[to[s]] += model.start[s];
    sums.stop[to[s]] += weight[s] * model.stop[s];
    for (std::size_t x = 0; x < model.states; ++x) sums.transitions[to[s] * states + to[x]] += weight[s] * model.from(s)[x];
  }
  for (std::size_t w = 0; w < model.words; ++w)
    for (std::size_t s = 0; s < model.states; ++s) sums.emissions[w * states + to[s]] += weight[s] * model.of_word(w)[s];
  const auto copy = [&](const double* from, float* row) {
    for (std::size_t s = 0; s < states; ++s) row[s] = static_cast<float>(from[s]);
  };
  copy(sums.start.data(), result.start.data());
  copy(sums.stop.data(), result.stop.data());
  for (std::size_t s = 0; s < states; ++s) copy(sums.transitions.data() + s * states, result.from(s));
  for (std::size_t w = 0; w < model.words; ++w) copy(sums.emissions.data() + w * states, result.of_word(w));
  result.mass = std::move(mass);
  return result;
}

}  // namespace headwise::clusters
