// What a learner is given, and what it reports.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "parsing/pruner.hpp"
#include "scoring/features/atoms.hpp"

namespace headwise::learning {

// −1 stands for a head or label that is not known.
struct TrainingExample {
  Atoms atoms;
  std::vector<int> heads, labels;

  bool is_partial() const { return std::find(heads.begin(), heads.end(), -1) != heads.end(); }
};

// An example and, for models of larger parts, the arcs that these are made of. Examples are shared between trainers.
struct Lesson {
  std::shared_ptr<const TrainingExample> example;
  ArcFlags arcs{};

  const TrainingExample* operator->() const { return example.get(); }
};

// Flags of surviving arcs with the gold arcs, which are kept whatever the pruner said, or the gold tree could not be
// learned; and how many arcs survived, and how many gold ones among them.
struct GoldFlags {
  ArcFlags flags;
  int survived, gold;
};

inline GoldFlags with_gold(const TrainingExample& example, ArcFlags flags) {
  const std::size_t nodes = example.heads.size() + 1;
  const auto survived = static_cast<int>(std::count(flags.begin(), flags.end(), 1));
  int gold = 0;
  for (std::size_t m = 1; m < nodes; ++m) {
    if (example.heads[m - 1] < 0) continue;
    auto& flag = flags[at(example.heads[m - 1]) * nodes + m];
    gold += flag;
    flag = 1;
  }
  return {std::move(flags), survived, gold};
}

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
