// Search and sums over the projective trees of any factorization, over the arcs that survive pruning.
#pragma once
#include "rooms.hpp"
#include "trees/compiled.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::trees {

// f(Compiled<Trees>{}) for the class that a factorization is searched by.
template <class F>
auto with_search(Factorization factorization, F&& f) {
  return with_factorization(factorization, [&]<class Trees>(std::type_identity<Trees>) {
    if constexpr (IsOverCandidates<Trees>)
      return f(Compiled<Trees>{});
    else
      return f(Compiled<typename Trees::OverCandidates>{});
  });
}

// Fills heads[m - 1] and returns the score; −inf where there is no tree.
inline double best_projective_tree(Factorization factorization, const Candidates& arcs, bool single_root,
                                   const PartScores& scores, int* heads, DecodeScratch& scratch) {
  return with_search(factorization,
                     [&](auto trees) { return trees.best(arcs, single_root, scores, heads, scratch); });
}

// log Z, and the probability of every part into tables that were zero; −inf where there is no tree.
inline double sum_projective_trees(Factorization factorization, const Candidates& arcs, bool single_root,
                                   const PartScores& scores, const PartMarginals& marginals, SumScratch& scratch) {
  return with_search(factorization,
                     [&](auto trees) { return trees.sum(arcs, single_root, scores, marginals, scratch); });
}

}  // namespace headwise::trees
