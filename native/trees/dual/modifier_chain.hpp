// The modifiers of a head on one side as a chain, nearest first: the states of a head automaton.
//
// Modifiers are counted 1 … count outwards. A chain knows its scores, row by row: what a modifier adds given
// the one or two before it. forward() gives the best chain up to each state, with the multipliers of its
// modifiers; backward() the best continuation after it.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>

#include "trees/semiring.hpp"

namespace headwise::trees {

inline std::size_t triangle(int j) { return static_cast<std::size_t>(j) * static_cast<std::size_t>(j - 1) / 2; }

// States: the last modifier j, at place j − 1. scores[triangle(j) + i] for j after i, 0 for none. O(k²).
struct SiblingChain {
  static std::size_t states(int count) { return static_cast<std::size_t>(count); }
  static std::size_t score_count(int count) { return triangle(count + 1); }
  static int modifier(std::size_t state) { return static_cast<int>(state) + 1; }
  // visit(state) for the states that end in modifier j.
  template <class Visit>
  static void states_of(int j, Visit visit) {
    visit(static_cast<std::size_t>(j - 1));
  }

  static void forward(const double* scores, int count, const double* multipliers, double* best) {
    for (int j = 1; j <= count; ++j) {
      const double* row = scores + triangle(j);
      double value = row[0];
      for (int i = 1; i < j; ++i) value = std::max(value, best[i - 1] + row[i]);
      best[j - 1] = value + multipliers[j - 1];
    }
  }

  // after[state] holds the score of ending in the state and is raised to the best continuation.
  static void backward(const double* scores, int count, const double* multipliers, double* after) {
    for (int j = count; j >= 2; --j) {
      const double* row = scores + triangle(j);
      const double from_here = after[j - 1] + multipliers[j - 1];
      for (int i = 1; i < j; ++i) after[i - 1] = std::max(after[i - 1], from_here + row[i]);
    }
  }

  // The state before, or −1 at the start of the chain.
  static int before(const double* scores, int /*count*/, const double* best, int state) {
    const int j = state + 1;
    const double* row = scores + triangle(j);
    int previous = -1;
    double value = row[0];
    for (int i = 1; i < j; ++i)
      if (best[i - 1] + row[i] > value) {
        value = best[i - 1] + row[i];
        previous = i - 1;
      }
    return previous;
  }
};

// States: the last two modifiers (j, i), i = 0 for none, at place triangle(j) + i. The scores of pairs come
// first, at the places of their states; then those of (j, i, t), t before i, 0 for none. O(k³).
struct TriSiblingChain {
  static std::size_t states(int count) { return triangle(count + 1); }
  static std::size_t triples(int j) { return triangle(j) * static_cast<std::size_t>(j - 2) / 3; }
  static std::size_t score_count(int count) { return states(count) + triples(count + 1); }
  // Where the scores of (j, i, 0 … i − 1) begin, i ≥ 1.
  static std::size_t row(int count, int j, int i) { return states(count) + (j < 2 ? 0 : triples(j)) + triangle(i); }
  static int modifier(std::size_t state) {
    int j = 1;
    while (triangle(j + 1) <= state) ++j;
    return j;
  }
  template <class Visit>
  static void states_of(int j, Visit visit) {
    for (std::size_t state = triangle(j); state < triangle(j + 1); ++state) visit(state);
  }

  static void forward(const double* scores, int count, const double* multipliers, double* best) {
    for (int j = 1; j <= count; ++j)
      for (int i = 0; i < j; ++i) {
        const std::size_t state = triangle(j) + static_cast<std::size_t>(i);
        double value = i == 0 ? 0.0 : kImpossible;
        if (i > 0) {
          const double* inner = best + triangle(i);
          const double* triple = scores + row(count, j, i);
          for (int t = 0; t < i; ++t) value = std::max(value, inner[t] + triple[t]);
        }
        best[state] = value + scores[state] + multipliers[j - 1];
      }
  }

  static void backward(const double* scores, int count, const double* multipliers, double* after) {
    for (int j = count; j >= 2; --j)
      for (int i = 1; i < j; ++i) {
        const std::size_t state = triangle(j) + static_cast<std::size_t>(i);
        const double from_here = after[state] + scores[state] + multipliers[j - 1];
        const double* triple = scores + row(count, j, i);
        double* inner = after + triangle(i);
        for (int t = 0; t < i; ++t) inner[t] = std::max(inner[t], from_here + triple[t]);
      }
  }

  static int before(const double* scores, int count, const double* best, int state) {
    const int j = modifier(static_cast<std::size_t>(state));
    const int i = state - static_cast<int>(triangle(j));
    if (i == 0) return -1;
    const double* triple = scores + row(count, j, i);
    const double* inner = best + triangle(i);
    int previous = 0;
    for (int t = 1; t < i; ++t)
      if (inner[t] + triple[t] > inner[previous] + triple[previous]) previous = t;
    return static_cast<int>(triangle(i)) + previous;
  }
};

}  // namespace headwise::trees
