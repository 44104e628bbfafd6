// The same work on many inputs, over several threads, each input by one thread and none of them waiting.
#pragma once
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace headwise {

// work(k) for 0 ≤ k < count. When some of them throw, the exception of the smallest k is rethrown.
template <class Work>
void parallel_for(int count, int threads, Work work) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<int> next{0};
  const auto run = [&] {
    for (int k; (k = next.fetch_add(1)) < count;) {
      try {
        work(k);
      } catch (...) {
        failures[k] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads && t < count; ++t) others.emplace_back(run);
  run();
  for (auto& thread : others) thread.join();
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace headwise
