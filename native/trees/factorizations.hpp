// The factorizations: this is the one list of them.
//
// Each is a class in factorizations/, which says how trees are built (hypergraph.hpp) and
//
//   Tables            the tables that it scores besides arcs: a KindList (part_kinds.hpp)
//   parts_of(m, v)    calls v(kind, words…) for the parts that a modifier adds to a tree. Empty sides of a head, where
//                     a kind has them, are left to whoever goes through the tree
//   head_view         what a head automaton has to know (head_view.hpp)
//   OverAllArcs       optional: a class for dense tables, which serves the library where there is one
//   OverCandidates    where the class itself is one for dense tables: what the parser searches instead
//
// and is made from candidates and from whether there is a single root. Without a head_view, it is for projective trees
// only: there is no search for crossing arcs.
#pragma once
#include "rooms.hpp"
#include <array>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "trees/factorizations/carreras.hpp"
#include "trees/factorizations/first_order.hpp"
#include "trees/factorizations/grand_tri_sibling.hpp"
#include "trees/factorizations/great_grand_sibling.hpp"
#include "trees/factorizations/model0.hpp"
#include "trees/factorizations/model1.hpp"
#include "trees/factorizations/model2.hpp"
#include "trees/factorizations/sibling.hpp"

// The name that users write, and the class. CMakeLists.txt reads these rows too: each class is compiled by itself.
#define HEADWISE_FACTORIZATIONS(row)          \
  row(arc, FirstOrder)                        \
  row(sibling, Sibling)                       \
  row(carreras, Carreras)                     \
  row(model0, Model0)                         \
  row(model1, Model1)                         \
  row(model2, Model2)                         \
  row(grand_tri_sibling, GrandTriSibling)     \
  row(great_grand_sibling, GreatGrandSibling)

namespace headwise::trees {

enum class Factorization : std::uint8_t {
#define HEADWISE_NAME(name, Trees) name,
  HEADWISE_FACTORIZATIONS(HEADWISE_NAME)
#undef HEADWISE_NAME
};

inline constexpr const char* factorization_names[] = {
#define HEADWISE_NAME(name, Trees) #name,
    HEADWISE_FACTORIZATIONS(HEADWISE_NAME)
#undef HEADWISE_NAME
};

// f(std::type_identity<Trees>) for the class of a factorization.
template <class F>
auto with_factorization(Factorization factorization, F&& f) {
  switch (factorization) {
#define HEADWISE_CASE(name, Trees) \
  case Factorization::name:        \
    return f(std::type_identity<Trees>{});
    HEADWISE_FACTORIZATIONS(HEADWISE_CASE)
#undef HEADWISE_CASE
  }
  __builtin_unreachable();
}

inline Factorization factorization_of(const std::string& name) {
  std::string known;
  int number = 0;
  for (const char* other : factorization_names) {
    if (name == other) return static_cast<Factorization>(number);
    known += (number++ ? ", " : "") + std::string(other);
  }
  throw std::invalid_argument("no factorization is called '" + name + "' (there are " + known + ")");
}

template <class Kind>
bool has_kind(Factorization factorization) {
  return with_factorization(factorization, []<class Trees>(std::type_identity<Trees>) {
    return Trees::Tables::template has<Kind>;
  });
}

template <class Trees>
concept HasHeadView = requires { Trees::head_view; };

inline bool has_head_view(Factorization factorization) {
  return with_factorization(factorization, []<class Trees>(std::type_identity<Trees>) { return HasHeadView<Trees>; });
}
// As with_factorization, for those whose trees may have crossing arcs; an error for others.
template <class F>
auto with_head_view(Factorization factorization, F&& f) {
  using Result = decltype(f(std::type_identity<FirstOrder>{}));
  return with_factorization(factorization, [&]<class Trees>(std::type_identity<Trees> trees) -> Result {
    if constexpr (HasHeadView<Trees>)
      return f(trees);
    else
      throw std::invalid_argument("this factorization is for projective trees only");
  });
}
inline HeadView head_view(Factorization factorization) {
  return with_head_view(factorization, []<class Trees>(std::type_identity<Trees>) { return Trees::head_view; });
}

// Whether the class is made from candidates, or from a number of words.
template <class Trees>
concept IsOverCandidates = std::constructible_from<Trees, const Candidates&, bool>;

}  // namespace headwise::trees
