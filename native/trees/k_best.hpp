// The k best trees, lazily (Huang and Chiang 2005, algorithm 3): the next best derivation of an item is
// worked out only when a better-ranked item asks for it. Derivations are one to one with trees, so the
// trees are distinct, and floating-point addition is monotone, so their scores never increase.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "trees/traceback.hpp"

namespace headwise::trees {

template <class Factorization, class Scores>
class KBest {
 public:
  // The chart is filled by inside(MaxPlus).
  KBest(const Factorization& trees, const Scores& scores, const MaxPlus::Chart& chart)
      : trees_(trees), scores_(scores), chart_(chart) {}

  // The tree of the given rank, 0 the best. False when there are not so many; ranks are asked in order.
  bool tree(int rank, const TreeArrays& tree, double& score) {
    const int goal = trees_.number(trees_.goal());
    if (!provide(goal, rank)) return false;
    score = ranked_.at(goal).found[rank].score;
    read(goal, rank, tree);
    return true;
  }

 private:
  // What an edge joins: its two items and the leaf attached to the item, each at some rank.
  static constexpr int kTails = 3;
  struct Candidate {
    double score = 0.0;
    double part_score = 0.0;
    Edge edge;
    std::array<int, kTails> ranks{};
    int age = 0;  // ties: the candidate that was there first
    bool operator<(const Candidate& other) const {
      return score != other.score ? score < other.score : age > other.age;
    }
  };
  struct Ranked {
    int leaf = -1;
    double constant = 0.0;
    std::vector<Candidate> found, heap;
    bool next_is_pending = false;  // the successors of the last one found are not in the heap yet
    int age = 0;
  };

  // Makes sure that `rank` of an item is found.
  bool provide(int number, int rank) {
    auto [entry, is_new] = ranked_.try_emplace(number);
    if (is_new) start(trees_.item(number), entry->second);
    while (static_cast<int>(ranked_.at(number).found.size()) <= rank) {
      if (ranked_.at(number).next_is_pending) extend(number);
      Ranked& ranked = ranked_.at(number);
      ranked.next_is_pending = false;
      if (ranked.heap.empty()) return false;
      std::pop_heap(ranked.heap.begin(), ranked.heap.end());
      ranked.found.push_back(ranked.heap.back());
      ranked.heap.pop_back();
      ranked.next_is_pending = true;
    }
    return true;
  }

  // Every edge at its best, from the chart.
  void start(const typename Factorization::Item& item, Ranked& ranked) {
    if (trees_.is_axiom(item)) {
      ranked.found.push_back({});
      return;
    }
    ranked.leaf = trees_.attached(item);
    trees_.constants(item, [&](const auto& part) { ranked.constant += scores_(part); });
    int before = 0;
    all_edges(trees_, scores_, item, [&](const Strip& strip, const auto& parts) {
      const auto part_of = part_score(scores_, parts);
      for (int k = 0; k < strip.count; ++k) {
        double part = 0.0;
        if constexpr (!std::is_same_v<std::decay_t<decltype(parts)>, NoParts>) part = part_of(k);
        Candidate candidate{0.0, part, edge_of(strip, k, before), {0, 0, 0}, ranked.age++};
        candidate.score = total(ranked, candidate, chart_[candidate.edge.left], chart_[candidate.edge.right],
                                ranked.leaf < 0 ? 0.0 : chart_[ranked.leaf]);
        if (candidate.score > kImpossible) ranked.heap.push_back(candidate);
      }
      before += strip.count;
    });
    std::make_heap(ranked.heap.begin(), ranked.heap.end());
  }

  static double total(const Ranked& ranked, const Candidate& candidate, double left, double right, double leaf) {
    return (left + right + candidate.part_score) + (leaf + ranked.constant);
  }

  // Puts the successors of the last derivation found on the heap: one rank further in one of its tails,
  // where all later tails are at their best, so that each combination is reached in one way only.
  void extend(int number) {
    const Candidate last = ranked_.at(number).found.back();
    const std::array<int, kTails> tails{last.edge.left, last.edge.right, ranked_.at(number).leaf};
    for (int t = kTails - 1; t >= 0; --t) {
      if (tails[t] >= 0) {
        Candidate next = last;
        ++next.ranks[t];
        if (provide(tails[t], next.ranks[t])) {
          Ranked& ranked = ranked_.at(number);
          next.score = total(ranked, next, score_of(tails[0], next.ranks[0]), score_of(tails[1], next.ranks[1]),
                             tails[2] < 0 ? 0.0 : score_of(tails[2], next.ranks[2]));
          next.age = ranked.age++;
          ranked.heap.push_back(next);
          std::push_heap(ranked.heap.begin(), ranked.heap.end());
        }
      }
      if (last.ranks[t] > 0) break;
    }
  }

  double score_of(int number, int rank) {
    if (rank == 0) return chart_[number];
    return ranked_.at(number).found[rank].score;
  }

  void read(int goal, int rank, const TreeArrays& tree) {
    std::vector<std::pair<int, int>> stack{{goal, rank}};
    while (!stack.empty()) {
      const auto [number, at] = stack.back();
      stack.pop_back();
      const auto item = trees_.item(number);
      if (trees_.is_axiom(item)) continue;
      provide(number, at);
      const Candidate& derivation = ranked_.at(number).found[at];
      record(trees_, item, derivation.edge, tree);
      stack.emplace_back(derivation.edge.left, derivation.ranks[0]);
      stack.emplace_back(derivation.edge.right, derivation.ranks[1]);
      if (ranked_.at(number).leaf >= 0) stack.emplace_back(ranked_.at(number).leaf, derivation.ranks[2]);
    }
  }

  const Factorization& trees_;
  const Scores& scores_;
  const MaxPlus::Chart& chart_;
  std::unordered_map<int, Ranked> ranked_;
};

}  // namespace headwise::trees
