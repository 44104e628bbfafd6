// Places in tables and charts.
#pragma once
#include "rooms.hpp"
#include <cstddef>

namespace headwise::trees {

using Index = std::ptrdiff_t;

}  // namespace headwise::trees
