// The parts of a tree under each factorization: what a learner compares, and what a tree's score sums over.
// headwise.reference.parts defines the same in plain Python.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "trees/linked_tree.hpp"

namespace headwise::trees {

enum class Factorization : std::uint8_t { arc, sibling, carreras, model0, model1, model2 };

inline Factorization factorization_of(const std::string& name) {
  const char* names[] = {"arc", "sibling", "carreras", "model0", "model1", "model2"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i]) return static_cast<Factorization>(i);
  throw std::invalid_argument("no factorization is called '" + name +
                              "' (use arc, sibling, carreras, model0, model1 or model2)");
}

// Which kinds of parts a factorization has.
struct PartKinds {
  bool siblings, tri_siblings, grandchildren, grand_siblings, outermost;
  explicit PartKinds(Factorization f)
      : siblings(f != Factorization::arc && f != Factorization::model0),
        tri_siblings(f == Factorization::model2),
        grandchildren(f >= Factorization::carreras),
        grand_siblings(f == Factorization::model1 || f == Factorization::model2),
        outermost(grand_siblings) {}
};

// A modifier m of h among its siblings: s the next towards h and t the next after that, nobody for none; g is the
// head of h, which is of no concern where h is the root.
struct ModifierInTree {
  int g, h, m, s, t;
  bool outermost;
};

// Calls visit.sibling(h, m, s), visit.tri_sibling(h, m, s, t), visit.grandchild(g, h, m),
// visit.grand_sibling(g, h, m, s) and visit.outermost(g, h, m) for the parts that a modifier adds. Arcs are not
// listed. Nothing hangs above the root.
template <class Visit>
void for_each_part_of(Factorization factorization, const ModifierInTree& modifier, Visit&& visit) {
  const PartKinds kinds(factorization);
  const bool outermost_only = factorization == Factorization::carreras;
  const bool last_two_only = factorization == Factorization::model2;
  const auto [g, h, m, s, t, outermost] = modifier;
  if (kinds.siblings) visit.sibling(h, m, s);
  if (kinds.tri_siblings && s != nobody) visit.tri_sibling(h, m, s, t);
  if (h == 0) return;
  if (kinds.outermost && outermost) visit.outermost(g, h, m);
  if (kinds.grand_siblings && (outermost || !last_two_only)) visit.grand_sibling(g, h, m, s);
  if (!kinds.grandchildren) return;
  if (last_two_only) {
    if (!outermost) return;
    visit.grandchild(g, h, m);
    if (s != nobody) visit.grandchild(g, h, s);
  } else if (outermost || !outermost_only) {
    visit.grandchild(g, h, m);
  }
}

// All parts of a tree: as above, and visit.no_grandchild(h, m, side) for words without modifiers on a side; side 1
// is the right.
template <class Visit>
void for_each_part(Factorization factorization, const LinkedTree& tree, Visit&& visit) {
  const bool grandchildren = PartKinds(factorization).grandchildren;
  for (int m = 1; m <= tree.words(); ++m) {
    const int h = tree.head(m), s = tree.inner(m);
    for_each_part_of(factorization,
                     {h == 0 ? nobody : tree.head(h), h, m, s, s == nobody ? nobody : tree.inner(s), tree.is_outermost(m)},
                     visit);
    for (int side = 0; grandchildren && side < 2; ++side)
      if (!tree.has_modifiers(m, side)) visit.no_grandchild(h, m, side);
  }
}

}  // namespace headwise::trees
