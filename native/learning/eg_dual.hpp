// What exponentiated gradient keeps of a sentence: a distribution α over its trees.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <span>
#include <vector>

#include "parsing/sentence_trees.hpp"

namespace headwise::learning {

struct WeighedTree {
  std::vector<int> heads;
  double weight;
};

struct EgDual {
  using Table = CandidateTables;

  Table theta;
  Table settled;  // the probabilities that w(α) was computed from: those of θ, but for what was negligible
  double value = 0;  // this sentence's term of Q
  double rate = 0;
  // Of max-margin: how much of α is the product of θ, and the trees that have the rest.
  double rest = 1;
  std::vector<WeighedTree> trees{};

  // All of it as numbers, for a run that is interrupted and goes on later.
  void append_to(std::vector<double>& state) const {
    for (const Table* table : {&theta, &settled})
      for (const auto kind : Table::kinds()) state.insert(state.end(), (table->*kind).begin(), (table->*kind).end());
    state.insert(state.end(), {value, rate, rest, static_cast<double>(trees.size())});
    for (const WeighedTree& tree : trees) {
      state.push_back(tree.weight);
      state.insert(state.end(), tree.heads.begin(), tree.heads.end());
    }
  }
  // Takes them from the beginning of a state; false where that is of another sentence.
  bool take_from(std::span<const double>& state, std::size_t words) {
    std::size_t expected = 4;
    for (const auto kind : Table::kinds()) expected += 2 * (theta.*kind).size();
    if (state.size() < expected) return false;
    const auto next = [&state] {
      const double first = state.front();
      state = state.subspan(1);
      return first;
    };
    for (Table* table : {&theta, &settled})
      for (const auto kind : Table::kinds())
        for (double& x : table->*kind) x = next();
    value = next();
    rate = next();
    rest = next();
    const double count = next();
    if (!(count >= 0 && count <= static_cast<double>(state.size() / (words + 1)))) return false;
    trees.resize(static_cast<std::size_t>(count));
    for (WeighedTree& tree : trees) {
      tree.weight = next();
      tree.heads.clear();
      for (std::size_t m = 0; m < words; ++m) {
        const double head = next();
        if (!(head >= 0 && head <= static_cast<double>(words))) return false;
        tree.heads.push_back(static_cast<int>(head));
      }
    }
    return true;
  }
};

}  // namespace headwise::learning
