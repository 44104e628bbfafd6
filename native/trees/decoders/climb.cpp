// Climbs from many trees (Zhang et al. 2014, "Greed is good if randomized"; local_search/climb.hpp), and the climb that
// features of whole trees need after another search. Nothing is known of how good their trees are.
#include "trees/local_search/climb.hpp"

#include "trees/decoders/decode.hpp"

namespace headwise::trees {

bool decode_climb(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch, Solution& solution) {
  const MovableTree tree(*problem.arcs, problem.scores, problem.factorization, problem.whole);
  best_tree_by_climbing(tree, problem.scores, problem.single_root, {.seed = options.seed}, solution.heads);
  if (solution.heads.empty()) return false;
  solution.score = score_of_tree(problem, solution.heads, scratch.links);
  solution.exact = false;
  solution.bound = -kImpossible;
  return true;
}

void climb_with_whole_tree(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch,
                           Solution& solution) {
  MovableTree tree(*problem.arcs, problem.scores, problem.factorization, problem.whole);
  Climber climber(tree, problem.single_root, problem.projective);
  const auto climb_from = [&](std::span<const int> heads) {
    tree.assign(heads);
    climber.climb();
    climber.escape();
    return tree.score();
  };
  double best = climb_from(solution.heads);
  tree.copy_heads(solution.heads);
  if (!problem.projective && problem.whole->restarts() > 0) {
    FirstOrderTrees first_order(*problem.arcs, problem.single_root, [&](int arc) { return problem.scores.labels[arc]; });
    std::vector<int> start;
    for (int restart = 0; restart < problem.whole->restarts(); ++restart) {
      Random random(options.seed, static_cast<std::uint64_t>(restart));
      first_order.draw(random, start);
      if (const double score = climb_from(start); score > best + smallest_gain) {
        best = score;
        tree.copy_heads(solution.heads);
      }
    }
  }
  solution.score = score_of_tree(problem, solution.heads, scratch.links);
  solution.exact = false;
  solution.bound = -kImpossible;
}

}  // namespace headwise::trees
