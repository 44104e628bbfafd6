// Search and sums over projective trees whose labels are told apart inside the chart (labelled_carreras.hpp). As in
// search.hpp; trees come without labels, of which each depends on the tree alone.
#pragma once
#include "rooms.hpp"
#include "trees/compiled.hpp"
#include "trees/factorizations/labelled_arcs.hpp"

namespace headwise::trees {

double best_labelled_tree(const LabelledArcs& arcs, bool single_root, const PartScores& scores, int* heads,
                          DecodeScratch& scratch);
double sum_labelled_trees(const LabelledArcs& arcs, bool single_root, const PartScores& scores,
                          const PartMarginals& marginals, SumScratch& scratch);

}  // namespace headwise::trees
