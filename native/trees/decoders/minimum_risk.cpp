// The tree with the most words expected to be attached right (Smith and Smith 2007, section 4): the best one under the
// probabilities of arcs as scores. These are sums over all trees that are searched; where sums are over fewer, there is
// no such decoder.
#include <algorithm>
#include <stdexcept>

#include "base/index.hpp"
#include "trees/decoders/decode.hpp"

namespace headwise::trees {

bool decode_minimum_risk(const Problem& problem, const DecodeOptions&, DecoderScratch& scratch, Solution& solution) {
  if (problem.arcs && !problem.projective)
    throw std::invalid_argument("non-projective trees of higher order have no exact probabilities");
  const int nodes = problem.words + 1;
  const auto size = static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes);
  std::vector<double>& dense = scratch.arcs;
  PartMarginals marginals;
  std::vector<double> of_candidates;
  if (problem.arcs) of_candidates.assign(static_cast<std::size_t>(problem.arcs->arcs()), 0.0);
  dense.assign(size, 0.0);
  marginals.labels = problem.arcs ? of_candidates.data() : dense.data();
  if (!(scratch.sums.sum(problem, marginals) > kImpossible)) return false;
  if (problem.arcs) {
    std::fill(dense.begin(), dense.end(), kImpossible);
    for (int arc = 0; arc < problem.arcs->arcs(); ++arc)
      dense[at(problem.arcs->head(arc) * nodes + problem.arcs->modifier(arc))] =
          of_candidates[at(arc)];
  } else {
    for (std::size_t i = 0; i < size; ++i)
      if (problem.scores.labels[i] == kImpossible) dense[i] = kImpossible;
  }
  PartScores probabilities;
  probabilities.labels = dense.data();
  const Problem by_arcs{problem.words,      probabilities,      nullptr, Factorization::arc,
                        problem.projective, problem.single_root};
  if (!best_tree_of_parts(by_arcs, scratch, solution)) return false;
  solution.score = solution.bound = score_of_parts(problem, solution.heads, scratch.links);
  return true;
}

}  // namespace headwise::trees
