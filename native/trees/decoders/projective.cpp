// The best tree without crossing arcs of a problem whose trees may have some: exact by a dynamic program, where the best
// of all trees is NP-hard to find.
#include "trees/decoders/decode.hpp"

namespace headwise::trees {

bool decode_projective_tree(const Problem& problem, const DecodeOptions& options, DecoderScratch& scratch,
                            Solution& solution) {
  Problem without_crossings = problem;
  without_crossings.projective = true;
  return decode_map(without_crossings, options, scratch, solution);
}

}  // namespace headwise::trees
