// A map from 64-bit numbers, in two arrays: for millions of entries, where a node for each would be most of the cost.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hashing.hpp"

namespace headwise::base {

// Open addressing, linear probing. The largest number marks an empty place, and is no key.
template <class Value>
class FlatMap {
 public:
  explicit FlatMap(std::size_t expected = 0) { reserve(expected); }

  void reserve(std::size_t entries) {
    if (keys_.size() >= 2 * entries && !keys_.empty()) return;
    std::size_t room = 16;
    while (room < 2 * entries) room *= 2;
    const auto keys = std::exchange(keys_, std::vector<std::uint64_t>(room, nothing));
    const auto values = std::exchange(values_, std::vector<Value>(room));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == nothing) continue;
      const std::size_t to = place(keys[i]);
      keys_[to] = keys[i];
      values_[to] = values[i];
    }
  }

  // The value of a key; Value{} at first.
  Value& operator[](std::uint64_t key) {
    if (2 * (size_ + 1) > keys_.size()) reserve(keys_.size());
    const std::size_t i = place(key);
    if (keys_[i] != key) {
      keys_[i] = key;
      values_[i] = Value{};
      ++size_;
    }
    return values_[i];
  }
  // Value{} where there is none.
  Value find(std::uint64_t key) const {
    const std::size_t i = place(key);
    return keys_[i] == key ? values_[i] : Value{};
  }
  std::size_t size() const { return size_; }

  template <class Visit>
  void visit(Visit visit) const {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] != nothing) visit(keys_[i], values_[i]);
  }
  // Forgets these keys, which must be all there are: in time of what was put in, not of the room that is there.
  void clear(const std::vector<std::uint64_t>& keys) {
    places_.clear();
    for (const std::uint64_t key : keys) places_.push_back(place(key));
    for (const std::size_t i : places_) keys_[i] = nothing;
    size_ = 0;
  }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  std::size_t place(std::uint64_t key) const {
    std::size_t i = mix(key) & (keys_.size() - 1);
    while (keys_[i] != nothing && keys_[i] != key) i = (i + 1) & (keys_.size() - 1);
    return i;
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<Value> values_;
  std::vector<std::size_t> places_;
};

}  // namespace headwise::base
