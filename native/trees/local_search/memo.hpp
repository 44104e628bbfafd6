// Numbers that belong to arcs and depend on what is around them, remembered. What is around an arc has a name of 64
// random bits, so that a number is known again whenever a search comes back, by whatever way; that two surroundings
// share a name has a probability of 2⁻⁶⁴. A few numbers are kept for each arc, each in the place that its name says.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/index.hpp"

namespace headwise::trees {

template <int places>
class Memo {
 public:
  explicit Memo(int arcs) : kept_(static_cast<std::size_t>(arcs) * places) {}

  // compute(), unless it is known. No name is 0.
  template <class Compute>
  double look_up(int arc, std::uint64_t name, Compute compute) {
    Kept& kept = kept_[at(arc) * places + name % places];
    if (kept.name != name) kept = {name, compute()};
    return kept.number;
  }

 private:
  struct Kept {
    std::uint64_t name = 0;
    double number = 0;
  };
  std::vector<Kept> kept_;
};

}  // namespace headwise::trees
