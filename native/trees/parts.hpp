// The parts of trees and the tables that score them (Koo's thesis, Appendix B.1).
//
// A part says where its score lies: its index in each table that may score it. How tables are laid out is
// the factorization's affair: dense over all nodes (first order, siblings) or compact over the arcs that
// survived pruning (candidates.hpp). Any table may be left out; it then scores nothing.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/index.hpp"
#include "trees/part_kinds.hpp"

namespace headwise::trees {

// An arc with one of its labels.
struct LabelPart {
  Index index;
};
template <class Kind>
struct Part {
  Index index;
};
// A part and where it stands among those of its kind under its head, on its side: 0 innermost, 1 second, 2 third
// (B.1.3); what exactly is counted is the factorization's affair.
template <class Kind>
struct PositionPart {
  Index index;
  int position;
};

// A part and the label of its arc, where labels are told apart inside the chart (factorizations/labelled_arcs.hpp).
enum class LabelledKind : std::uint8_t { arc, sibling, grandchild };
template <LabelledKind kind>
struct LabelledPart {
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
  std::array<Number*, PartKinds::size> kinds{};
  std::array<std::array<Number*, most_positions>, PositionalKinds::size> by_position{};
  std::array<Number*, 3> labelled{};  // by LabelledKind

  // The table of a kind, as in tables[Siblings{}]; null where there is none.
  template <class Kind>
  Number*& operator[](Kind) {
    return kinds[PartKinds::index<Kind>()];
  }
  template <class Kind>
  Number* operator[](Kind) const {
    return kinds[PartKinds::index<Kind>()];
  }
  template <class Kind>
  std::array<Number*, most_positions>& positions(Kind) {
    return by_position[PositionalKinds::index<Kind>()];
  }

  // visit(number) for every table entry that belongs to the part.
  template <class Visit>
  void entries(const LabelPart& part, Visit visit) const {
    visit(labels[part.index]);
  }
  template <class Kind, class Visit>
  void entries(const Part<Kind>& part, Visit visit) const {
    if (Number* table = (*this)[Kind{}]) visit(table[part.index]);
  }
  template <class Kind, class Visit>
  void entries(const PositionPart<Kind>& part, Visit visit) const {
    if (Number* table = by_position[PositionalKinds::index<Kind>()][part.position]) visit(table[part.index]);
  }
  template <LabelledKind kind, class Visit>
  void entries(const LabelledPart<kind>& part, Visit visit) const {
    if (Number* table = labelled[at(kind)]) visit(table[part.index]);
  }
  template <class Visit>
  void entries(const PartList<>&, Visit) const {}
  template <class First, class... Rest, class Visit>
  void entries(const PartList<First, Rest...>& parts, Visit visit) const {
    entries(parts.first, visit);
    entries(parts.rest, visit);
  }

  // As a scorer.
  template <class AnyPart>
  double operator()(const AnyPart& part) const {
    double score = 0.0;
    entries(part, [&](const double& entry) { score += entry; });
    return score;
  }
  // As an accumulator.
  template <class AnyPart>
  void add(const AnyPart& part, double amount) const {
    entries(part, [&](double& entry) { entry += amount; });
  }
};

using PartScores = PartTables<const double>;
using PartMarginals = PartTables<double>;

}  // namespace headwise::trees
