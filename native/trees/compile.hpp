// The definitions of compiled.hpp, for the files that compile one factorization each.
#pragma once
#include "rooms.hpp"
#include "trees/compiled.hpp"
#include "trees/expectations.hpp"
#include "trees/projective.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {

template <class Trees>
double best_of(const Trees& trees, const PartScores& scores, int* heads, DecodeScratch& scratch) {
  const double score = inside(MaxPlus{}, trees, scores, scratch.chart, scratch.sums);
  if (score > kImpossible) best_tree(trees, scores, scratch.chart, scratch.stack, {heads});
  return score > kImpossible ? score : kImpossible;
}

template <class Trees>
double sum_of(const Trees& trees, const PartScores& scores, const PartMarginals& marginals, SumScratch& scratch) {
  const Scaled total = inside(SumOfWeights{}, trees, scores, scratch.chart, scratch.scratch);
  if (total.significand == 0) return kImpossible;
  part_marginals(trees, scores, scratch.chart, scratch.scratch, scratch.usage, marginals);
  return total.log();
}

template <class Trees>
std::unique_ptr<Distribution> Compiled<Trees>::distribution(const Candidates* arcs, int words, const PartScores& scores,
                                                            bool single_root) {
  if constexpr (IsOverCandidates<Trees>) {
    if (arcs) return std::make_unique<ProjectiveDistribution<Trees>>(Trees(*arcs, single_root), scores);
  } else {
    if (arcs) return Compiled<typename Trees::OverCandidates>::distribution(arcs, words, scores, single_root);
  }
  if constexpr (!is_dense<Trees>)
    throw std::invalid_argument("this factorization needs candidates");
  else if constexpr (IsOverCandidates<Trees>)
    return std::make_unique<ProjectiveDistribution<typename Trees::OverAllArcs>>(
        typename Trees::OverAllArcs(words, single_root), scores);
  else
    return std::make_unique<ProjectiveDistribution<Trees>>(Trees(words, single_root), scores);
}

template <class Trees>
double Compiled<Trees>::best(const Candidates& arcs, bool single_root, const PartScores& scores, int* heads,
                             DecodeScratch& scratch)
  requires IsOverCandidates<Trees>
{
  return best_of(Trees(arcs, single_root), scores, heads, scratch);
}

template <class Trees>
double Compiled<Trees>::sum(const Candidates& arcs, bool single_root, const PartScores& scores,
                            const PartMarginals& marginals, SumScratch& scratch)
  requires IsOverCandidates<Trees>
{
  return sum_of(Trees(arcs, single_root), scores, marginals, scratch);
}

}  // namespace headwise::trees
