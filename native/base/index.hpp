// Places in tables and charts.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <type_traits>

namespace headwise::base {

using Index = std::ptrdiff_t;

// Numbers of words and labels are signed, places in a vector are not.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }
template <class Kind>
  requires std::is_enum_v<Kind>
constexpr std::size_t at(Kind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace headwise::base
