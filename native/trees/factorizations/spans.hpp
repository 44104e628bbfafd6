// The spans of a sentence in an order in which every span comes after the spans inside it.
#pragma once
#include "rooms.hpp"

namespace headwise::trees {

// visit(phase, i, j) for 0 ≤ i < j < nodes, from short to long, the phases of a span in order. Spans of one
// width do not wait for each other.
template <class Visit>
void spans_bottom_up(int nodes, int phases, Visit visit) {
  for (int width = 1; width < nodes; ++width)
    for (int i = 0; i + width < nodes; ++i)
      for (int phase = 0; phase < phases; ++phase) visit(phase, i, i + width);
}

// The same spans and phases in exactly the opposite order.
template <class Visit>
void spans_top_down(int nodes, int phases, Visit visit) {
  for (int width = nodes - 1; width >= 1; --width)
    for (int i = nodes - 1 - width; i >= 0; --i)
      for (int phase = phases - 1; phase >= 0; --phase) visit(phase, i, i + width);
}

}  // namespace headwise::trees
