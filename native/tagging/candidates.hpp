// The labels that each word of a sentence may have.
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "base/index.hpp"

namespace headwise::tagging {

// One list after the other.
struct Candidates {
  std::vector<int> begins{0}, labels;
  std::vector<double> opinions;  // of others than the features: a number for each label, or none

  void clear() {
    begins.assign(1, 0);
    labels.clear();
    opinions.clear();
  }
  void add(std::span<const int> word) {
    labels.insert(labels.end(), word.begin(), word.end());
    begins.push_back(static_cast<int>(labels.size()));
  }
  int words() const { return static_cast<int>(begins.size()) - 1; }
  std::span<const int> of(int word) const {
    const auto i = static_cast<std::size_t>(word);
    return {labels.data() + begins[i], static_cast<std::size_t>(begins[i + 1] - begins[i])};
  }
  double opinion(int word, int candidate) const {
    return opinions.empty() ? 0.0 : opinions[at(begins[at(word)] + candidate)];
  }
};

}  // namespace headwise::tagging
