// decode(problem, decoder, options) → solution: every search for a tree, by one call.
//
// A decoder is a file beside this one with a function of the type DecoderFunction, and a row in problem.hpp. Which
// decoder suits which trees is said in headwise/components/parser/decoders.py.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <string>

#include "trees/decode.hpp"
#include "trees/decoders/problem.hpp"
#include "trees/decoders/sums.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

// Memory that decoders reuse from sentence to sentence; one for each thread.
struct DecoderScratch {
  DecodeScratch charts;
  TreeSums sums;
  LinkedTree links;
  std::vector<double> arcs;
};

using DecoderFunction = bool (*)(const Problem&, const DecodeOptions&, DecoderScratch&, Solution&);

// By the name that users write.
Decoder decoder_of(const std::string& name);

// False where there is no tree; so below.
[[nodiscard]] bool decode(const Problem& problem, Decoder decoder, const DecodeOptions& options, DecoderScratch& scratch,
                          Solution& solution);

#define HEADWISE_DECLARED(name, written, function)                                                        \
  bool function(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch, Solution& solution);
HEADWISE_DECODERS(HEADWISE_DECLARED)
#undef HEADWISE_DECLARED

// What decoders share. The best tree of the parts where there is an exact algorithm for it: arcs alone, or projective
// trees.
bool best_tree_of_parts(const Problem& problem, DecoderScratch& scratch, Solution& solution);
// From the best tree of the parts, and from trees drawn by their arcs alone where arcs may cross, single moves to where
// the score with all features is highest. No bound is known for it.
void climb_with_whole_tree(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch,
                           Solution& solution);
// The score of a tree; −inf with a part that is not considered. The second counts features of whole trees too.
double score_of_parts(const Problem& problem, std::span<const int> heads, LinkedTree& links);
double score_of_tree(const Problem& problem, std::span<const int> heads, LinkedTree& links);

}  // namespace headwise::trees
