// The best tree by dual decomposition (Koo et al. 2010; dual/tree_search.hpp). Where iterations run out, single moves
// from the best tree that came up.
#include <algorithm>
#include <stdexcept>

#include "trees/decoders/decode.hpp"
#include "trees/dual/tree_search.hpp"
#include "trees/local_search/climber.hpp"
#include "trees/local_search/movable_tree.hpp"

namespace headwise::trees {

bool decode_dual(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch, Solution& solution) {
  if (problem.labelled) throw std::invalid_argument("labels inside the chart cannot be taken apart");
  if (!problem.arcs) return best_tree_of_parts(problem, scratch, solution);  // there is nothing to take apart
  solution.heads.resize(static_cast<std::size_t>(problem.words));
  const SearchProblem trees = problem.of_parts();
  const auto score = [&](std::span<const int> heads) { return score_of_parts(problem, heads, scratch.links); };
  const dual::BranchLimits limits =
      options.agreement ? *options.agreement : agreement_limits(problem.words, options.iterations);
  const dual::Outcome outcome = best_tree_by_agreement(trees, limits, dual::nothing_known, solution.heads, score);
  if (outcome.score == dual::nothing_known) return false;
  solution.score = outcome.score;
  solution.exact = outcome.exact();
  if (!solution.exact && !problem.projective && !options.agreement) {
    MovableTree tree(*problem.arcs, problem.scores, problem.factorization);  // the parts alone
    tree.assign(solution.heads);
    Climber climber(tree, problem.single_root);
    climber.climb();
    climber.escape();
    tree.copy_heads(solution.heads);
    solution.score = score(solution.heads);
  }
  solution.bound = std::max(outcome.bound, solution.score);
  if (problem.whole) climb_with_whole_tree(problem, options, scratch, solution);
  return true;
}

}  // namespace headwise::trees
