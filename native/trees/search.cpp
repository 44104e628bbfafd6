#include "trees/search.hpp"

#include <limits>
#include <type_traits>

#include "trees/expectations.hpp"
#include "trees/factorizations/carreras.hpp"
#include "trees/factorizations/model0.hpp"
#include "trees/factorizations/model1.hpp"
#include "trees/factorizations/model2.hpp"
#include "trees/traceback.hpp"

namespace headwise::trees {
namespace {

// f(trees) for the trees of the factorization over the candidates.
template <class F>
double with_trees(Factorization factorization, const Candidates& arcs, bool single_root, F f) {
  switch (factorization) {
    case Factorization::carreras:
      return f(Carreras(arcs, single_root));
    case Factorization::model0:
      return f(Model0(arcs, single_root));
    case Factorization::model2:
      return f(Model2(arcs, single_root));
    default:  // arcs and siblings are what is left of model 1 without its other tables
      return f(Model1(arcs, single_root));
  }
}

}  // namespace

double best_projective_tree(Factorization factorization, const Candidates& arcs, bool single_root,
                            const PartScores& scores, int* heads, DecodeScratch& scratch) {
  return with_trees(factorization, arcs, single_root, [&](const auto& trees) {
    const double score = inside(MaxPlus{}, trees, scores, scratch.chart, scratch.sums);
    if (score > kImpossible) best_tree(trees, scores, scratch.chart, scratch.stack, {heads});
    return score > kImpossible ? score : kImpossible;
  });
}

double sum_projective_trees(Factorization factorization, const Candidates& arcs, bool single_root,
                            const PartScores& scores, const PartMarginals& marginals, SumScratch& scratch) {
  return with_trees(factorization, arcs, single_root, [&](const auto& trees) {
    const Scaled total = inside(SumOfWeights{}, trees, scores, scratch.chart, scratch.scratch);
    if (total.significand == 0) return kImpossible;
    part_marginals(trees, scores, scratch.chart, scratch.scratch, scratch.usage, marginals);
    return total.log();
  });
}

}  // namespace headwise::trees
