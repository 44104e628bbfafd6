// How one example moves the weights.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>

#include "base/fields.hpp"
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

// What somebody chooses about a learner.
struct LearnerSettings {
  double aggressiveness = 0;                    // of MIRA
  double step = 0, damping = 0;                 // of parts; see StepSizes
  double label_step = 0, label_damping = 0;
  double row_step = 0, row_damping = 0;         // of what is no feature
  double l2 = 0;
  double cost = 0, negligible = 0;              // of log-linear models
  double share = 1;                             // of features beside a tensor
  bool at_once = false;

  static constexpr auto fields() {
    using S = LearnerSettings;
    return std::tuple(field("aggressiveness", &S::aggressiveness), field("step", &S::step),
                      field("damping", &S::damping), field("label_step", &S::label_step),
                      field("label_damping", &S::label_damping), field("row_step", &S::row_step),
                      field("row_damping", &S::row_damping), field("l2", &S::l2), field("cost", &S::cost),
                      field("negligible", &S::negligible), field("share", &S::share), field("at_once", &S::at_once));
  }

  StepSizes sizes() const { return {step, damping, l2}; }
  StepSizes label_sizes() const { return {label_step, label_damping, l2}; }
  StepSizes row_sizes() const { return {row_step, row_damping, l2}; }
};

inline UpdateRule update_rule(const std::string& learner, const LearnerSettings& s) {
  if (learner == "perceptron") return Margins::perceptron(s.share);
  if (learner == "mira") return Margins::mira(s.aggressiveness, s.share);
  if (learner == "log-linear")
    return LogLinear{s.sizes(), s.label_sizes(), s.cost, s.negligible, s.at_once, s.row_sizes()};
  if (learner == "max-margin") return MaxMargin{s.sizes(), s.label_sizes(), s.row_sizes()};
  throw std::invalid_argument("no learner is called '" + learner + "' (use perceptron, mira, log-linear or max-margin)");
}

inline bool follows_gradient(const UpdateRule& rule) {
  return std::visit([](const auto& r) { return r.follows_gradient; }, rule);
}

}  // namespace headwise::learning
