// A block of threads on a processor: what kernels/lanes.cuh asks of a GPU, by barriers. Slow, and so for small sentences;
// warps are of four lanes, so that a few of them make a block of several warps.
#pragma once
#include <barrier>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#define HEADWISE_DEVICE inline
namespace headwise::kernels {

inline constexpr int kWarp = 4;

struct Block {
  explicit Block(int lanes) : all(lanes), slots(lanes) {
    for (int warp = 0; warp < lanes / kWarp; ++warp) warps.push_back(std::make_unique<std::barrier<>>(kWarp));
  }
  std::barrier<> all;
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  struct alignas(64) Slot {
    char bytes[8];
  };
  std::vector<Slot> slots;
};

struct Lanes {
  Block* block;
  int rank_;

  int rank() const { return rank_; }
  int count() const { return static_cast<int>(block->slots.size()); }
  int warp() const { return kWarp; }
  void sync() const { block->all.arrive_and_wait(); }
  void sync_warp() const { block->warps[rank_ / kWarp]->arrive_and_wait(); }
  bool any(bool condition) const {
    std::memcpy(block->slots[rank_].bytes, &condition, sizeof condition);
    sync();
    bool result = false;
    for (const auto& slot : block->slots) result |= slot.bytes[0] != 0;
    sync();
    return result;
  }
  template <class T>
  T of_lane(T value, int lane) const {
    std::memcpy(block->slots[rank_].bytes, &value, sizeof value);
    sync_warp();
    T other;
    std::memcpy(&other, block->slots[rank_ / kWarp * kWarp + lane].bytes, sizeof other);
    sync_warp();
    return other;
  }
  template <class T>
  T of_other(T value, int bits) const {
    return of_lane(value, (rank_ ^ bits) % kWarp);
  }
};

}  // namespace headwise::kernels
