// How far one example moves the weights: the step size τ of w += τ·(φ(gold) − φ(predicted)).
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headwise {

// Collins (2002): no margin, every mistake moves by one.
struct Perceptron {
  static constexpr bool adds_cost = false;
  double step(double /*violation*/, double /*squared_norm*/) const { return 1.0; }
};

// Crammer et al. (2006), PA-I on the most violated tree: the smallest step that repairs the margin, at most C.
struct Mira {
  static constexpr bool adds_cost = true;
  double aggressiveness;
  double step(double violation, double squared_norm) const {
    return squared_norm > 0 ? std::min(aggressiveness, std::max(0.0, violation) / squared_norm) : 0.0;
  }
};

}  // namespace headwise
