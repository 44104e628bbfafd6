// A block of lanes on a processor: what kernels/lanes.cuh asks of a GPU. Each lane has a stack of its own and runs until
// it waits for others, then the next one does. So one lane is as far ahead of the others as it can be: where they should
// have waited for each other and did not, they meet what is not there yet, or not any more. Warps are of four lanes, so
// that a few of them make a block of several warps.
#pragma once
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define HEADWISE_DEVICE inline
namespace headwise::kernels {

inline constexpr int kWarp = 4;

class Block {
 public:
  // work(rank) in every lane. With `backwards`, the last lane is the one ahead.
  Block(int lanes, bool backwards, std::function<void(int)> work)
      : slots(lanes), lanes_(lanes), backwards_(backwards), work_(std::move(work)), contexts_(lanes), stacks_(lanes),
        finished_(lanes), all_{lanes}, warps_(lanes / kWarp, Barrier{kWarp}) {}

  void run() {
    running = this;
    for (int rank = 0; rank < lanes_; ++rank) {
      getcontext(&contexts_[rank]);
      stacks_[rank].resize(1 << 16);
      contexts_[rank].uc_stack.ss_sp = stacks_[rank].data();
      contexts_[rank].uc_stack.ss_size = stacks_[rank].size();
      contexts_[rank].uc_link = &scheduler_;
      makecontext(&contexts_[rank], &Block::start, 0);
    }
    for (int left = lanes_; left > 0;) {
      moved_ = false;
      for (int k = 0; k < lanes_; ++k) {
        rank_ = backwards_ ? lanes_ - 1 - k : k;
        if (finished_[rank_]) continue;
        swapcontext(&scheduler_, &contexts_[rank_]);
        left -= finished_[rank_];
      }
      if (!moved_) {
        std::fputs("lanes wait for each other in different places\n", stderr);
        std::abort();
      }
    }
  }

  void wait() { wait(all_); }
  void wait_for_warp(int rank) { wait(warps_[rank / kWarp]); }

  struct Slot {
    char bytes[8];
  };
  std::vector<Slot> slots;

 private:
  struct Barrier {
    int size, arrived = 0;
    long generation = 0;
  };

  static void start() {
    running->work_(running->rank_);
    running->finished_[running->rank_] = true;
    running->moved_ = true;
  }
  void wait(Barrier& barrier) {
    moved_ = true;
    if (++barrier.arrived == barrier.size) {
      barrier.arrived = 0;
      ++barrier.generation;
      return;
    }
    for (const long generation = barrier.generation; generation == barrier.generation;) {
      const int rank = rank_;
      swapcontext(&contexts_[rank], &scheduler_);
    }
    moved_ = true;
  }

  static inline Block* running = nullptr;
  int lanes_, rank_ = 0;
  bool backwards_, moved_ = false;
  std::function<void(int)> work_;
  ucontext_t scheduler_;
  std::vector<ucontext_t> contexts_;
  std::vector<std::vector<char>> stacks_;
  std::vector<int> finished_;
  Barrier all_;
  std::vector<Barrier> warps_;
};

struct Lanes {
  Block* block;
  int rank_;

  int rank() const { return rank_; }
  int count() const { return static_cast<int>(block->slots.size()); }
  int warp() const { return kWarp; }
  void sync() const { block->wait(); }
  void sync_warp() const { block->wait_for_warp(rank_); }
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
