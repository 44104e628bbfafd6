// Weight tables on their way to Python and back: their size, their average, the state of an unfinished run.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "learning/averaged_weights.hpp"
#include "bind/arrays.hpp"
#include "learning/gradient_steps.hpp"

namespace headwise::bind {

inline Array<float> mean(const AveragedWeights& weights) {
  std::vector<float> out(weights.size());
  weights.average(out);
  return to_array(std::move(out));
}

inline void put_state(nanobind::dict& state, const std::string& name, AveragedWeights& weights) {
  state[(name + ".weights").c_str()] = to_array(std::vector<float>(weights.weights().begin(), weights.weights().end()));
  state[(name + ".delayed").c_str()] = to_array(std::vector<double>(weights.delayed().begin(), weights.delayed().end()));
  state[(name + ".steps").c_str()] = to_array(std::vector<std::int64_t>{static_cast<std::int64_t>(weights.steps())});
}

inline void take_state(const nanobind::dict& state, const std::string& name, AveragedWeights& weights) {
  const auto take = [&](const char* part, auto& into) {
    using T = typename std::remove_reference_t<decltype(into)>::value_type;
    const auto array = nanobind::cast<ArrayIn<T>>(state[(name + part).c_str()]);
    if (array.size() != into.size()) throw std::invalid_argument("the training state is of another model");
    std::copy(array.data(), array.data() + array.size(), into.begin());
  };
  std::vector<std::int64_t> steps(1);
  take(".weights", weights.weights());
  take(".delayed", weights.delayed());
  take(".steps", steps);
  weights.set_steps(static_cast<std::uint64_t>(steps[0]));
}

// Of learners that follow a gradient; others have no steps and no place in the state.
inline void put_steps(nanobind::dict& state, const std::string& name, GradientSteps* steps) {
  if (steps && steps->size()) state[(name + ".squares").c_str()] = to_array(steps->squares());
}

inline void take_steps(const nanobind::dict& state, const std::string& name, GradientSteps* steps) {
  if (!steps || !steps->size()) return;
  const auto array = nanobind::cast<ArrayIn<float>>(state[(name + ".squares").c_str()]);
  if (array.size() != steps->size()) throw std::invalid_argument("the training state is of another model");
  steps->set_squares(array.data());
}

}  // namespace headwise::bind
