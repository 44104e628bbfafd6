// A map from 64-bit numbers, in two arrays: for millions of entries, where a node for each would be most of the cost.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hashing.hpp"

namespace headwise::base {

// A value that is Value{} counts as absent: nothing can be put there, and nothing can be taken out again.
template <class Value>
class FlatMap {
 public:
  void reserve(std::size_t entries) {
    while (keys_.size() < 2 * entries) grow();
  }

  // The place of a key's value. What is put there must not be Value{}.
  Value& operator[](std::uint64_t key) {
    if (2 * (size_ + 1) > keys_.size()) grow();
    const std::size_t i = place(key);
    if (values_[i] == Value{}) {
      keys_[i] = key;
      ++size_;
    }
    return values_[i];
  }
  // Value{} where there is none.
  Value find(std::uint64_t key) const { return keys_.empty() ? Value{} : values_[place(key)]; }
  std::size_t size() const { return size_; }

  template <class Visit>
  void visit(Visit visit) const {
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (values_[i] != Value{}) visit(keys_[i], values_[i]);
  }

 private:
  std::size_t place(std::uint64_t key) const {
    std::size_t i = mix(key) & (keys_.size() - 1);
    while (values_[i] != Value{} && keys_[i] != key) i = (i + 1) & (keys_.size() - 1);
    return i;
  }
  void grow() {
    const std::size_t larger = std::max<std::size_t>(1 << 10, 2 * keys_.size());
    const auto keys = std::exchange(keys_, std::vector<std::uint64_t>(larger));
    const auto values = std::exchange(values_, std::vector<Value>(larger));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (values[i] == Value{}) continue;
      const std::size_t to = place(keys[i]);
      keys_[to] = keys[i];
      values_[to] = values[i];
    }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<Value> values_;
};

}  // namespace headwise::base
