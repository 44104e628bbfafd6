// Randomized greedy search (Zhang, Lei, Barzilay and Jaakkola 2014, "Greed is good if randomized"): from many
// trees, move one head at a time to where the score is highest, words far from the root first, until no move
// helps; the best tree of all wins. It may not be the best there is, which is NP-hard to find.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "local_search/movable_tree.hpp"
#include "local_search/moves.hpp"
#include "local_search/starts.hpp"
#include "threads.hpp"

namespace headwise {

// A gain smaller than this is no gain, so that rounding cannot make a climb run in circles.
inline constexpr double smallest_gain = 1e-9;

class Climber {
 public:
  Climber(MovableTree& tree, bool single_root, bool projective = false)
      : tree_(tree), single_root_(single_root), moves_(tree, single_root, projective) {}

  // Figure 1. With a single root, single moves cannot replace the root word; where they are exhausted, the best
  // exchange of the root is tried.
  void climb() {
    while (sweep() || (single_root_ && exchange_root())) {
    }
  }

 private:
  bool sweep() {
    order_bottom_up();
    bool moved = false;
    for (const int m : order_) moved |= improve(m);
    return moved;
  }

  // Words further from the root first; the order is that of the tree before the sweep.
  void order_bottom_up() {
    const std::vector<int>& top_down = tree_.subtree(0);
    order_.assign(top_down.rbegin(), top_down.rend() - 1);
  }

  bool improve(int m) {
    const int before = tree_.arc(m);
    if (tree_.candidates().into(m).size() == 1) return false;
    moves_.look_at(m);
    double most = tree_.detach(m) + smallest_gain;
    int best = before;
    moves_.each(m, [&](int arc) {
      if (arc == before) return;
      if (const double gain = tree_.attachment(arc); gain > most) {
        most = gain;
        best = arc;
      }
    });
    tree_.attach(best);
    return best != before;
  }

  // Another word m becomes the root; the old one is attached inside what hangs from m.
  bool exchange_root() {
    const Candidates& arcs = tree_.candidates();
    const int old_arc = arcs.find(0, tree_.subtree(0)[1]), old_root = arcs.modifier(old_arc);
    double most = tree_.score() + smallest_gain;
    int best_root = -1, best_below = -1;
    for (int root_arc = arcs.begin(0); root_arc < arcs.end(0); ++root_arc) {
      if (root_arc == old_arc) continue;
      const int m = arcs.modifier(root_arc), before = tree_.arc(m);
      moves_.look_at(m);
      tree_.detach(m);
      tree_.detach(old_root);
      const bool allowed = moves_.is_allowed_among_others(root_arc);
      tree_.attach(root_arc);
      for (const int arc : arcs.into(old_root)) {
        if (!allowed || !moves_.is_below(arcs.head(arc)) || !moves_.is_allowed_among_others(arc)) continue;
        if (const double score = tree_.score() + tree_.attachment(arc); score > most) {
          most = score;
          best_root = root_arc;
          best_below = arc;
        }
      }
      tree_.detach(m);
      tree_.attach(old_arc);
      tree_.attach(before);
    }
    if (best_root < 0) return false;
    tree_.detach(arcs.modifier(best_root));
    tree_.detach(old_root);
    tree_.attach(best_root);
    tree_.attach(best_below);
    return true;
  }

  MovableTree& tree_;
  bool single_root_;
  Moves moves_;
  std::vector<int> order_;
};

enum class Starts : std::uint8_t { mixed, uniform, first_order };

struct ClimbLimits {
  std::uint64_t seed = default_seed;
  int patience = 20;         // restarts without a better tree before the search ends (the paper's K)
  int most_restarts = 1000;  // in all
  Starts starts = Starts::mixed;
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

  // Mixed starts are the first-order optimum and then uniform and first-order trees in turn.
  double climb(int restart, std::vector<int>& heads) {
    if (restart == 0 && limits_.starts == Starts::mixed) {
      first_order_.best(heads_);
    } else {
      Random random(limits_.seed, static_cast<std::uint64_t>(restart));
      const bool evenly = limits_.starts == Starts::mixed ? restart % 2 == 1 : limits_.starts == Starts::uniform;
      (evenly ? uniform_ : first_order_).draw(random, heads_);
    }
    tree_.assign(heads_);
    climber_.climb();
    tree_.copy_heads(heads);
    return tree_.score();
  }

 private:
  ClimbLimits limits_;
  MovableTree tree_;
  Climber climber_;
  FirstOrderTrees first_order_, uniform_;
  std::vector<int> heads_;
};

// The best tree of all climbs; `heads` is empty where there is no tree. With several threads, climbs are made ahead and
// looked at in their order, so that the result is that of one thread; features of whole trees take one.
inline ClimbOutcome best_tree_by_climbing(const MovableTree& tree, const PartScores& scores, bool single_root,
                                          const ClimbLimits& limits, std::vector<int>& heads) {
  struct Climbed {
    double score;
    std::vector<int> heads;
  };
  constexpr int ahead = 4;  // climbs a thread between two looks
  const int batch = limits.threads > 1 ? ahead * limits.threads : 1;
  std::vector<std::unique_ptr<Restarts>> workers(static_cast<std::size_t>(std::max(1, limits.threads)));
  workers[0] = std::make_unique<Restarts>(tree, scores, single_root, limits);
  ClimbOutcome outcome;
  heads.clear();
  if (!workers[0]->has_tree()) return outcome;
  std::vector<Climbed> climbed(static_cast<std::size_t>(batch));
  for (int first = 0; first < limits.most_restarts; first += batch) {
    const int count = std::min(batch, limits.most_restarts - first);
    parallel_for(static_cast<std::size_t>(count), limits.threads, [&](std::size_t i, int thread) {
      auto& worker = workers[static_cast<std::size_t>(thread)];
      if (!worker) worker = std::make_unique<Restarts>(tree, scores, single_root, limits);
      climbed[i].score = worker->climb(first + static_cast<int>(i), climbed[i].heads);
    });
    for (int restart = first; restart < first + count; ++restart) {
      if (restart > 0 && restart + 1 - outcome.found_at > limits.patience) return outcome;
      const Climbed& result = climbed[static_cast<std::size_t>(restart - first)];
      outcome.restarts = restart + 1;
      if (restart > 0 && !(result.score > outcome.score + smallest_gain)) continue;
      outcome.score = result.score;
      outcome.found_at = restart + 1;
      heads = result.heads;
    }
  }
  return outcome;
}

}  // namespace headwise
