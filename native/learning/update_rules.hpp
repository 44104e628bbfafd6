// How one example moves the weights.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <variant>

#include "learning/gradient_steps.hpp"

namespace headwise::learning {

// Finds the tree that violates the margin most and moves by w += τ·(φ(gold) − φ(predicted)): the averaged perceptron
// (Collins 2002), where there is no margin and every mistake moves by one; or MIRA (Crammer et al. 2006, PA-I on the
// most violated tree), by the smallest step that repairs the margin, at most C.
struct Margins {
  static constexpr bool follows_gradient = false;
  bool adds_cost;
  double aggressiveness;  // C
  double share = 1.0;     // of features beside a tensor: γ (part_difference.hpp)

  static Margins perceptron(double share = 1.0) { return {false, 0.0, share}; }
  static Margins mira(double aggressiveness, double share = 1.0) { return {true, aggressiveness, share}; }

  double step(double violation, double squared_norm) const {
    if (!adds_cost) return 1.0;
    return squared_norm > 0 ? std::min(aggressiveness, std::max(0.0, violation) / squared_norm) : 0.0;
  }
};

// Two rules follow the gradient φ(gold) − E[φ] of an objective (Koo's thesis, 4.2).

// Conditional likelihood: the expectation is over all trees.
struct LogLinear {
  static constexpr bool follows_gradient = true;
  StepSizes sizes, label_sizes;
  double cost;        // of a wrong head, added to scores while learning: softmax-margin (Gimpel and Smith 2010)
  double negligible;  // parts whose probability is this close to the truth are not worth a step
  bool at_once = false;  // take ImmediateSteps
  StepSizes row_sizes{};  // of what is no feature
};

// Structured hinge loss with the number of wrong heads as cost: the expectation is the most violated tree.
struct MaxMargin {
  static constexpr bool follows_gradient = true;
  StepSizes sizes, label_sizes, row_sizes{};
};

using UpdateRule = std::variant<Margins, LogLinear, MaxMargin>;

inline bool follows_gradient(const UpdateRule& rule) {
  return std::visit([](const auto& r) { return r.follows_gradient; }, rule);
}

}  // namespace headwise::learning
