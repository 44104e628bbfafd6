// How one example moves the weights.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <variant>

#include "learning/gradient_steps.hpp"

namespace headwise::learning {

// Two rules find the tree that violates the margin most and move by w += τ·(φ(gold) − φ(predicted)).

// Collins (2002): no margin, every mistake moves by one.
struct Perceptron {
  static constexpr bool adds_cost = false;
  static constexpr bool follows_gradient = false;
  double step(double /*violation*/, double /*squared_norm*/) const { return 1.0; }
};

// Crammer et al. (2006), PA-I on the most violated tree: the smallest step that repairs the margin, at most C.
struct Mira {
  static constexpr bool adds_cost = true;
  static constexpr bool follows_gradient = false;
  double aggressiveness;
  double step(double violation, double squared_norm) const {
    return squared_norm > 0 ? std::min(aggressiveness, std::max(0.0, violation) / squared_norm) : 0.0;
  }
};

// Two rules follow the gradient φ(gold) − E[φ] of an objective (Koo's thesis, 4.2).

// Conditional likelihood: the expectation is over all trees.
struct LogLinear {
  static constexpr bool follows_gradient = true;
  static constexpr bool sums = true;
  StepSizes sizes, label_sizes;
  double cost;        // of a wrong head, added to scores while learning: softmax-margin (Gimpel and Smith 2010)
  double negligible;  // parts whose probability is this close to the truth are not worth a step
};

// Structured hinge loss with the number of wrong heads as cost: the expectation is the most violated tree.
struct MaxMargin {
  static constexpr bool follows_gradient = true;
  static constexpr bool sums = false;
  StepSizes sizes, label_sizes;
};

using UpdateRule = std::variant<Perceptron, Mira, LogLinear, MaxMargin>;

inline bool follows_gradient(const UpdateRule& rule) {
  return std::visit([](const auto& r) { return r.follows_gradient; }, rule);
}

}  // namespace headwise::learning
