// A parallel loop over independent items: results go where the item's index says, so order is kept.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace headwise::base {

// Calls work(index, thread) for 0 <= index < count; `thread` < threads names the scratch memory to use.
// The first exception of any thread stops the loop and is thrown again here.
template <class Work>
void parallel_for(std::size_t count, int threads, Work work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&](int thread) {
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < count;) work(i, thread);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  const int extra = std::max(0, std::min(threads, static_cast<int>(std::min<std::size_t>(count, 1024))) - 1);
  std::vector<std::thread> others;
  for (int t = 1; t <= extra; ++t) others.emplace_back(run, t);
  run(0);
  for (auto& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// The same with something that each thread needs, made when it begins: work(index, own).
template <class Make, class Work>
void parallel_for_with(std::size_t count, int threads, Make make, Work work) {
  using Own = decltype(make());
  std::vector<std::unique_ptr<Own>> owned(static_cast<std::size_t>(std::max(1, threads)));
  parallel_for(count, threads, [&](std::size_t i, int thread) {
    std::unique_ptr<Own>& own = owned[static_cast<std::size_t>(thread)];
    if (!own) own.reset(new Own(make()));
    work(i, *own);
  });
}

}  // namespace headwise::base
