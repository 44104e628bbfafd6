// Randomized greedy search (Zhang, Lei, Barzilay and Jaakkola 2014, "Greed is good if randomized"): climb from many
// trees (climber.hpp), and the best tree of all wins. It may not be the best there is, which is NP-hard to find.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "trees/local_search/climber.hpp"
#include "trees/local_search/movable_tree.hpp"
#include "trees/local_search/starts.hpp"
#include "base/index.hpp"
#include "base/threads.hpp"

namespace headwise::trees {

enum class Starts : std::uint8_t { mixed, uniform, first_order };

struct ClimbLimits {
  std::uint64_t seed = default_seed;
  int patience = 12;         // restarts without a better tree before the search ends (the paper's K)
  int most_restarts = 1000;  // in all
  Starts starts = Starts::mixed;
  bool escapes = true;       // from where climbs end
  int threads = 1;
};

struct ClimbOutcome {
  double score = kImpossible;
  int restarts = 0;  // climbs in all
  int found_at = 0;  // which of them found the best tree first, from 1
};

// Climbs from the starts of a problem, one at a time: what one thread works with. Start k depends on the seed and on k.
class Restarts {
 public:
  Restarts(const MovableTree& tree, const PartScores& scores, bool single_root, const ClimbLimits& limits)
      : limits_(limits),
        tree_(tree),
        climber_(tree_, single_root),
        first_order_(tree.candidates(), single_root, [&](int arc) { return scores.labels[arc]; }),
        uniform_(tree.candidates(), single_root, [](int) { return 0.0; }) {}
  Restarts(const Restarts&) = delete;
  Restarts& operator=(const Restarts&) = delete;

  // False where there is no tree at all.
  bool has_tree() { return first_order_.best(heads_); }

  struct Climbed {
    std::vector<int> heads;
    double score;
  };

  // Mixed starts are the first-order optimum and then uniform and first-order trees in turn.
  Climbed climb(int restart) {
    if (restart == 0 && limits_.starts == Starts::mixed) {
      first_order_.best(heads_);
    } else {
      Random random(limits_.seed, static_cast<std::uint64_t>(restart));
      const bool evenly = limits_.starts == Starts::mixed ? restart % 2 == 1 : limits_.starts == Starts::uniform;
      (evenly ? uniform_ : first_order_).draw(random, heads_);
    }
    tree_.assign(heads_);
    climber_.climb();
    return limits_.escapes ? escaped() : here();
  }

 private:
  // What escapes from the present tree lead to, which depends on nothing else. Most climbs come through the same few
  // trees, the best one above all, and from where one has been the way is known.
  Climbed escaped() {
    std::vector<int> from;
    tree_.copy_heads(from);
    for (const auto& [passed, end] : escapes_)
      if (passed == from) return end;
    Climbed end = climber_.escape_once() ? escaped() : here();
    escapes_.emplace_back(std::move(from), end);
    return end;
  }
  Climbed here() const {
    Climbed result{{}, tree_.score()};
    tree_.copy_heads(result.heads);
    return result;
  }

  ClimbLimits limits_;
  MovableTree tree_;
  Climber climber_;
  FirstOrderTrees first_order_, uniform_;
  std::vector<int> heads_;
  std::vector<std::pair<std::vector<int>, Climbed>> escapes_;
};

// The best tree of all climbs; `heads` is empty where there is no tree. With several threads, climbs are made ahead and
// looked at in their order, so that the result is that of one thread; features of whole trees take one.
inline ClimbOutcome best_tree_by_climbing(const MovableTree& tree, const PartScores& scores, bool single_root,
                                          const ClimbLimits& limits, std::vector<int>& heads) {
  constexpr int ahead = 4;  // climbs a thread between two looks
  const int batch = limits.threads > 1 ? ahead * limits.threads : 1;
  std::vector<std::unique_ptr<Restarts>> workers(static_cast<std::size_t>(std::max(1, limits.threads)));
  workers[0] = std::make_unique<Restarts>(tree, scores, single_root, limits);
  ClimbOutcome outcome;
  heads.clear();
  if (!workers[0]->has_tree()) return outcome;
  std::vector<Restarts::Climbed> climbed(static_cast<std::size_t>(batch));
  const auto is_exhausted = [&](int restart) {
    return restart >= limits.most_restarts || (restart > 0 && restart + 1 - outcome.found_at > limits.patience);
  };
  for (int first = 0; !is_exhausted(first); first += batch) {
    const int count = std::min(batch, limits.most_restarts - first);
    parallel_for(static_cast<std::size_t>(count), limits.threads, [&](std::size_t i, int thread) {
      auto& worker = workers[at(thread)];
      if (!worker) worker = std::make_unique<Restarts>(tree, scores, single_root, limits);
      climbed[i] = worker->climb(first + static_cast<int>(i));
    });
    for (int restart = first; restart < first + count && !is_exhausted(restart); ++restart) {
      const Restarts::Climbed& result = climbed[at(restart - first)];
      outcome.restarts = restart + 1;
      if (restart > 0 && !(result.score > outcome.score + smallest_gain)) continue;
      outcome.score = result.score;
      outcome.found_at = restart + 1;
      heads = result.heads;
    }
  }
  return outcome;
}

}  // namespace headwise::trees
