// What is left to do of a walk through one tree by the lanes of a warp: items of two integers, the last first.
#pragma once
#include "lanes.cuh"

namespace headwise::kernels {

class Agenda {
 public:
  // Integers for n + 1 items of every warp.
  HEADWISE_DEVICE static int size(int n, int warps) { return warps * 2 * (n + 1); }
  HEADWISE_DEVICE Agenda(const Lanes& lanes, int n, int* memory)
      : items_(memory + size(n, lanes.rank() / lanes.warp())) {}

  HEADWISE_DEVICE void push(const Lanes& lanes, int first, int second) {
    lanes.sync_warp();
    items_[2 * count_] = first;  // all lanes write the same
    items_[2 * count_ + 1] = second;
    ++count_;
  }
  HEADWISE_DEVICE bool pop(const Lanes& lanes, int& first, int& second) {
    if (count_ == 0) return false;
    lanes.sync_warp();
    --count_;
    first = items_[2 * count_];
    second = items_[2 * count_ + 1];
    return true;
  }

 private:
  int* items_;
  int count_ = 0;
};

}  // namespace headwise::kernels
