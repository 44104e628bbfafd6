#include "trees/labelled_search.hpp"

#include "trees/compile.hpp"
#include "trees/factorizations/labelled_carreras.hpp"

namespace headwise::trees {

double best_labelled_tree(const LabelledArcs& arcs, bool single_root, const PartScores& scores, int* heads,
                          DecodeScratch& scratch) {
  return best_of(LabelledCarreras(arcs, single_root), scores, heads, scratch);
}

double sum_labelled_trees(const LabelledArcs& arcs, bool single_root, const PartScores& scores,
                          const PartMarginals& marginals, SumScratch& scratch) {
  return sum_of(LabelledCarreras(arcs, single_root), scores, marginals, scratch);
}

}  // namespace headwise::trees
