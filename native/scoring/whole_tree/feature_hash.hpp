// A feature of a tree as a number: its name and the values that it joins, in their order. Part of the file format.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <string_view>

#include "base/hashing.hpp"

namespace headwise::scoring {

class FeatureName {
 public:
  explicit constexpr FeatureName(std::string_view name) : seed_(hash_bytes(name)) {}

  // Values are atoms (64-bit hashes), small numbers and flags.
  template <class... Values>
  constexpr std::uint64_t operator()(Values... values) const {
    std::uint64_t hash = seed_;
    ((hash = combine(hash, value_of(values))), ...);
    return hash;
  }

 private:
  static constexpr std::uint64_t value_of(std::uint64_t atom) { return atom; }
  static constexpr std::uint64_t value_of(int number) {
    return mix(static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15ULL);
  }
  std::uint64_t seed_;
};

// Where the weight of a feature lies.
constexpr std::uint32_t weight_of(std::uint64_t hash, std::uint32_t mask) {
  return static_cast<std::uint32_t>(hash >> 32) & mask;
}

// Lengths as people tell them apart: 1 2 3 4 5-6 7-9 10-14 15-24 25-39 40 and more.
constexpr int length_bin(int length) {
  constexpr int from[] = {1, 2, 3, 4, 5, 7, 10, 15, 25, 40};
  int bin = 0;
  while (bin < 9 && length >= from[bin + 1]) ++bin;
  return bin;
}

}  // namespace headwise::scoring
