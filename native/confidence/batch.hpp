// Probabilities for batches of sentences: flat arrays in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "confidence/judge.hpp"
#include "parsing/batch.hpp"
#include "parsing/stretches.hpp"

namespace headwise::confidence {

// Probabilities are sums over all trees of the whole sentence, in tables of n² numbers.
inline constexpr int longest_judged = 2 * longest_whole;

// Trees of a batch laid end to end; labels may be left out. Words whose label the parser does not know have −1.
struct GivenTrees {
  std::span<const int> heads{}, labels{};
};

struct Judgements {
  // Heads and labels of the trees; the probability of each arc, of each label; the entropy of each head.
  std::vector<int> heads, labels;
  std::vector<double> arcs, label_probabilities, entropies;
  // Of each tree its score and its log-probability, and whether a limit decided.
  std::vector<double> scores, log_probabilities;
  std::vector<std::uint8_t> limited;
};

// The parses of the sentences, or the trees given (with labels given, or found for these trees), judged.
Judgements judge_batch(const ParserModel& model, Batch sentences, const GivenTrees& given, const ConfidenceScale& scale,
                       int threads, std::span<const Conditions> conditions = {});

// The probabilities of all arcs, [h * (n + 1) + m] for one sentence after the other.
std::vector<double> arc_probabilities_batch(const ParserModel& model, Batch sentences, const ConfidenceScale& scale,
                                            int threads, std::span<const Conditions> conditions = {});

// For fitting a scale: probabilities of the arcs and labels of given trees at several temperatures, one row a temperature,
// and the background's probabilities of these arcs. Arcs are those of the scores alone.
struct FittingTable {
  std::vector<double> arcs, labels, background;
};
FittingTable probabilities_at(const ParserModel& model, Batch sentences, const GivenTrees& given,
                              std::span<const double> temperatures, std::span<const double> label_temperatures,
                              int threads);

}  // namespace headwise::confidence
