// What models 1 and 2 share: the regions between successive modifiers of a head (sibling g-spans; Koo's
// thesis, 5.4.2 and B.3.3).
//
//   B(h, m, s) = C(h, s, r) + C(h, m, r+1) + A(h, m)     s the next modifier towards h
//   B(h, m, –) = C(h, m, h+1) + A(h, m)                  m the innermost modifier
//
// A region knows the arc to its outer end and the rank j of its inner end among the modifiers of h on that
// side, 0 for none. Each arc belongs to exactly one region of a tree, which is where it is attached and
// where the sibling part is scored.
#pragma once
#include "rooms.hpp"
#include "grandparent_chart.hpp"
#include "head_view.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class SiblingRegions : public GrandparentChart {
 public:
  using GrandparentChart::GrandparentChart;

  int attached(const Item& item) const { return item.kind == Kind::between ? leaf(item.a) : -1; }

 protected:
  int region(int arc, int j) const { return own() + static_cast<int>(arcs_.sibling(arc, j)); }
  Item region_item(Kind kind, Index place) const {
    const int arc = arcs_.arc_of_sibling(place);
    return {kind, arc, static_cast<int>(place - arcs_.sibling(arc, 0))};
  }

  template <class Visit>
  void half_edges(int arc, int cell, Visit visit) const {
    const auto parts_from = [](Index place) { return [=](int k) { return Part<Outermost>{place + k}; }; };
    GrandparentChart::half_edges(arc, cell, parts_from, visit);
  }

  template <class Visit>
  void region_edges(int arc, int j, Visit visit) const {
    const int innermost = cell_towards(arcs_.head(arc), arcs_.modifier(arc));
    CandidateChart::region_edges(arc, j, [](int own) { return own; }, innermost, visit);
  }

  // The regions over the span from i to j.
  template <class Visit>
  void regions(int i, int j, Visit visit) const {
    CandidateChart::regions(i, j, [&](int arc, int rank) { visit(Item{Kind::between, arc, rank}); });
  }
};

}  // namespace headwise::trees
