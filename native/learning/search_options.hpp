// How trees are searched in training.
#pragma once
#include "rooms.hpp"
#include "trees/decoders/problem.hpp"

namespace headwise::learning {

inline constexpr DecodeOptions training_search{.iterations = training_iterations};

}  // namespace headwise::learning
