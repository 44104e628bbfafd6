// One derivation, every operation: what can be asked of all derivations of a sentence, whatever the grammar.
//
// A set of derivations has
//
//   goal()              the node that stands for whole trees
//   edges(node, f)      f(Edge) for every way to build a node; a node without any is an axiom that scores 0
//
// and, where all nodes are listed (forest.hpp), nodes() with every node after those it is built from. Each tree
// has one derivation. The k best are found lazily (Huang and Chiang 2005, algorithm 3).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trees/semiring.hpp"

namespace headwise::constituency {

// A way to build a node: from one node or two (right = −1, or both −1 for a leaf).
struct Edge {
  double score = 0;
  std::int32_t left = -1, right = -1;
  std::int32_t variable = -1;  // what others may pay for or be paid by: a tag of a word, an arc; −1 none
  std::int32_t note = -1;      // for whoever reads the derivation: the chain of a unary edge
};

// The k best derivations. `Best` gives the score of the best derivation of a node.
template <class Derivations, class Best>
class KBest {
 public:
  KBest(const Derivations& derivations, Best best) : derivations_(derivations), best_(best) {}

  // Walks the derivation of the given rank, 0 the best: visit(node, edge), parents first, left to right. False when
  // there are not so many. Ranks are asked in order.
  template <class Visit>
  bool walk(int rank, double& score, Visit visit) {
    const int goal = derivations_.goal();
    if (!provide(goal, rank)) return false;
    score = ranked_.at(goal).found[at(rank)].score;
    std::vector<std::pair<int, int>> stack{{goal, rank}};
    while (!stack.empty()) {
      const auto [node, place] = stack.back();
      stack.pop_back();
      provide(node, place);
      const Ranked& ranked = ranked_.at(node);
      if (ranked.is_axiom) continue;
      const Candidate& way = ranked.found[at(place)];
      visit(node, way.edge);
      if (way.edge.right >= 0) stack.emplace_back(way.edge.right, way.right_rank);
      if (way.edge.left >= 0) stack.emplace_back(way.edge.left, way.left_rank);
    }
    return true;
  }

 private:
  struct Candidate {
    double score = 0;
    Edge edge;
    int left_rank = 0, right_rank = 0, age = 0;
    bool operator<(const Candidate& other) const {
      return score != other.score ? score < other.score : age > other.age;  // ties: who was there first
    }
  };
  struct Ranked {
    std::vector<Candidate> found, heap;
    bool pending = false, is_axiom = false;  // pending: the successors of the last one are not in the heap yet
    int age = 0;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  bool provide(int node, int rank) {
    auto [entry, is_new] = ranked_.try_emplace(node);
    if (is_new) start(node, entry->second);
    while (static_cast<int>(ranked_.at(node).found.size()) <= rank) {
      if (ranked_.at(node).pending) extend(node);
      Ranked& ranked = ranked_.at(node);
      ranked.pending = false;
      if (ranked.heap.empty()) return false;
      std::pop_heap(ranked.heap.begin(), ranked.heap.end());
      ranked.found.push_back(ranked.heap.back());
      ranked.heap.pop_back();
      ranked.pending = true;
    }
    return true;
  }

  void start(int node, Ranked& ranked) {
    bool any = false;
    derivations_.edges(node, [&](const Edge& edge) {
      any = true;
      Candidate candidate{edge.score, edge, 0, 0, ranked.age++};
      if (edge.left >= 0) candidate.score += best_(edge.left);
      if (edge.right >= 0) candidate.score += best_(edge.right);
      if (candidate.score > trees::kImpossible) ranked.heap.push_back(candidate);
    });
    ranked.is_axiom = !any;
    if (!any) ranked.found.push_back({});
    std::make_heap(ranked.heap.begin(), ranked.heap.end());
  }

  // One rank further on one side; the right side only while the left is at its best, so that each is reached once.
  void extend(int node) {
    if (ranked_.at(node).is_axiom) return;
    const Candidate last = ranked_.at(node).found.back();
    const auto push = [&](Candidate next) {
      next.score = next.edge.score;
      if (next.edge.left >= 0) next.score += ranked_.at(next.edge.left).found[at(next.left_rank)].score;
      if (next.edge.right >= 0) next.score += ranked_.at(next.edge.right).found[at(next.right_rank)].score;
      Ranked& ranked = ranked_.at(node);
      next.age = ranked.age++;
      ranked.heap.push_back(next);
      std::push_heap(ranked.heap.begin(), ranked.heap.end());
    };
    if (last.edge.right >= 0 && last.left_rank == 0 && provide(last.edge.left, 0) &&
        provide(last.edge.right, last.right_rank + 1)) {
      Candidate next = last;
      ++next.right_rank;
      push(next);
    }
    if (last.edge.left >= 0 && (last.edge.right < 0 || provide(last.edge.right, last.right_rank)) &&
        provide(last.edge.left, last.left_rank + 1)) {
      Candidate next = last;
      ++next.left_rank;
      push(next);
    }
  }

  const Derivations& derivations_;
  Best best_;
  std::unordered_map<int, Ranked> ranked_;
};

}  // namespace headwise::constituency
