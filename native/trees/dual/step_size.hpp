// How far to move the multipliers along a subgradient.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headwise::trees::dual {

enum class StepRule : std::uint8_t { decreasing, polyak, halving };

// What is known after an iteration.
struct Progress {
  int iteration;       // from 1
  double bound;        // L(λ) of this iteration
  double best_bound;   // the least so far, this one included
  double best_score;   // of the best solution known, −inf where there is none
  double disagreement; // squared length of the subgradient
};

class StepSize {
 public:
  explicit StepSize(StepRule rule) : rule_(rule) {}

  double next(const Progress& now) {
    const double step = rule_ == StepRule::decreasing ? decreasing(now)
                        : rule_ == StepRule::halving  ? halving(now)
                                                      : polyak(now);
    previous_bound_ = now.bound;
    return step;
  }

 private:
  // Koo et al. (2010), A.1: δ / (1 + η), δ the first gap and η how often the bound has risen.
  double decreasing(const Progress& now) {
    if (now.iteration == 1) first_gap_ = std::max(gap(now), tiny);
    else if (now.bound > previous_bound_) ++rises_;
    return first_gap_ / (1 + rises_);
  }

  // Rush et al. (2010), appendix B: ½, halved whenever the bound has risen.
  double halving(const Progress& now) {
    if (now.iteration > 1 && now.bound > previous_bound_) ++rises_;
    return first_half * std::pow(0.5, rises_);
  }

  // Polyak (1969): the gap over the squared length. With the optimum as the target the distance to the best
  // multipliers falls at every step; the best solution known nearly always is the optimum. Where no multipliers
  // reach it the steps are too long: they shrink while the bound does not fall.
  double polyak(const Progress& now) {
    if (now.best_bound < best_bound_) {
      best_bound_ = now.best_bound;
      waited_ = 0;
    } else if (++waited_ >= patience) {
      damping_ *= shrink;
      waited_ = 0;
    }
    return damping_ * std::max(gap(now), tiny) / now.disagreement;
  }

  // Without any solution the scale of the problem is unknown; one unit a step is as good as any.
  static double gap(const Progress& now) {
    return now.best_score > -1e300 ? now.bound - now.best_score : now.disagreement;
  }

  static constexpr double tiny = 1e-12, shrink = 0.7, first_half = 1.0;  // half of it for each of two copies
  static constexpr int patience = 10;
  StepRule rule_;
  int rises_ = 0, waited_ = 0;
  double first_gap_ = 0, previous_bound_ = 0, damping_ = 1, best_bound_ = 1e300;
};

}  // namespace headwise::trees::dual
