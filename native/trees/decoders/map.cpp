// The best tree: by a dynamic program or a spanning tree where there is one for it, else by dual decomposition; with
// features of whole trees, a climb from there.
#include "trees/decoders/decode.hpp"

namespace headwise::trees {

bool decode_map(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch, Solution& solution) {
  if (problem.arcs && !problem.projective) return decode_dual(problem, options, scratch, solution);
  if (!best_tree_of_parts(problem, scratch, solution)) return false;
  if (problem.whole) climb_with_whole_tree(problem, options, scratch, solution);
  return true;
}

}  // namespace headwise::trees
