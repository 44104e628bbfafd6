// Ways to choose on a walk through a filled chart.
//
// A walk asks pick(lanes, count, place, weight) in all lanes of a warp, once for every choice that a tree takes, from
// the top down: `count` alternatives, of which weight(number) is the weight of the best that is left, or of all that
// is left; `place` is a name for what is chosen. The same numbers are picked in all lanes.
#pragma once
#include "random.cuh"

namespace headwise::kernels {

template <class T>
struct BestChoices {
  template <class Weight>
  HEADWISE_DEVICE int operator()(const Lanes& lanes, int count, long long, Weight weight) const {
    return choose(lanes, count, impossible<T>(), weight);
  }
};

// Each in proportion to its weight.
template <class T>
struct RandomChoices {
  Draws draws;

  template <class Weight>
  HEADWISE_DEVICE int operator()(const Lanes& lanes, int count, long long place, Weight weight) const {
    return choose(lanes, count, impossible<T>(),
                  [&](int number) { return weight(number) - draws.log_waiting_time<T>(place, number); });
  }
};

// draw(pick, number, warp) for every sample of a sentence, each in one warp.
template <class T, class Draw>
HEADWISE_DEVICE void each_sample(const Lanes& lanes, int sentence, int samples, unsigned long long seed, Draw draw) {
  const int warps = lanes.count() / lanes.warp(), warp = lanes.rank() / lanes.warp();
  for (int k = warp; k < samples; k += warps) {
    RandomChoices<T> pick{Draws(seed, sentence, k)};
    draw(pick, k, warp);
  }
}

}  // namespace headwise::kernels
