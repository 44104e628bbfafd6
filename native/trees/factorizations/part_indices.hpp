// Compact tables and the nodes of their parts: from a place to node indices and back.
//
// The indices are those of dense tables: siblings [h, m, s] with s = h for none, tri-siblings [h, m, s, t]
// with t = h for none, grandchildren [g, h, m] with m = g for "none on the side of g" and m = h for "none on
// the other side", grand-siblings [g, h, m, s]. Places above the root have g = −1.
#pragma once
#include "rooms.hpp"
#include <array>

#include "candidates.hpp"

namespace headwise::trees {

// visit(place, {h, m, s}) for every sibling place.
template <class Visit>
void each_sibling(const Candidates& arcs, Visit visit) {
  for (int arc = 0; arc < arcs.arcs(); ++arc)
    for (int j = 0; j <= arcs.inner(arc); ++j) {
      const int s = j == 0 ? arcs.head(arc) : arcs.modifier(arcs.nearer(arc, j));
      visit(arcs.sibling(arc, j), std::array{arcs.head(arc), arcs.modifier(arc), s});
    }
}

template <class Visit>
void each_tri_sibling(const Candidates& arcs, Visit visit) {
  for (int arc = 0; arc < arcs.arcs(); ++arc)
    for (int j = 1; j <= arcs.inner(arc); ++j)
      for (int i = 0; i < j; ++i) {
        const int s = arcs.modifier(arcs.nearer(arc, j));
        const int t = i == 0 ? arcs.head(arc) : arcs.modifier(arcs.nearer(arc, i));
        visit(arcs.tri_sibling(arc, j, i), std::array{arcs.head(arc), arcs.modifier(arc), s, t});
      }
}

template <class Visit>
void each_grandchild(const Candidates& arcs, Visit visit) {
  for (int above = 0; above <= arcs.arcs(); ++above) {
    const int g = arcs.head(above), h = arcs.modifier(above);
    for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc)
      visit(arcs.grandchild(above, arc), std::array{g, h, arcs.modifier(arc)});
    visit(arcs.no_grandchild(above, true), std::array{g, h, g});
    visit(arcs.no_grandchild(above, false), std::array{g, h, h});
  }
}

template <class Visit>
void each_grand_sibling(const Candidates& arcs, Visit visit) {
  for (int above = 0; above <= arcs.arcs(); ++above) {
    const int g = arcs.head(above), h = arcs.modifier(above);
    for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc)
      for (int j = 0; j <= arcs.inner(arc); ++j) {
        const int s = j == 0 ? h : arcs.modifier(arcs.nearer(arc, j));
        visit(arcs.grand_sibling(above, arc, j), std::array{g, h, arcs.modifier(arc), s});
      }
  }
}

// The rank of s among the modifiers of h before m on its side: 0 for s = h, −1 when it is not one.
inline int sibling_rank(const Candidates& arcs, int h, int m, int s) {
  if (s == h) return 0;
  const int arc = s >= 1 ? arcs.find(h, s) : -1;
  const bool is_between = h < m ? h < s && s < m : m < s && s < h;
  return arc >= 0 && is_between ? arcs.inner(arc) + 1 : -1;
}
inline int arc_or_none(const Candidates& arcs, int h, int m) {
  const bool in_range = h >= 0 && h < arcs.nodes() && m >= 1 && m < arcs.nodes();
  return in_range ? arcs.find(h, m) : -1;
}

// The place of a part by its nodes, or −1 when the mask excludes it.
inline Index place_of_sibling(const Candidates& arcs, int h, int m, int s) {
  const int arc = arc_or_none(arcs, h, m);
  const int j = arc < 0 ? -1 : sibling_rank(arcs, h, m, s);
  return j < 0 ? -1 : arcs.sibling(arc, j);
}
inline Index place_of_tri_sibling(const Candidates& arcs, int h, int m, int s, int t) {
  const int arc = arc_or_none(arcs, h, m);
  const int j = arc < 0 || s == h ? -1 : sibling_rank(arcs, h, m, s);
  const int i = j < 0 ? -1 : sibling_rank(arcs, h, s, t);
  return i < 0 ? -1 : arcs.tri_sibling(arc, j, i);
}
inline Index place_of_grandchild(const Candidates& arcs, int g, int h, int m) {
  const int above = arc_or_none(arcs, g, h);
  if (above < 0) return -1;
  if (m == g || m == h) return arcs.no_grandchild(above, m == g);
  const int arc = arc_or_none(arcs, h, m);
  return arc < 0 ? -1 : arcs.grandchild(above, arc);
}
inline Index place_of_grand_sibling(const Candidates& arcs, int g, int h, int m, int s) {
  const int above = arc_or_none(arcs, g, h);
  const int arc = above < 0 ? -1 : arc_or_none(arcs, h, m);
  const int j = arc < 0 ? -1 : sibling_rank(arcs, h, m, s);
  return j < 0 ? -1 : arcs.grand_sibling(above, arc, j);
}

}  // namespace headwise::trees
