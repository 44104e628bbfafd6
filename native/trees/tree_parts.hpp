// The parts of a tree under each factorization, by its words: what a learner compares, and what a tree's score sums
// over. headwise.reference.parts defines the same in plain Python.
#pragma once
#include "rooms.hpp"
#include <type_traits>

#include "trees/factorizations.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

// Calls visit(kind, words…) for the parts that a modifier adds: (Siblings{}, h, m, s), (Grandchildren{}, g, h, m) and
// so on, nobody where there is no sibling. Arcs are not listed. Nothing hangs above the root.
template <class Visit>
void for_each_part_of(Factorization factorization, const ModifierInTree& modifier, Visit&& visit) {
  with_factorization(factorization, [&]<class Trees>(std::type_identity<Trees>) { Trees::parts_of(modifier, visit); });
}

// All parts of a tree: as above, and visit.empty_side(kind, h, m, side) for words without modifiers on a side; side 1
// is the right.
template <class Visit>
void for_each_part(Factorization factorization, const LinkedTree& tree, Visit&& visit) {
  with_factorization(factorization, [&]<class Trees>(std::type_identity<Trees>) {
    for (int m = 1; m <= tree.words(); ++m) {
      Trees::parts_of(tree.modifier(m), visit);
      if constexpr (Trees::Tables::template has<Grandchildren>)
        for (int side = 0; side < 2; ++side)
          if (!tree.has_modifiers(m, side)) visit.empty_side(Grandchildren{}, tree.head(m), m, side);
    }
  });
}

}  // namespace headwise::trees
