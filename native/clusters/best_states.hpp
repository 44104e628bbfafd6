// The most probable sequence of states of a line (Viterbi 1967). O(n · S²) time.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "clusters/hmm.hpp"

namespace headwise::clusters {

// Of sequences that are equally probable, the one with the lowest numbers from the end on.
inline std::vector<std::int32_t> best_states(const HiddenMarkovModel& model, std::span<const std::uint32_t> line) {
  if (line.empty()) return {};
  const std::size_t n = model.states;
  std::vector<double> best(model.start.begin(), model.start.begin() + static_cast<std::ptrdiff_t>(n)), next(n);
  std::vector<std::int32_t> from(line.size() * n);
  const auto emit = [&](std::uint32_t word) {  // and scale
    double most = 0;
    for (std::size_t s = 0; s < n; ++s) most = std::max(most, best[s] *= model.of_word(word)[s]);
    if (!(most > 0)) throw std::domain_error("a line has no probability under the model");
    for (double& probability : best) probability /= most;
  };
  emit(line[0]);
  for (std::size_t t = 1; t < line.size(); ++t) {
    std::int32_t* back = from.data() + t * n;
    std::fill(next.begin(), next.end(), -1.0);
    for (std::size_t s = 0; s < n; ++s) {
      const float* row = model.from(s);
      for (std::size_t x = 0; x < n; ++x)
        if (const double probability = best[s] * row[x]; probability > next[x]) {
          next[x] = probability;
          back[x] = static_cast<std::int32_t>(s);
        }
    }
    best.swap(next);
    emit(line[t]);
  }
  for (std::size_t s = 0; s < n; ++s) best[s] *= model.stop[s];
  std::vector<std::int32_t> states(line.size());
  states.back() = static_cast<std::int32_t>(std::max_element(best.begin(), best.end()) - best.begin());
  for (std::size_t t = line.size(); --t > 0;) states[t - 1] = from[t * n + static_cast<std::size_t>(states[t])];
  return states;
}

}  // namespace headwise::clusters
