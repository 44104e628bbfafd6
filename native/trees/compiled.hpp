// What the parser and the library ask of a factorization. The class of each is compiled in a file of its own, which the
// build makes from the rows of factorizations.hpp: these are the largest templates there are.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <vector>

#include "trees/decode.hpp"
#include "trees/distribution.hpp"
#include "trees/factorizations.hpp"
#include "trees/parts.hpp"
#include "trees/sum_of_weights.hpp"

namespace headwise::trees {

struct SumScratch {
  SumOfWeights::Chart chart;
  SumOfWeights::Scratch scratch;
  std::vector<double> usage;
};

// Whether the library's tables of a factorization are dense, over all arcs.
template <class Trees>
inline constexpr bool is_dense = !IsOverCandidates<Trees> || requires { typename Trees::OverAllArcs; };

template <class Trees>
struct Compiled {
  // Over dense tables where is_dense and there are no candidates, and then only the number of words counts.
  static std::unique_ptr<Distribution> distribution(const Candidates* arcs, int words, const PartScores& scores,
                                                    bool single_root);
  static double best(const Candidates& arcs, bool single_root, const PartScores& scores, int* heads,
                     DecodeScratch& scratch)
    requires IsOverCandidates<Trees>;
  static double sum(const Candidates& arcs, bool single_root, const PartScores& scores, const PartMarginals& marginals,
                    SumScratch& scratch)
    requires IsOverCandidates<Trees>;
};

}  // namespace headwise::trees
