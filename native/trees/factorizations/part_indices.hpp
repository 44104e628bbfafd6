// Compact tables and the nodes of their parts: from a place to node indices and back.
//
// The indices are those of dense tables: part_kinds.hpp says what they are. Places above the root have −1 for the
// missing ancestor.
#pragma once
#include "rooms.hpp"
#include <array>

#include "trees/part_kinds.hpp"

namespace headwise::trees {

// visit(ranks…) for the siblings that parts of this kind may have inside an arc: none, (j) or (j, i).
template <class Kind, class Visit>
void each_rank(const Candidates& arcs, int arc, Visit visit) {
  static_assert(Kind::siblings <= 2);
  if constexpr (Kind::siblings == 0) {
    visit();
  } else if constexpr (Kind::siblings == 1) {
    for (int j = 0; j <= arcs.inner(arc); ++j) visit(j);
  } else {
    for (int j = 1; j <= arcs.inner(arc); ++j)
      for (int i = 0; i < j; ++i) visit(j, i);
  }
}

// The nodes of a part by its path and the ranks of its siblings; `none` stands where there is no sibling.
template <class Kind, class... Ranks>
std::array<int, Kind::words> nodes_of_part(const Candidates& arcs, const typename Kind::Path& path,
                                           [[maybe_unused]] int none, Ranks... ranks) {
  static_assert(sizeof...(Ranks) == Kind::siblings);
  const int arc = path.back();
  std::array<int, Kind::words> nodes;
  std::size_t next = 0;
  for (const int step : path) nodes[next++] = arcs.head(step);
  nodes[next++] = arcs.modifier(arc);
  ((nodes[next++] = ranks == 0 ? none : arcs.modifier(arcs.nearer(arc, ranks))), ...);
  return nodes;
}

// visit(place, nodes) for every place of a kind, the empty sides of a head after its modifiers, visited by
// visit_empty(place, nodes).
template <class Kind, class Visit, class VisitEmpty>
void each_place(const Candidates& arcs, Visit visit, VisitEmpty visit_empty) {
  typename Kind::Path path{};
  const auto go_down = [&](const auto& self, std::size_t depth, int first, int last) -> void {
    for (int arc = first; arc < last; ++arc) {
      path[depth] = arc;
      const int node = arcs.modifier(arc);
      if (depth + 1 < path.size()) {
        self(self, depth + 1, arcs.begin(node), arcs.end(node));
      } else {
        each_rank<Kind>(arcs, arc, [&](auto... ranks) {
          visit(Kind::place(arcs, path, ranks...), nodes_of_part<Kind>(arcs, path, arcs.head(arc), ranks...));
        });
      }
      if constexpr (Kind::has_empty_places) {
        if (depth > 0) continue;
        const int g = arcs.head(arc);
        visit_empty(arcs.no_grandchild(arc, true), std::array{g, node, g});
        visit_empty(arcs.no_grandchild(arc, false), std::array{g, node, node});
      }
    }
  };
  go_down(go_down, 0, 0, arcs.arcs() + (Kind::ancestors > 0 ? 1 : 0));
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
template <class Kind>
Index place_of(const Candidates& arcs, const std::array<int, Kind::words>& nodes) {
  typename Kind::Path path;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if constexpr (Kind::has_empty_places)
      if (k == 1 && (nodes[2] == nodes[0] || nodes[2] == nodes[1]))
        return arcs.no_grandchild(path[0], nodes[2] == nodes[0]);
    path[k] = arc_or_none(arcs, nodes[k], nodes[k + 1]);
    if (path[k] < 0) return -1;
  }
  int ranks[2] = {};
  const int h = nodes[Kind::spine - 2];
  for (int k = 0; k < Kind::siblings; ++k) {
    const int outer = nodes[Kind::spine - 1 + k];
    ranks[k] = outer == h ? -1 : sibling_rank(arcs, h, outer, nodes[Kind::spine + k]);
    if (ranks[k] < 0) return -1;
  }
  return Kind::place(arcs, path, ranks[0], ranks[1]);
}

}  // namespace headwise::trees
