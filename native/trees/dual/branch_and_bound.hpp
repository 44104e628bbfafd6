// Closing the gap that dual decomposition leaves: where the relaxation is not tight, split a choice in two and
// solve each half. Best bound first, every half starting from the multipliers of the whole.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/solver.hpp"

namespace headwise::trees::dual {

struct BranchLimits {
  Limits whole;              // of the first run, before anything is split
  Limits half;               // of each run after that
  int iterations = 20000;    // of all runs together
  bool branch = true;
  double tree_share = 0.5;   // of the scores of arcs, what the tree has to begin with (tree_search.hpp)
};

class BranchAndBound {
 public:
  BranchAndBound(const Problem& problem, const BranchLimits& limits) : problem_(problem), limits_(limits) {}

  // As Solver::run. Problems without choices are solved once and never split.
  template <class Propose>
  Outcome run(Solver& root, double known, Propose propose) {
    Outcome total = root.run(known, propose);
    averaged_ = root.averaged();
    if (!total.exact() && limits_.branch) split(root, total.bound);
    double proven = total.score;  // no solution outside the open halves scores higher
    while (!open_.empty() && total.iterations < limits_.iterations) {
      std::pop_heap(open_.begin(), open_.end());
      Half half = std::move(open_.back());
      open_.pop_back();
      if (half.bound <= total.score + limits_.half.slack(half.bound)) continue;
      Limits limits = limits_.half;
      limits.iterations = std::min(limits.iterations, limits_.iterations - total.iterations);
      Solver solver(problem_, limits);
      solver.multipliers() = std::move(half.multipliers);
      const Outcome outcome = solver.run(total.score, propose);
      total.iterations += outcome.iterations;
      total.score = std::max(total.score, outcome.score);
      averaged_ = solver.averaged();
      if (!outcome.exact() && !split(solver, std::min(half.bound, outcome.bound)))
        proven = std::max(proven, outcome.bound);
      ++halves_;
    }
    if (total.exact() || !limits_.branch) return total;
    double bound = std::max(proven, total.score);
    for (const Half& half : open_) bound = std::max(bound, half.bound);
    total.bound = std::min(total.bound, bound);
    if (total.bound <= total.score + limits_.half.slack(total.bound)) {
      total.stop = Stop::nothing_better;
      total.bound = total.score;
    }
    return total;
  }

  int halves() const { return halves_; }
  // Of the last run: near 0 or 1 where the relaxation is decided.
  const std::vector<double>& averaged() const { return averaged_; }

 private:
  struct Half {
    double bound;
    std::vector<double> multipliers;
    bool operator<(const Half& other) const { return bound < other.bound; }
  };

  // Splits the least decided choice between its likeliest variable and all others. False where nothing is left
  // to split.
  bool split(Solver& solver, double bound) {
    const std::vector<int>* widest = nullptr;
    int likeliest = -1;
    double least = 2;
    for (const auto& choice : problem_.choices()) {
      int best = -1, allowed = 0;
      for (const int v : choice) {
        if (solver.is_forbidden(v)) continue;
        ++allowed;
        if (best < 0 || averaged_[at(v)] > averaged_[at(best)]) best = v;
      }
      if (allowed < 2 || averaged_[at(best)] >= least) continue;
      widest = &choice;
      likeliest = best;
      least = averaged_[at(best)];
    }
    if (!widest) return false;
    push(solver, bound, [&](int v) { return v != likeliest; }, *widest);
    push(solver, bound, [&](int v) { return v == likeliest; }, *widest);
    return true;
  }

  template <class Forbidden>
  void push(Solver& solver, double bound, Forbidden forbidden, const std::vector<int>& choice) {
    Half half{bound, solver.multipliers()};
    for (const int v : choice)
      if (forbidden(v))
        for (const int copy : problem_.copies_of(v)) half.multipliers[at(copy)] = nothing_known;
    open_.push_back(std::move(half));
    std::push_heap(open_.begin(), open_.end());
  }

  const Problem& problem_;
  BranchLimits limits_;
  std::vector<Half> open_;
  std::vector<double> averaged_;
  int halves_ = 0;
};

}  // namespace headwise::trees::dual
