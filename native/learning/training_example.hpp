// What a learner is given, and what it reports.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "scoring/features/atoms.hpp"

namespace headwise::learning {

// −1 stands for a head or label that is not known.
struct TrainingExample {
  Atoms atoms;
  std::vector<int> heads, labels;

  bool is_partial() const { return std::find(heads.begin(), heads.end(), -1) != heads.end(); }
};

struct TrainingCounts {
  std::uint64_t words = 0, wrong_heads = 0, wrong_labels = 0;
  // Structured hinge for margins, score difference for the perceptron, −log p(gold) for log-linear models.
  double loss = 0;
  double guessing = 0;  // at most the loss of choosing a tree blindly, where losses are log-probabilities
  TrainingCounts& operator+=(const TrainingCounts& other) {
    words += other.words;
    wrong_heads += other.wrong_heads;
    wrong_labels += other.wrong_labels;
    loss += other.loss;
    guessing += other.guessing;
    return *this;
  }
};

}  // namespace headwise::learning
