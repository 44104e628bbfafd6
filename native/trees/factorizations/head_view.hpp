// What an automaton over the modifiers of one word has to know in order to score the parts of a factorization. One that
// says so can be searched over trees whose arcs cross (trees/dual) and by moving words (trees/local_search).
#pragma once
#include "rooms.hpp"
#include <cstdint>

namespace headwise::trees {

// Where a factorization looks at the grandparent: nowhere, at every modifier, or where a chain of modifiers ends.
enum class GrandparentView : std::uint8_t { none, every_modifier, last_modifiers };

struct HeadView {
  GrandparentView grandparent;
  int siblings;  // how many modifiers back a part reaches
};

}  // namespace headwise::trees
