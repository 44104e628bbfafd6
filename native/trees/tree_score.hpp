// Whole trees over the compact tables of their candidates: their score, which is the sum over their parts, and the
// marking of their parts.
#pragma once
#include "rooms.hpp"
#include <array>
#include <limits>
#include <span>

#include "trees/factorizations/part_indices.hpp"
#include "trees/tree_parts.hpp"
#include "trees/parts.hpp"

namespace headwise::trees {

// Shown the parts of a tree (tree_parts.hpp), calls visit(table, place) for each whose kind has a table; the place is
// −1 for a part that is not a candidate.
template <class Number, class Visit>
struct PartPlaces {
  const Candidates& arcs;
  PartTables<Number> tables;
  Visit visit;

  void arc(int h, int m) const { at(tables.labels, arcs.find(h, m)); }
  template <class Kind, class... Words>
  void operator()(Kind kind, Words... words) const {
    std::array<int, Kind::words> nodes{words...};
    for (int& node : nodes)
      if (node == nobody) node = nodes[Kind::spine - 2];  // no sibling: h takes its place
    at(tables[kind], place_of<Kind>(arcs, nodes));
  }
  template <class Kind>
  void empty_side(Kind kind, int g, int h, int side) const {
    const bool faces_head = (side == 0) == (g < h);
    at(tables[kind], place_of<Kind>(arcs, {g, h, faces_head ? g : h}));
  }

 private:
  void at(Number* table, Index place) const {
    if (table) visit(table, place);
  }
};
template <class Number, class Visit>
PartPlaces<Number, Visit> part_places(const Candidates& arcs, const PartTables<Number>& tables, Visit visit) {
  return {arcs, tables, visit};
}

// A sum of scores; −inf with a part that is not a candidate.
struct PartSum {
  double total = 0;
  auto visitor(const Candidates& arcs, const PartScores& scores) {
    return part_places(arcs, scores, [this](const double* table, Index place) {
      total += place < 0 ? -std::numeric_limits<double>::infinity() : table[place];
    });
  }
};

// The arcs and the larger parts of a tree. `links` is scratch memory.
template <class Places>
void show_tree(const Places& places, Factorization factorization, std::span<const int> heads, LinkedTree& links) {
  links.assign(heads);
  for (int m = 1; m <= links.words(); ++m) places.arc(links.head(m), m);
  for_each_part(factorization, links, places);
}

// −inf for a tree with an arc or part that is not a candidate.
inline double tree_score(const Candidates& arcs, const PartScores& scores, Factorization factorization,
                         std::span<const int> heads, LinkedTree& links) {
  PartSum sum;
  show_tree(sum.visitor(arcs, scores), factorization, heads, links);
  return sum.total;
}

// Adds an amount to the entries of all parts of a tree that is made of candidates.
inline void add_to_tree(const Candidates& arcs, const PartMarginals& tables, Factorization factorization,
                        std::span<const int> heads, double amount, LinkedTree& links) {
  const auto places = part_places(arcs, tables, [=](double* table, Index place) { table[place] += amount; });
  show_tree(places, factorization, heads, links);
}

}  // namespace headwise::trees
