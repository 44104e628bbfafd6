// Ruling variables out: one whose presence would pull the bound below a solution that is known already cannot
// be on in any better one. Reduced-cost fixing, with the subproblems' own reduced costs.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <limits>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/problem.hpp"

namespace headwise::trees::dual {

class Elimination {
 public:
  explicit Elimination(const Problem& problem)
      : problem_(problem), on_(at(problem.copies())), off_(at(problem.copies())) {}

  // The costs of all copies under the present multipliers.
  void read_costs(ConstNumbers multipliers, ConstNumbers maxima, ConstFlags chosen) {
    for (int s = 0; s < problem_.subproblems(); ++s) {
      const std::size_t begin = at(problem_.begin(s)), size = at(problem_.size(s));
      problem_.subproblem(s).reduced_costs(multipliers.subspan(begin, size), maxima[at(s)], chosen.subspan(begin, size),
                                           Numbers(on_).subspan(begin, size), Numbers(off_).subspan(begin, size));
    }
  }

  // visit(variable) for every variable that costs more than the gap when it is on.
  template <class Visit>
  void each_excluded(double gap, Visit visit) {
    in_choice_.assign(at(problem_.variables()), 0);
    for (const auto& choice : problem_.choices()) {
      others_.clear();
      for (const int v : choice) {
        in_choice_[at(v)] = 1;
        for (const int copy : problem_.copies_of(v))
          if (off_[at(copy)] > 0) others_.push_back({problem_.owner(copy), v, off_[at(copy)]});
      }
      for (const int v : choice)
        if (on_cost(v) + cost_of_others(v) > gap) visit(v);
    }
    for (int v = 0; v < problem_.variables(); ++v)
      if (!in_choice_[at(v)] && on_cost(v) > gap) visit(v);
  }

 private:
  struct Other {
    int subproblem, variable;
    double cost;
  };

  // Costs in different subproblems add up.
  double on_cost(int v) const {
    double cost = 0;
    for (const int copy : problem_.copies_of(v)) cost += on_[at(copy)];
    return cost;
  }

  // Where v is the one of a choice that is on, the others are off. A subproblem counts once: not where it has
  // a copy of v, whose cost is counted above, and not twice for two of the others.
  double cost_of_others(int v) const {
    double cost = 0;
    for (std::size_t i = 0; i < others_.size(); ++i) {
      const Other& other = others_[i];
      if (other.variable == v) continue;
      bool counted = false;
      for (const int copy : problem_.copies_of(v)) counted |= problem_.owner(copy) == other.subproblem;
      for (std::size_t j = 0; j < i; ++j)
        counted |= others_[j].variable != v && others_[j].subproblem == other.subproblem;
      if (!counted) cost += other.cost;
    }
    return cost;
  }

  const Problem& problem_;
  std::vector<double> on_, off_;
  std::vector<Other> others_;
  std::vector<std::uint8_t> in_choice_;
};

}  // namespace headwise::trees::dual
