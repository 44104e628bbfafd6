// A sentence that is hard is harder than the probability of one head tells: where the other heads are uncertain,
// the head that was chosen is wrong more often than among sure ones. So the log-odds x of each chosen head are
// adjusted by the mean entropy u of the other heads of the sentence,
//
//   intercept + slope · x + (context + context_slope · x) · u,
//
// a logistic regression fitted on held-out sentences (Platt 1999, with one more variable). The other heads of
// the word share what is left as before.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/index.hpp"

namespace headwise::confidence {

// In nats, of the heads of word m; probabilities[h * (n + 1) + m].
inline double head_entropy(const std::vector<double>& probabilities, int n, int m) {
  double total = 0;
  for (int h = 0; h <= n; ++h)
    if (const double p = probabilities[at(h) * at(n + 1) +
                                       at(m)];
        p > 0.0)
      total -= p * std::log(p);
  return std::max(total, 0.0);
}

struct Adjustment {
  double intercept = 0.0, slope = 1.0, context = 0.0, context_slope = 0.0;

  // A more probable head must not become a less probable one, however hard the sentence is.
  static constexpr double least_slope = 0.1;

  bool is_none() const { return intercept == 0.0 && slope == 1.0 && context == 0.0 && context_slope == 0.0; }

  double operator()(double p, double others_entropy) const {
    const double log_odds = std::log(p) - std::log1p(-p);
    const double steepness = std::max(least_slope, slope + context_slope * others_entropy);
    return 1.0 / (1.0 + std::exp(-(intercept + steepness * log_odds + context * others_entropy)));
  }

  // `heads` are those chosen; `entropies` is scratch memory.
  void apply(std::span<const int> heads, std::vector<double>& probabilities, std::vector<double>& entropies) const {
    const std::size_t n = heads.size(), nodes = n + 1;
    if (is_none() || n < 2) return;
    entropies.resize(n);
    for (std::size_t m = 1; m < nodes; ++m)
      entropies[m - 1] = head_entropy(probabilities, static_cast<int>(n), static_cast<int>(m));
    const double total = std::accumulate(entropies.begin(), entropies.end(), 0.0);
    for (std::size_t m = 1; m < nodes; ++m) {
      const auto chosen = static_cast<std::size_t>(heads[m - 1]);
      const double p = probabilities[chosen * nodes + m];
      if (p <= 0.0 || p >= 1.0) continue;  // there is nothing to weigh
      const double adjusted = (*this)(p, (total - entropies[m - 1]) / static_cast<double>(n - 1));
      for (std::size_t h = 0; h < nodes; ++h) probabilities[h * nodes + m] *= (1.0 - adjusted) / (1.0 - p);
      probabilities[chosen * nodes + m] = adjusted;
    }
  }
};

}  // namespace headwise::confidence
