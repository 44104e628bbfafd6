// Hashes that never change: a model file stores weights by hash value, so these functions are part
// of the file format. Hand-written because std::hash differs between standard libraries.
#pragma once
#include "rooms.hpp"
#include <bit>
#include <cstdint>
#include <string_view>

namespace headwise::base {

// The finalizer of splitmix64: every input bit reaches every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Adds a value that is itself well mixed to a hash; order matters. One multiplication: the high half of
// the result is the good half.
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return (std::rotl(seed, 23) ^ value) * 0x9e3779b97f4a7c15ULL;
}

// The hash of bytes that come one after the other: FNV-1a, mixed in the end.
class BytesHash {
 public:
  constexpr void add(std::string_view bytes) {
    for (const char c : bytes) h_ = (h_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  constexpr std::uint64_t value() const { return mix(h_); }

 private:
  std::uint64_t h_ = 0xcbf29ce484222325ULL;
};
constexpr std::uint64_t hash_bytes(std::string_view bytes) {
  BytesHash hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace headwise::base
