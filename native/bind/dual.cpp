// Bindings of dual decomposition: the solver for subproblems written in Python, and the search for trees.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/dual/relaxed_tree.hpp"
#include "trees/dual/tree_search.hpp"
#include "trees/tree_score.hpp"

namespace headwise::bind {

using namespace nb::literals;

namespace {

// A Python object with maximize(multipliers) -> (value, chosen).
class PythonSubproblem final : public dual::Subproblem {
 public:
  explicit PythonSubproblem(nb::object object) : object_(std::move(object)) {}

  double maximize(dual::ConstNumbers multipliers, dual::Flags chosen) override {
    const nb::object answer =
        object_.attr("maximize")(to_array(std::vector<double>(multipliers.begin(), multipliers.end())));
    const auto [value, on] = nb::cast<std::pair<double, std::vector<int>>>(answer);
    if (on.size() != chosen.size())
      throw nb::value_error(("maximize returned " + std::to_string(on.size()) + " values for " +
                             std::to_string(chosen.size()) + " variables").c_str());
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (on[i] != 0 && on[i] != 1) throw nb::value_error("maximize must return a 0 or a 1 for each variable");
      chosen[i] = static_cast<std::uint8_t>(on[i]);
    }
    return value;
  }

 private:
  nb::object object_;
};

struct PythonProblem {
  explicit PythonProblem(int variables) : problem(variables) {}
  PythonProblem(const PythonProblem&) = delete;
  PythonProblem& operator=(const PythonProblem&) = delete;
  void add(nb::object subproblem, const std::vector<int>& variables) {
    subproblems.push_back(std::make_unique<PythonSubproblem>(std::move(subproblem)));
    problem.add(*subproblems.back(), variables);
  }
  dual::Problem problem;
  std::vector<std::unique_ptr<PythonSubproblem>> subproblems;
};

const char* name_of(dual::Stop stop) {
  switch (stop) {
    case dual::Stop::agreement: return "agreement";
    case dual::Stop::closed_gap: return "closed gap";
    case dual::Stop::nothing_better: return "nothing better";
    case dual::Stop::no_solution: return "no solution";
    case dual::Stop::iteration_limit: return "iteration limit";
    default: return "no progress";
  }
}

// Bound, best score and number of subproblems solved, iteration by iteration.
nb::tuple trace_arrays(const std::vector<dual::TracePoint>& trace) {
  std::vector<double> bounds, scores;
  std::vector<int> solved;
  for (const auto& point : trace) {
    bounds.push_back(point.bound);
    scores.push_back(point.best_score);
    solved.push_back(point.solved);
  }
  return nb::make_tuple(to_array(std::move(bounds)), to_array(std::move(scores)), to_array(std::move(solved)));
}

nb::dict solve(PythonProblem& problem, const dual::BranchLimits& limits, const nb::object& propose) {
  dual::Solver solver(problem.problem, limits.whole);
  dual::BranchAndBound search(problem.problem, limits);
  std::vector<dual::TracePoint> trace;
  solver.keep_trace(trace);
  const dual::Outcome outcome = search.run(solver, dual::nothing_known, [&](const dual::Solver& state) {
    std::vector<std::vector<int>> chosen;
    for (int s = 0; s < problem.problem.subproblems(); ++s)
      chosen.emplace_back(state.chosen(s).begin(), state.chosen(s).end());
    return nb::cast<double>(propose(chosen, state.bound()));
  });
  nb::dict result;
  result["score"] = outcome.score;
  result["bound"] = outcome.bound;
  result["exact"] = outcome.exact();
  result["stop"] = name_of(outcome.stop);
  result["iterations"] = outcome.iterations;
  result["averaged"] = to_array(std::vector<double>(search.averaged()));
  result["trace"] = trace_arrays(trace);
  return result;
}

nb::dict best_tree(const Candidates& arcs, const ScoreArrays& scores, const std::string& factorization, bool projective,
                   bool single_root, const dual::BranchLimits& limits, bool traced) {
  std::vector<int> heads;
  std::vector<dual::TracePoint> trace;
  dual::Outcome outcome;
  {
    const nb::gil_scoped_release release;
    const SearchProblem trees{arcs, scores.tables(), factorization_of(factorization), projective, single_root};
    LinkedTree links;
    outcome = best_tree_by_agreement(
        trees, limits, dual::nothing_known, heads,
        [&](std::span<const int> tree) { return tree_score(arcs, trees.scores, trees.factorization, tree, links); },
        traced ? &trace : nullptr);
  }
  if (heads.empty()) throw NoTree();
  nb::dict result;
  result["heads"] = integers(std::move(heads));
  result["score"] = outcome.score;
  result["bound"] = outcome.bound;
  result["exact"] = outcome.exact();
  result["stop"] = name_of(outcome.stop);
  result["iterations"] = outcome.iterations;
  result["trace"] = trace_arrays(trace);
  return result;
}

// The best choices of all automata on their own: arcs, their score, and the same score summed over their parts.
nb::tuple relaxed_tree(const Candidates& arcs, const ScoreArrays& scores, const std::string& factorization,
                       bool single_root) {
  const SearchProblem trees{arcs, scores.tables(), factorization_of(factorization), false, single_root};
  RelaxedTree chosen;
  const double score = chosen.choose(trees);
  if (!(score > kImpossible)) throw NoTree();
  PartSum sum;
  auto places = sum.visitor(arcs, trees.scores);
  for (const auto& [h, m] : chosen.arcs()) places.arc(h, m);
  chosen.for_each_part(trees.factorization, places);
  return nb::make_tuple(chosen.arcs(), score, sum.total);
}

double score_of(const Candidates& arcs, const ScoreArrays& scores, const std::string& factorization,
                const ArrayIn<int>& heads) {
  require(static_cast<int>(heads.size()) == arcs.words(), "heads must have one entry a word");
  LinkedTree links;
  for (const int h : view(heads)) require(h >= 0 && h <= arcs.words(), "heads must lie between 0 and n");
  return tree_score(arcs, scores.tables(), factorization_of(factorization), view(heads), links);
}

}  // namespace

void dual(nb::module_ module) {
  nb::class_<trees::dual::BranchLimits>(module, "Limits", "How long to search, and how.")
      .def("__init__",
           [](trees::dual::BranchLimits* self, int iterations, const std::string& step, double tolerance,
              bool eliminate, bool branch, int patience, bool centred, double tree_share) {
             new (self) trees::dual::BranchLimits;
             if (iterations < 1) throw std::invalid_argument("iterations must be at least 1");
             if (step != "polyak" && step != "decreasing" && step != "halving")
               throw std::invalid_argument("step must be 'polyak', 'decreasing' or 'halving'");
             trees::dual::Limits limits;
             limits.iterations = self->iterations = iterations;
             limits.step = step == "polyak"    ? trees::dual::StepRule::polyak
                           : step == "halving" ? trees::dual::StepRule::halving
                                               : trees::dual::StepRule::decreasing;
             limits.tolerance = tolerance;
             if (!(tree_share >= 0 && tree_share <= 1)) throw std::invalid_argument("tree_share must be from 0 to 1");
             limits.eliminate = eliminate;
             limits.centred = centred;
             limits.patience = branch ? patience : 0;
             self->whole = self->half = limits;
             self->branch = branch;
             self->tree_share = tree_share;
           },
           nb::kw_only(), "iterations"_a = 20000, "step"_a = "polyak", "tolerance"_a = 1e-10, "eliminate"_a = true,
           "branch"_a = true, "patience"_a = 20, "centred"_a = true, "tree_share"_a = 0.5);
  nb::class_<PythonProblem>(module, "Problem", "Binary variables that subproblems share.")
      .def(nb::init<int>(), "variables"_a)
      .def("add", &PythonProblem::add, "subproblem"_a, "variables"_a)
      .def("add_choice",
           [](PythonProblem& self, std::vector<int> variables) { self.problem.add_choice(std::move(variables)); },
           "variables"_a);
  module.def("solve", &solve, "problem"_a, "limits"_a, "propose"_a);
  module.def("tree_score", &score_of, "candidates"_a, "scores"_a, "factorization"_a, "heads"_a);
  module.def("relaxed_tree", &relaxed_tree, "candidates"_a, "scores"_a, "factorization"_a, "single_root"_a);
  module.def("best_tree", &best_tree, "candidates"_a, "scores"_a, nb::kw_only(), "factorization"_a, "projective"_a,
             "single_root"_a, "limits"_a, "traced"_a = false);
}

}  // namespace headwise::bind
