// What a decoder is given and what it returns.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <optional>
#include <vector>

#include "trees/dual/branch_and_bound.hpp"
#include "trees/dual/head_automaton.hpp"
#include "trees/factorizations/candidates.hpp"
#include "trees/factorizations/labelled_arcs.hpp"
#include "trees/local_search/whole_tree_scorer.hpp"
#include "trees/parts.hpp"
#include "trees/search_defaults.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::trees {

// The trees of a sentence, and a score for each of their parts.
struct Problem {
  int words;
  PartScores scores;
  const Candidates* arcs;  // that the tables are over; nullptr where arcs alone are scored, at [h * (n + 1) + m]
  Factorization factorization;
  bool projective, single_root;
  WholeTreeScorer* whole = nullptr;        // what counts beside the parts; nullptr for nothing
  const LabelledArcs* labelled = nullptr;  // where labels are told apart inside the chart

  SearchProblem of_parts() const { return {*arcs, scores, factorization, projective, single_root}; }
};

// A tree, and how sure it is that no other scores higher.
struct Solution {
  std::vector<int> heads;
  double score = 0;
  double bound = 0;   // no tree of the kind that is searched scores higher …
  bool exact = true;  // … and this one is proved to reach it
};

// `map` is the best tree. `minimum_risk` is the one with the most words expected to be attached right, which is the best
// one under the probabilities of arcs as scores (Smith and Smith 2007, section 4; Goodman 1996). `dual` finds the best
// one by dual decomposition also where there is a dynamic program for it. Where arcs have latent labels z, map sums over
// them; `max_z` takes the best tree with the best z (Smith and Smith, section 5). `climb` and `sample` look for the best
// one from tree to tree, among trees whose arcs may cross, and may miss it. `projective` is the best tree without
// crossing arcs, whether or not trees may have some.
//
// To add one: a file beside this one with its function (a DecoderFunction, see decode.hpp), and a row: its name here, the
// name that users write, the function. (How arcs are scored is all in which max_z differs from map.)
#define HEADWISE_DECODERS(row)                            \
  row(map, "map", decode_map)                             \
  row(minimum_risk, "minimum-risk", decode_minimum_risk)  \
  row(dual, "dual", decode_dual)                          \
  row(max_z, "max-z", decode_map)                         \
  row(climb, "climb", decode_climb)                       \
  row(sample, "sample", decode_sample)                    \
  row(projective, "projective", decode_projective_tree)

#define HEADWISE_NAME(name, written, function) name,
enum class Decoder : std::uint8_t { HEADWISE_DECODERS(HEADWISE_NAME) };
#undef HEADWISE_NAME

struct DecodeOptions {
  int iterations = default_iterations;  // of dual decomposition, at most
  std::uint64_t seed = default_seed;    // of searches that start from random trees
  // Dual decomposition to the letter: these limits whatever the sentence, and no moves where they run out.
  std::optional<dual::BranchLimits> agreement{};
};

}  // namespace headwise::trees
