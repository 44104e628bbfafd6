#include "parsing/sentence_trees.hpp"

#include "parsing/arc_trees.hpp"
#include "parsing/part_trees.hpp"

namespace headwise::parsing {

double SentenceTrees::sum_with(std::span<const int> heads, CandidateTables& probabilities) {
  constrained_ = scores_;
  std::vector<ArcInto> arcs;
  for (int m = 1; m <= words_; ++m) {
    const int given = heads[at(m - 1)];
    if (given < 0) continue;
    arcs_into(m, arcs);
    for (const ArcInto& arc : arcs)
      if (arc.head != given) constrained_.arcs[arc.place] = kImpossible;
  }
  return sum(constrained_, probabilities);
}

double SentenceTrees::best_score(const CandidateTables& scores) {
  return best_tree_of_parts(problem_of(scores), scratch_, best_) ? best_.score : kImpossible;
}

std::unique_ptr<SentenceTrees> make_trees(const ParserShape& shape, Scorers::Which which) {
  if (shape.has_larger_parts()) return std::make_unique<PartTrees>(shape, which);
  return std::make_unique<ArcTrees>(shape, which);
}

}  // namespace headwise::parsing
