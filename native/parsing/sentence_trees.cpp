#include "parsing/sentence_trees.hpp"

#include "parsing/arc_trees.hpp"
#include "parsing/labelled_part_trees.hpp"
#include "parsing/part_trees.hpp"

namespace headwise::parsing {

double SentenceTrees::sum_with(std::span<const int> heads, std::span<const int> labels,
                               CandidateTables& probabilities) {
  constrained_ = scores_;
  fix_labels(heads, labels, constrained_);
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

void SentenceTrees::list_scorers(std::span<const int> better, std::span<const int> worse, FeatureSink& parts) {
  if (!scorers_.any_learned()) return;
  start_amounts();
  for (int m = 1; m <= words_; ++m) {
    count_arc(better[at(m - 1)], m, +1);
    count_arc(worse[at(m - 1)], m, -1);
  }
  list_scorers(amounts_, 0.0, parts);
}

void SentenceTrees::list_scorers(const CandidateTables& numbers, double negligible, FeatureSink& parts) const {
  if (!scorers_.any_learned()) return;
  copy_arcs(numbers.arcs, 0.0, amounts_);
  list_scorers(amounts_, negligible, parts);
}

std::unique_ptr<SentenceTrees> make_trees(const ParserShape& shape, Scorers::Which which) {
  if (shape.labels_see_modifiers()) return std::make_unique<LabelledPartTrees>(shape, which);
  if (shape.has_larger_parts()) return std::make_unique<PartTrees>(shape, which);
  return std::make_unique<ArcTrees>(shape, which);
}

}  // namespace headwise::parsing
