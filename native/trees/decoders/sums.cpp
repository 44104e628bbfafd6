#include "trees/decoders/sums.hpp"

#include "trees/arc_marginals.hpp"
#include "trees/labelled_search.hpp"
#include "trees/search.hpp"

namespace headwise::trees {

struct TreeSums::Scratch {
  ArcMarginals arcs;
  SumScratch parts;
};

TreeSums::TreeSums() : scratch_(std::make_unique<Scratch>()) {}
TreeSums::~TreeSums() = default;

double TreeSums::sum(const Problem& problem, const PartMarginals& marginals) {
  if (problem.labelled)
    return sum_labelled_trees(*problem.labelled, problem.single_root, problem.scores, marginals, scratch_->parts);
  if (problem.arcs)
    return sum_projective_trees(problem.factorization, *problem.arcs, problem.single_root, problem.scores, marginals,
                                scratch_->parts);
  return scratch_->arcs.sum(problem.projective, problem.scores.labels, problem.words, problem.single_root,
                            marginals.labels);
}

}  // namespace headwise::trees
