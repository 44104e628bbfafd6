// How long and from where trees are searched, where nobody says.
#pragma once
#include "rooms.hpp"
#include <cstdint>

namespace headwise::trees {

inline constexpr std::uint64_t default_seed = 1;
inline constexpr int default_iterations = 20000;  // of dual decomposition
// In training, a tree that is not proved to be the best is still a rival worth learning from.
inline constexpr int training_iterations = 50;

}  // namespace headwise::trees
