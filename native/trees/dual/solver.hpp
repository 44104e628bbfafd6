// The subgradient method on the multipliers of a dual decomposition (Koo et al. 2010, Figures 1 and 2), with
// lazy re-solving (section 7.4), early stopping (7.5), the best solution kept, and variables ruled out on the
// way (elimination.hpp).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/elimination.hpp"
#include "trees/dual/problem.hpp"
#include "trees/dual/step_size.hpp"

namespace headwise::trees::dual {

inline constexpr double nothing_known = -std::numeric_limits<double>::infinity();

struct Limits {
  int iterations = 5000;
  StepRule step = StepRule::polyak;
  // Scores that differ by less than this share of the bound count as equal: sums of doubles are not exact.
  double tolerance = 1e-10;
  bool eliminate = true;
  // How copies that differ are moved: each by how much it differs from their mean, or each against the first one, which
  // takes what the others give (Koo et al. 2010, Figures 1 and 2, where the first is the tree's).
  bool centred = true;
  // Give up when the bound has come down by less than a hundredth of the gap in so many iterations; 0: never, nor
  // where the problem has no choices to split.
  int patience = 0;

  double slack(double bound) const { return tolerance * std::max(1.0, std::abs(bound)); }
};

// Why the solver stopped. The first four prove that the best solution known is the best there is.
enum class Stop : std::uint8_t { agreement, closed_gap, nothing_better, no_solution, iteration_limit, no_progress };

struct Outcome {
  double score = nothing_known;  // of the best solution known
  double bound = 0;              // no solution scores higher
  Stop stop = Stop::iteration_limit;
  int iterations = 0;
  bool exact() const { return stop <= Stop::no_solution; }
};

// One iteration, for curves.
struct TracePoint {
  double bound, best_score;
  int solved;  // subproblems whose multipliers had changed
};

class Solver {
 public:
  Solver(const Problem& problem, const Limits& limits)
      : problem_(problem),
        limits_(limits),
        elimination_(problem),
        multipliers_(at(problem.copies()), 0.0),
        maxima_(at(problem.subproblems()), 0.0),
        chosen_(at(problem.copies()), 0),
        changed_(at(problem.subproblems()), 1),
        averaged_(at(problem.variables()), 0.0) {}

  // What a heuristic for solutions may look at.
  ConstFlags chosen(int s) const { return ConstFlags(chosen_).subspan(at(problem_.begin(s)), at(problem_.size(s))); }
  const Problem& problem() const { return problem_; }
  // L(λ) of the present multipliers.
  double bound() const { return std::accumulate(maxima_.begin(), maxima_.end(), 0.0); }

  // Multipliers of all copies, for a start near the best ones; −inf rules a variable out. Those of a variable
  // have to sum to zero.
  std::vector<double>& multipliers() { return multipliers_; }
  void forbid(int variable) {
    for (const int copy : problem_.copies_of(variable)) multipliers_[at(copy)] = nothing_known;
  }
  bool is_forbidden(int variable) const {
    const auto& copies = problem_.copies_of(variable);
    return !copies.empty() && multipliers_[at(copies[0])] == nothing_known;
  }

  // How often each variable was on, weighted by step size: tends to a solution of the relaxation, fractional
  // where that is not tight (Nedić and Ozdaglar 2009).
  std::vector<double> averaged() const {
    std::vector<double> result(averaged_);
    for (double& share : result) share /= std::max(total_step_, 1e-300);
    return result;
  }

  void keep_trace(std::vector<TracePoint>& trace) { trace_ = &trace; }

  // propose(solver) is called after every iteration; it may make solutions of what the subproblems chose and
  // returns the score of the best it knows, or −inf. `known` is the score of a solution known beforehand.
  template <class Propose>
  Outcome run(double known, Propose propose) {
    Outcome outcome;
    outcome.score = known;
    outcome.bound = std::numeric_limits<double>::infinity();
    StepSize step(limits_.step);
    double bound_then = outcome.bound;
    int then = 0;
    while (outcome.iterations < limits_.iterations) {
      ++outcome.iterations;
      const int solved = solve_changed();
      if (solved < 0) return finish(outcome, Stop::no_solution);
      const double bound = this->bound();
      outcome.bound = std::min(outcome.bound, bound);
      outcome.score = std::max(outcome.score, propose(*this));
      if (trace_) trace_->push_back({outcome.bound, outcome.score, solved});
      const double disagreement = compare_copies();
      if (disagreement == 0) {
        if (outcome.score == nothing_known) outcome.score = bound;
        return finish(outcome, Stop::agreement);
      }
      const double slack = limits_.slack(bound), gap = outcome.bound - outcome.score;
      if (gap <= slack) return finish(outcome, Stop::closed_gap);
      if (limits_.eliminate && is_worth_eliminating(outcome, bound, gap) &&
          !eliminate(bound - outcome.score - slack))
        return finish(outcome, Stop::nothing_better);
      if (limits_.patience > 0 && !problem_.choices().empty() && outcome.iterations - then >= limits_.patience) {
        if (bound_then - outcome.bound < 0.01 * gap) return finish(outcome, Stop::no_progress);
        bound_then = outcome.bound;
        then = outcome.iterations;
      }
      move(step.next({outcome.iterations, bound, outcome.bound, outcome.score, disagreement}));
    }
    return finish(outcome, Stop::iteration_limit);
  }

 private:
  static Outcome finish(Outcome outcome, Stop stop) {
    outcome.stop = stop;
    // What was ruled out scores at most as much as the solution known.
    outcome.bound = outcome.exact() ? outcome.score : std::max(outcome.bound, outcome.score);
    return outcome;
  }

  // How many subproblems were solved, or −1 when one has no solution left.
  int solve_changed() {
    int solved = 0;
    for (int s = 0; s < problem_.subproblems(); ++s) {
      if (!changed_[at(s)]) continue;
      changed_[at(s)] = 0;
      ++solved;
      const std::size_t begin = at(problem_.begin(s)), size = at(problem_.size(s));
      maxima_[at(s)] = problem_.subproblem(s).maximize(ConstNumbers(multipliers_).subspan(begin, size),
                                                       Flags(chosen_).subspan(begin, size));
      if (maxima_[at(s)] == nothing_known) return -1;
    }
    return solved;
  }

  // Finds the variables whose copies differ; returns the squared length of the subgradient, projected to
  // multipliers that sum to zero.
  double compare_copies() {
    different_.clear();
    double length = 0;
    for (int v = 0; v < problem_.variables(); ++v) {
      const auto& copies = problem_.copies_of(v);
      int on = 0;
      for (const int copy : copies) on += chosen_[at(copy)];
      const int count = static_cast<int>(copies.size());
      on_.resize(at(problem_.variables()));
      on_[at(v)] = on;
      if (on == 0 || on == count) continue;
      different_.push_back(v);
      length += static_cast<double>(on) * (count - on) / count;
    }
    return length;
  }

  void move(double step) {
    for (const int v : different_) {
      const auto& copies = problem_.copies_of(v);
      const double mean = limits_.centred ? static_cast<double>(on_[at(v)]) / static_cast<double>(copies.size())
                                          : chosen_[at(copies[0])];
      for (const int copy : copies) {
        const double moved = step * (chosen_[at(copy)] - mean);
        multipliers_[at(copy)] -= moved;
        if (!limits_.centred) multipliers_[at(copies[0])] += moved;
        changed_[at(problem_.owner(copy))] = 1;
      }
    }
    for (int v = 0; v < problem_.variables(); ++v)
      if (on_[at(v)])
        averaged_[at(v)] += step * on_[at(v)] / static_cast<double>(problem_.copies_of(v).size());
    total_step_ += step;
  }

  // Costs grow as the gap shrinks: worth another look each time it has shrunk by a third.
  bool is_worth_eliminating(const Outcome& outcome, double bound, double gap) {
    if (outcome.score == nothing_known || bound > outcome.bound || gap > 0.7 * gap_at_elimination_) return false;
    gap_at_elimination_ = gap;
    return true;
  }

  // False when every variable of a choice is ruled out.
  bool eliminate(double gap) {
    elimination_.read_costs(multipliers_, maxima_, chosen_);
    elimination_.each_excluded(gap, [&](int v) {
      for (const int copy : problem_.copies_of(v))
        if (chosen_[at(copy)]) changed_[at(problem_.owner(copy))] = 1;
      forbid(v);
    });
    for (const auto& choice : problem_.choices())
      if (std::all_of(choice.begin(), choice.end(), [&](int v) { return is_forbidden(v); })) return false;
    return true;
  }

  const Problem& problem_;
  Limits limits_;
  Elimination elimination_;
  std::vector<double> multipliers_, maxima_;
  std::vector<std::uint8_t> chosen_, changed_;
  std::vector<double> averaged_;
  double total_step_ = 0, gap_at_elimination_ = std::numeric_limits<double>::infinity();
  std::vector<int> different_, on_;
  std::vector<TracePoint>* trace_ = nullptr;
};

}  // namespace headwise::trees::dual
