// The best tree under higher-order scores by dual decomposition: a tree and a head automaton for each word,
// which have to agree on the arcs (Koo et al. 2010, Figures 1 and 2).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/branch_and_bound.hpp"
#include "trees/dual/head_automaton.hpp"
#include "trees/dual/tree_subproblem.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::trees {

// The subproblems of a sentence. Variables are the candidate arcs; subproblem 0 is the tree.
class TreeDecomposition {
 public:
  explicit TreeDecomposition(const SearchProblem& trees)
      : tree_(trees.arcs, trees.projective, trees.single_root), problem_(trees.arcs.arcs()) {
    const Candidates& arcs = trees.arcs;
    std::vector<int> variables(static_cast<std::size_t>(arcs.arcs()));
    std::iota(variables.begin(), variables.end(), 0);
    problem_.add(tree_, variables);
    const bool looks_up = head_view(trees.factorization).grandparent != GrandparentView::none;
    for (int h = 0; h < arcs.nodes(); ++h) {
      variables.resize(static_cast<std::size_t>(arcs.degree(h)));
      std::iota(variables.begin(), variables.end(), arcs.begin(h));
      if (h > 0 && looks_up) variables.insert(variables.end(), arcs.into(h).begin(), arcs.into(h).end());
      automata_.push_back(head_automaton(trees, h));
      problem_.add(*automata_.back(), variables);
      if (h > 0) problem_.add_choice(arcs.into(h));
    }
  }
  TreeDecomposition(const TreeDecomposition&) = delete;
  TreeDecomposition& operator=(const TreeDecomposition&) = delete;

  const dual::Problem& problem() const { return problem_; }
  const TreeSubproblem& tree() const { return tree_; }

 private:
  TreeSubproblem tree_;
  std::vector<std::unique_ptr<dual::Subproblem>> automata_;
  dual::Problem problem_;
};

// Keeps the best of the trees that come up, each scored once.
template <class Score>
class BestTree {
 public:
  BestTree(std::vector<int>& heads, double known, Score score) : heads_(heads), best_(known), score_(score) {}
  double consider(std::span<const int> heads) {
    if (!seen_.insert(fingerprint(heads)).second) return best_;
    if (const double score = score_(heads); score > best_) {
      best_ = score;
      heads_.assign(heads.begin(), heads.end());
    }
    return best_;
  }

 private:
  static std::uint64_t fingerprint(std::span<const int> heads) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const int h : heads) hash = (hash ^ static_cast<std::uint64_t>(h)) * 0x9e3779b97f4a7c15 + (hash >> 29);
    return hash;
  }
  std::vector<int>& heads_;
  double best_;
  Score score_;
  std::unordered_set<std::uint64_t> seen_;
};

// The first tree is chosen by a share of the arc scores, which the automata give up (section A.2). Half of them
// takes fewer iterations than the paper's thousandth.
inline void share_arc_scores(const SearchProblem& trees, const dual::Problem& problem, double tree_share,
                             std::vector<double>& multipliers) {
  for (int arc = 0; arc < trees.arcs.arcs(); ++arc) {
    const double moved = tree_share * trees.scores.labels[arc];
    for (const int copy : problem.copies_of(arc)) {
      const int h = problem.owner(copy) - 1;  // −1: the tree
      if (h == -1) multipliers[at(copy)] = moved;
      if (h == trees.arcs.head(arc)) multipliers[at(copy)] = -moved;
    }
  }
}

// Limits for a sentence of n words. An iteration costs O(n²): beyond a hundred words there are as many as take
// the time of `iterations` over a hundred.
inline dual::BranchLimits agreement_limits(int n, int iterations) {
  constexpr int long_sentence = 100, patience = 20;
  if (n > long_sentence) iterations = std::max(1, static_cast<int>(iterations * (1e4 / n / n)));
  dual::BranchLimits limits;
  limits.whole.iterations = limits.half.iterations = limits.iterations = iterations;
  limits.whole.patience = limits.half.patience = patience;
  return limits;
}

// `heads` may hold a tree already, of score `known`; it ends as the best tree found. score(heads) is the full
// model's.
template <class Score>
dual::Outcome best_tree_by_agreement(const SearchProblem& trees, const dual::BranchLimits& limits, double known,
                                     std::vector<int>& heads, Score score,
                                     std::vector<dual::TracePoint>* trace = nullptr) {
  for (int m = 1; m < trees.arcs.nodes(); ++m)
    if (trees.arcs.into(m).empty()) return {known, known, dual::Stop::no_solution, 0};
  const TreeDecomposition parts(trees);
  BestTree<Score> best(heads, known, score);
  dual::Solver solver(parts.problem(), limits.whole);
  share_arc_scores(trees, parts.problem(), limits.tree_share, solver.multipliers());
  if (trace) solver.keep_trace(*trace);
  dual::BranchAndBound search(parts.problem(), limits);
  return search.run(solver, known, [&](const dual::Solver&) { return best.consider(parts.tree().heads()); });
}

}  // namespace headwise::trees
