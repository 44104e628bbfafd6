// What a learner is given, and what it reports.
#pragma once
#include <cstdint>
#include <vector>

#include "features/atoms.hpp"

namespace headwise {

struct TrainingExample {
  Atoms atoms;
  std::vector<int> heads, labels;
};

struct TrainingCounts {
  std::uint64_t words = 0, wrong_heads = 0, wrong_labels = 0;
  double loss = 0;  // structured hinge for MIRA, score difference for the perceptron
  TrainingCounts& operator+=(const TrainingCounts& other) {
    words += other.words;
    wrong_heads += other.wrong_heads;
    wrong_labels += other.wrong_labels;
    loss += other.loss;
    return *this;
  }
};

}  // namespace headwise
