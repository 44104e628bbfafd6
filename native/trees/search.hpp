// Search and sums over the projective trees of any factorization. Compiled once, in search.cpp: these are the
// largest templates of the parser.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/decode.hpp"
#include "trees/factorizations/candidates.hpp"
#include "trees/tree_parts.hpp"
#include "trees/parts.hpp"
#include "trees/sum_of_weights.hpp"

namespace headwise::trees {

struct SumScratch {
  SumOfWeights::Chart chart;
  SumOfWeights::Scratch scratch;
  std::vector<double> usage;
};

// Fills heads[m - 1] and returns the score; −inf where there is no tree.
double best_projective_tree(Factorization factorization, const Candidates& arcs, bool single_root,
                            const PartScores& scores, int* heads, DecodeScratch& scratch);

// log Z, and the probability of every part into tables that were zero; −inf where there is no tree.
double sum_projective_trees(Factorization factorization, const Candidates& arcs, bool single_root,
                            const PartScores& scores, const PartMarginals& marginals, SumScratch& scratch);

}  // namespace headwise::trees
