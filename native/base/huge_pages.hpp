// Vectors for large tables that are read at random: on huge pages where the system has them, because a
// table of 16 MB in 4 kB pages costs a page walk on nearly every load.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace headwise::base {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    const std::size_t size = (count * sizeof(T) + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, size);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <class U>
  bool operator==(const HugePageAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeTable = std::vector<T, HugePageAllocator<T>>;

inline void check_table_size(std::size_t found, std::size_t size, const char* name) {
  if (found != size) throw std::invalid_argument(std::string(name) + " weights: wrong table size");
}
// Weights from a file, of the size they must have; NaN or infinity among them would make scores meaningless.
inline LargeTable<float> checked_table(std::span<const float> weights, std::size_t size, const char* name) {
  check_table_size(weights.size(), size, name);
  float sum = 0;  // of x - x, which is 0 for every finite x
  for (const float x : weights) sum += x - x;
  if (sum != 0) throw std::invalid_argument(std::string(name) + " weights: some are not finite numbers");
  return {weights.begin(), weights.end()};
}
// From -127 to 127, with 128 added.
inline LargeTable<std::uint8_t> checked_bytes(std::span<const std::uint8_t> bytes, std::size_t size, const char* name) {
  check_table_size(bytes.size(), size, name);
  if (std::find(bytes.begin(), bytes.end(), 0) != bytes.end())
    throw std::invalid_argument(std::string(name) + " weights: some are out of range");
  return {bytes.begin(), bytes.end()};
}

}  // namespace headwise::base
