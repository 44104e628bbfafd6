// A chain of samples at a falling temperature (Zhang et al. 2014, "Steps to excellence"; local_search/anneal.hpp).
// Nothing is known of how good its tree is.
#include "trees/decoders/decode.hpp"
#include "trees/local_search/anneal.hpp"

namespace headwise::trees {

bool decode_sample(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch, Solution& solution) {
  MovableTree tree(*problem.arcs, problem.scores, problem.factorization, problem.whole);
  best_tree_by_annealing(tree, problem.scores, problem.single_root, {.seed = options.seed}, solution.heads);
  if (solution.heads.empty()) return false;
  solution.score = score_of_tree(problem, solution.heads, scratch.links);
  solution.exact = false;
  solution.bound = -kImpossible;
  return true;
}

}  // namespace headwise::trees
