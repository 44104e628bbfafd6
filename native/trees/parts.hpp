// The parts of trees and the tables that score them (Koo's thesis, Appendix B.1).
//
// A part says where its score lies: its index in each table that may score it. How tables are laid out is
// the factorization's affair: dense over all nodes (first order, siblings) or compact over the arcs that
// survived pruning (candidates.hpp). Any table may be left out; it then scores nothing.
#pragma once
#include "rooms.hpp"
#include <cstddef>

namespace headwise::trees {

using Index = std::ptrdiff_t;

// An arc of the tree, and the sense that its modifier has where words have senses.
struct Arc {
  int head, modifier;
  int sense = 0;
};

// An arc with one of its labels.
struct LabelPart {
  Index index;
};
// Where a modifier stands among those of its head on its side: 0 innermost, 1 second, 2 third (B.1.3).
struct PositionPart {
  Index arc;
  int position;
};
// Two successive modifiers.
struct SiblingPart {
  Index index;
};
// The same where it is known whether they are the innermost two (0) or not (1).
struct SiblingPositionPart {
  Index index;
  int position;
};
struct TriSiblingPart {
  Index index;
};
// A modifier and the head of its head, or the absence of such a modifier on one side (B.1.5).
struct GrandchildPart {
  Index index;
};
struct GrandchildPositionPart {
  Index index;
  int position;
};
struct GrandSiblingPart {
  Index index;
};
// A modifier with none further out on its side, and the head of its head; indexed like grandchildren.
struct OutermostPart {
  Index index;
};

// Several parts that one edge contains.
template <class... Parts>
struct PartList;
template <>
struct PartList<> {};
template <class First, class... Rest>
struct PartList<First, Rest...> {
  First first;
  PartList<Rest...> rest;
};
inline PartList<> part_list() { return {}; }
template <class First, class... Rest>
PartList<First, Rest...> part_list(First first, Rest... rest) {
  return {first, part_list(rest...)};
}

// One number for each part: scores (const double) or marginals (double).
template <class Number>
struct PartTables {
  Number* labels = nullptr;
  int label_count = 1;
  Number* positions[3] = {};
  Number* siblings = nullptr;
  Number* sibling_positions[2] = {};
  Number* tri_siblings = nullptr;
  Number* grandchildren = nullptr;
  Number* grandchild_positions[2] = {};
  Number* grand_siblings = nullptr;
  Number* outermost = nullptr;

  // visit(number) for every table entry that belongs to the part.
  template <class Visit>
  void entries(const LabelPart& part, Visit visit) const {
    visit(labels[part.index]);
  }
  template <class Visit>
  void entries(const PositionPart& part, Visit visit) const {
    if (positions[part.position]) visit(positions[part.position][part.arc]);
  }
  template <class Visit>
  void entries(const SiblingPart& part, Visit visit) const {
    if (siblings) visit(siblings[part.index]);
  }
  template <class Visit>
  void entries(const SiblingPositionPart& part, Visit visit) const {
    if (sibling_positions[part.position]) visit(sibling_positions[part.position][part.index]);
  }
  template <class Visit>
  void entries(const TriSiblingPart& part, Visit visit) const {
    if (tri_siblings) visit(tri_siblings[part.index]);
  }
  template <class Visit>
  void entries(const GrandchildPart& part, Visit visit) const {
    if (grandchildren) visit(grandchildren[part.index]);
  }
  template <class Visit>
  void entries(const GrandchildPositionPart& part, Visit visit) const {
    if (grandchild_positions[part.position]) visit(grandchild_positions[part.position][part.index]);
  }
  template <class Visit>
  void entries(const GrandSiblingPart& part, Visit visit) const {
    if (grand_siblings) visit(grand_siblings[part.index]);
  }
  template <class Visit>
  void entries(const OutermostPart& part, Visit visit) const {
    if (outermost) visit(outermost[part.index]);
  }
  template <class Visit>
  void entries(const PartList<>&, Visit) const {}
  template <class First, class... Rest, class Visit>
  void entries(const PartList<First, Rest...>& parts, Visit visit) const {
    entries(parts.first, visit);
    entries(parts.rest, visit);
  }

  // As a scorer.
  template <class Part>
  double operator()(const Part& part) const {
    double score = 0.0;
    entries(part, [&](const double& entry) { score += entry; });
    return score;
  }
  // As an accumulator.
  template <class Part>
  void add(const Part& part, double amount) const {
    entries(part, [&](double& entry) { entry += amount; });
  }
};

using PartScores = PartTables<const double>;
using PartMarginals = PartTables<double>;

}  // namespace headwise::trees
