// Dual decomposition (Rush et al. 2010; Koo et al. 2010, section 4): a hard maximization as several easy ones
// that have to agree on shared binary variables.
//
//   max  Σ_s f_s(z_s)   such that the copies z_s(v) of every variable v are equal
//
// Relaxing the agreement with a multiplier for each copy, the multipliers of a variable summing to zero, gives
// an upper bound, L(λ) = Σ_s max_z f_s(z) + λ_s·z, that is tight where the copies agree. Nothing here knows
// what a subproblem is: a spanning tree, a head automaton, a tagger.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/index.hpp"

namespace headwise::trees::dual {

using Flags = std::span<std::uint8_t>;
using ConstFlags = std::span<const std::uint8_t>;
using Numbers = std::span<double>;
using ConstNumbers = std::span<const double>;

class Subproblem {
 public:
  virtual ~Subproblem() = default;

  // The greatest own score plus the multipliers of the variables that are on; a multiplier of −inf forbids
  // its variable. Fills chosen[i] with 0 or 1. −inf when nothing is left to choose from.
  virtual double maximize(ConstNumbers multipliers, Flags chosen) = 0;

  // By how much the maximum falls, at least, when variable i must be on and when it must be off. A weak answer
  // is 0; better ones let the solver rule variables out. `maximum` and `chosen` are what maximize() gave for
  // the same multipliers.
  virtual void reduced_costs(ConstNumbers /*multipliers*/, double /*maximum*/, ConstFlags /*chosen*/, Numbers on,
                             Numbers off) {
    std::fill(on.begin(), on.end(), 0.0);
    std::fill(off.begin(), off.end(), 0.0);
  }
};

// Variables, and the subproblems that share them. A subproblem's variables are numbered in its own order; a
// copy is one variable of one subproblem, and the copies of a subproblem are neighbours.
class Problem {
 public:
  explicit Problem(int variables) : copies_of_(static_cast<std::size_t>(variables)) {}

  void add(Subproblem& subproblem, std::span<const int> variables) {
    for (const int v : variables) {
      if (v < 0 || v >= this->variables()) throw std::invalid_argument("a subproblem names an unknown variable");
      copies_of_[at(v)].push_back(copies());
      variable_.push_back(v);
      owner_.push_back(subproblems());
    }
    subproblems_.push_back(&subproblem);
    begin_.push_back(copies());
  }

  // Exactly one of these variables is on in every solution. What the solver knows of such choices it uses to
  // rule variables out and to branch.
  void add_choice(std::vector<int> variables) { choices_.push_back(std::move(variables)); }

  int variables() const { return static_cast<int>(copies_of_.size()); }
  int subproblems() const { return static_cast<int>(subproblems_.size()); }
  int copies() const { return static_cast<int>(variable_.size()); }
  Subproblem& subproblem(int s) const { return *subproblems_[at(s)]; }
  int begin(int s) const { return begin_[at(s)]; }
  int size(int s) const { return begin_[at(s) + 1] - begin_[at(s)]; }
  int variable(int copy) const { return variable_[at(copy)]; }
  int owner(int copy) const { return owner_[at(copy)]; }
  const std::vector<int>& copies_of(int variable) const { return copies_of_[at(variable)]; }
  const std::vector<std::vector<int>>& choices() const { return choices_; }

 private:
  std::vector<std::vector<int>> copies_of_, choices_;
  std::vector<int> variable_, owner_, begin_ = {0};
  std::vector<Subproblem*> subproblems_;
};

}  // namespace headwise::trees::dual
