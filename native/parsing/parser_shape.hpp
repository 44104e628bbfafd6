// What a first-order parser computes, without its weights; and what goes into and comes out of a parser.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "scoring/arc_filter.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/labeler.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::parsing {

// How labels are found: not at all, over the finished tree, or inside the search. Latent labels are inside the
// search too, but no treebank names them: they are clusters of arcs that help to tell trees apart.
enum class LabelMode : std::uint8_t { none, separate, joint, latent };

struct ParserShape {
  ArcFilter filter;
  ArcTemplates arc_templates;
  LabelTemplates label_templates;
  LabelSet labels;
  LabelMode label_mode;
  bool projective;
  bool single_root;
  std::uint32_t arc_mask, label_mask;  // table sizes less one; both sizes are powers of two

  bool labels_in_search() const { return label_mode == LabelMode::joint || label_mode == LabelMode::latent; }

  bool labels_are_given() const { return label_mode == LabelMode::separate || label_mode == LabelMode::joint; }

  std::size_t arc_table_size() const { return static_cast<std::size_t>(arc_mask) + 1; }
  std::size_t label_table_size() const {
    return label_mode == LabelMode::none ? label_row_padding
                                         : static_cast<std::size_t>(label_mask) + 1 + label_row_padding;
  }
};

struct Weights {
  const float* arcs;  // and all larger parts
  const float* labels;
  const float* global = nullptr;  // features of whole trees
  const float* roles = nullptr;   // guessing roles; without them, a sentence has the roles that it came with
  NetworkTables network{};        // of its opinion; without them nobody asks it
};

// Which tree is given: the best one, or the one with the most words expected to be attached right, which is the
// best one under the probabilities of arcs as scores (Smith and Smith 2007, section 4; Goodman 1996). `dual` finds
// the best one by dual decomposition also where there is a dynamic program for it. Where arcs have latent labels z,
// map sums over them; max_z takes the best tree with the best z (Smith and Smith, section 5). `climb` and `sample`
// look for the best one from tree to tree, among trees whose arcs may cross, and may miss it.
enum class Decoder : std::uint8_t { map, minimum_risk, dual, max_z, climb, sample };

// Gold answers during training: a cost is added to every wrong head, and where the best label is searched to every
// wrong label.
struct Gold {
  std::span<const int> heads;
  std::span<const int> labels;
  double cost = 1.0;
};

struct ParseResult {
  std::vector<int> heads, labels;
  double score = 0;
  double bound = 0;      // no tree of the kind that is searched scores higher …
  bool exact = true;     // … and this one is proved to reach it
  bool limited = false;  // a limit on time or memory, and not the model alone, decided
};

}  // namespace headwise::parsing
