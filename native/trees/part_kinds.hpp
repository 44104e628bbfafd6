// The kinds of parts that scores and marginals may be about. This is the one list of them: tables, their places, their
// names in Python, the loops of the scorer are all written over it. A new kind is a struct and its name in the list.
//
// A part is named by its nodes, the uppermost ancestor first: [f, g, h, m, s, t] or some of these in a row, m a
// modifier of h, g and f the heads above h, s and t the next modifiers of h on the way from m to h. In dense tables
// s = h (or t = h) stands for none.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "trees/factorizations/candidates.hpp"

namespace headwise::trees {

// A shape and its numbering over candidates. `spine` nodes lead down to the modifier.
template <int ancestors_, int siblings_>
struct PartShape {
  static constexpr int ancestors = ancestors_, siblings = siblings_, spine = ancestors + 2, words = spine + siblings;
  // Whether "no modifier on this side" has places too: [g, h, g] on the side of g and [g, h, h] on the other; and
  // whether these are parts (B.1.5).
  static constexpr bool has_empty_places = false, has_empty_sides = false;
  using Path = std::array<int, ancestors + 1>;

  static Index count(const Candidates& arcs) { return arcs.count<ancestors, siblings>(); }
  static Index place(const Candidates& arcs, const Path& path, int j = 0, int i = 0) {
    return arcs.place<ancestors, siblings>(path, j, i);
  }
};
struct GrandchildShape : PartShape<1, 0> {
  static constexpr bool has_empty_places = true;
  static Index count(const Candidates& arcs) { return arcs.grandchild_count(); }
  static Index place(const Candidates& arcs, const Path& path, int = 0, int = 0) {
    return arcs.grandchild(path[0], path[1]);
  }
};

// `name` is what one part is called, and its table of feature templates; `table` is the table of all of them.
struct Arcs : PartShape<0, 0> {
  static constexpr std::string_view name = "arc", table = "arcs";
};
// Two successive modifiers.
struct Siblings : PartShape<0, 1> {
  static constexpr std::string_view name = "sibling", table = "siblings";
};
struct TriSiblings : PartShape<0, 2> {
  static constexpr std::string_view name = "tri_sibling", table = "tri_siblings";
};
// A modifier and the head of its head, or the absence of such a modifier on one side.
struct Grandchildren : GrandchildShape {
  static constexpr std::string_view name = "grandchild", table = "grandchildren";
  static constexpr bool has_empty_sides = true;
};
struct GrandSiblings : PartShape<1, 1> {
  static constexpr std::string_view name = "grand_sibling", table = "grand_siblings";
};
// A modifier with none further out on its side, and the head of its head; numbered like grandchildren.
struct Outermost : GrandchildShape {
  static constexpr std::string_view name = "outermost", table = "outermost";
};

struct GrandTriSiblings : PartShape<1, 2> {
  static constexpr std::string_view name = "grand_tri_sibling", table = "grand_tri_siblings";
};

struct GreatGrandchildren : PartShape<2, 0> {
  static constexpr std::string_view name = "great_grandchild", table = "great_grandchildren";
};
struct GreatGrandSiblings : PartShape<2, 1> {
  static constexpr std::string_view name = "great_grand_sibling", table = "great_grand_siblings";
};

template <class... Kinds>
struct KindList {
  static constexpr std::size_t size = sizeof...(Kinds);
  template <class Kind>
  static constexpr bool has = (std::is_same_v<Kind, Kinds> || ...);
  // f(Kind{}) for each.
  template <class F>
  static constexpr void each(F&& f) {
    (f(Kinds{}), ...);
  }
  template <class Kind>
  static constexpr std::size_t index() {
    static_assert(has<Kind>);
    std::size_t index = 0;
    (void)((std::is_same_v<Kind, Kinds> || (++index, false)) || ...);
    return index;
  }
};

// All kinds but arcs, which every factorization has.
using PartKinds = KindList<Siblings, TriSiblings, Grandchildren, GrandSiblings, Outermost, GrandTriSiblings,
                           GreatGrandchildren, GreatGrandSiblings>;

// Kinds whose parts can also be scored by position, inner and outer ones apart (B.1.3): tables with a row for each.
using PositionalKinds = KindList<Arcs, Siblings, Grandchildren>;
inline constexpr int most_positions = 3;
template <class Kind>
std::string position_table() {
  return std::string(Kind::name) + "_positions";
}

// The tables of a factorization are a KindList of kinds and of these: as many positions as it tells apart.
template <class Kind, int count_>
struct Positions {
  static constexpr int count = count_;
};

}  // namespace headwise::trees
