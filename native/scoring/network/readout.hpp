// From what a network makes of words to what it says of their arcs and labels.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/index.hpp"
#include "scoring/network/matrix.hpp"
#include "scoring/network/packed_sentences.hpp"

namespace headwise::scoring {

inline constexpr float leak = 0.1f;  // max(x, leak·x) follows the first layers after the LSTMs

// Scores to log-probabilities.
inline void normalize(float* row, int count) {
  const float best = *std::max_element(row, row + count);
  double total = 0;
  for (int c = 0; c < count; ++c) total += std::exp(static_cast<double>(row[c] - best));
  const auto shift = static_cast<float>(best + std::log(total));
  for (int c = 0; c < count; ++c) row[c] -= shift;
}

// scores(m, h): of all words and heads, by `normalize(row, count)`. Row 0 and the diagonal are of no use.
template <class Normalize>
void normalize_heads(MatrixOut scores, int length, Normalize normalize) {
  for (int m = 1; m < length; ++m) {
    scores.row(m)[m] = -std::numeric_limits<float>::infinity();
    normalize(scores.row(m), length);
  }
}

// The rows of one sentence.
inline void gather(const PackedSentences& sentences, int sentence, const Matrix& all, Matrix& own) {
  own.reset(sentences.length(sentence), all.columns());
  for (int t = 0; t < own.rows(); ++t) {
    const float* row = all.row(sentences.row(sentence, t));
    std::copy(row, row + all.columns(), own.row(t));
  }
}

// both(m - 1): what labels are chosen by, given a head for every word; a word without one (-1) hangs from the root.
inline void join_labels(const PackedSentences& sentences, int sentence, std::span<const int> heads,
                        const Matrix& as_head, const Matrix& as_modifier, Matrix& both) {
  both.reset(static_cast<int>(heads.size()), as_head.columns());
  for (int m = 1; m <= both.rows(); ++m) {
    const float* head = as_head.row(sentences.row_of(sentence, std::max(0, heads[at(m - 1)])));
    const float* modifier = as_modifier.row(sentences.row_of(sentence, m));
    float* to = both.row(m - 1);
    for (int c = 0; c < both.columns(); ++c) {
      const float sum = head[c] + modifier[c];
      to[c] = std::max(sum, leak * sum);
    }
  }
}

}  // namespace headwise::scoring
