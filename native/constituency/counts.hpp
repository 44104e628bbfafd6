// Counts of events by 64-bit keys, and what back-off smoothing asks of them.
#pragma once
#include "rooms.hpp"
#include <cstdint>

#include "base/flat_map.hpp"
#include "base/hashing.hpp"

namespace headwise::constituency {

// A key of several small numbers; the first tells the kind.
template <class... Numbers>
std::uint64_t key_of(std::uint64_t kind, Numbers... numbers) {
  std::uint64_t key = base::mix(kind + 1);
  ((key = base::mix(base::combine(key, static_cast<std::uint64_t>(numbers) + 1))), ...);
  return key >> 1;  // never the mark of an empty place
}

// How often a context was seen, with how many outcomes; how often an outcome was seen in it.
class EventCounts {
 public:
  struct Context {
    float times = 0, outcomes = 0;
  };

  explicit EventCounts(std::size_t expected) : contexts_(expected / 2), events_(expected) {}

  void add(std::uint64_t context, std::uint64_t outcome, float times) {
    float& seen = events_[pair(context, outcome)];
    Context& about = contexts_[context];
    if (seen == 0) ++about.outcomes;
    seen += times;
    about.times += times;
  }
  Context context(std::uint64_t key) const { return contexts_.find(key); }
  double times(std::uint64_t context, std::uint64_t outcome) const { return events_.find(pair(context, outcome)); }

  // λ e + (1 − λ) lower, with λ = f / (f + factor · u) (Collins 2003, equation 12).
  double smooth(const Context& about, std::uint64_t context, std::uint64_t outcome, double lower, double factor) const {
    if (about.times == 0) return lower;
    const double seen = times(context, outcome), weight = about.times / (about.times + factor * about.outcomes);
    return weight * seen / about.times + (1 - weight) * lower;
  }

 private:
  static std::uint64_t pair(std::uint64_t context, std::uint64_t outcome) {
    return base::mix(base::combine(context, base::mix(outcome + 1))) >> 1;
  }
  base::FlatMap<Context> contexts_;
  base::FlatMap<float> events_;
};

}  // namespace headwise::constituency
