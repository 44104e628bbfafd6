// Counts of events by 64-bit keys, and what back-off smoothing asks of them.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"

namespace headwise::constituency {

// A map from keys to small values: open addressing, linear probing.
template <class Value>
class FlatMap {
 public:
  explicit FlatMap(std::size_t expected = 16) { resize(expected); }

  // The value of a key, made anew where there is none.
  Value& operator[](std::uint64_t key) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::size_t slot = find(key);
    if (keys_[slot] != key) {
      keys_[slot] = key;
      values_[slot] = Value{};
      ++used_;
    }
    return values_[slot];
  }
  const Value* get(std::uint64_t key) const {
    const std::size_t slot = find(key);
    return keys_[slot] == key ? &values_[slot] : nullptr;
  }
  std::size_t size() const { return used_; }
  // Forgets these keys, which must be all there are: in time of what was put in, not of the room that is there.
  void clear(const std::vector<std::uint64_t>& keys) {
    slots_.clear();
    for (const std::uint64_t key : keys) slots_.push_back(find(key));
    for (const std::size_t slot : slots_) keys_[slot] = kNone;
    used_ = 0;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  void resize(std::size_t expected) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    keys_.assign(size, kNone);
    values_.assign(size, Value{});
  }
  void grow() {
    std::vector<std::uint64_t> keys = std::move(keys_);
    std::vector<Value> values = std::move(values_);
    resize(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (keys[k] != kNone) {
        const std::size_t slot = find(keys[k]);
        keys_[slot] = keys[k];
        values_[slot] = values[k];
      }
  }
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = base::mix(key) & mask;
    while (keys_[slot] != key && keys_[slot] != kNone) slot = (slot + 1) & mask;
    return slot;
  }
  std::vector<std::uint64_t> keys_;
  std::vector<Value> values_;
  std::vector<std::size_t> slots_;
  std::size_t used_ = 0;
};

// A key of several small numbers; the first tells the kind.
template <class... Numbers>
std::uint64_t key_of(std::uint64_t kind, Numbers... numbers) {
  std::uint64_t key = base::mix(kind + 1);
  ((key = base::mix(base::combine(key, static_cast<std::uint64_t>(numbers) + 1))), ...);
  return key >> 1;  // never the mark of an empty slot
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
  Context context(std::uint64_t key) const {
    const Context* found = contexts_.get(key);
    return found ? *found : Context{};
  }
  double times(std::uint64_t context, std::uint64_t outcome) const {
    const float* found = events_.get(pair(context, outcome));
    return found ? *found : 0.0;
  }

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
  FlatMap<Context> contexts_;
  FlatMap<float> events_;
};

}  // namespace headwise::constituency
