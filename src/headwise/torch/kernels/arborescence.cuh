// The maximum spanning tree of a dense directed graph, by one warp: Chu and Liu (1965), Edmonds (1967) as a growing path
// (Tarjan 1977; Gabow, Galil, Spencer and Tarjan 1986). From any word, follow best incoming arcs backwards; where the
// path bites its own tail, contract the cycle and go on; stop at the root or at what already hangs from it. O(n²) in all,
// shared out over the lanes.
//
// With a single root, its arc is chosen only where no other is left, and a second one proves that no tree has just one:
// that is the same algorithm over pairs (number of root arcs, score). (As native/trees/spanning/arborescence.hpp.)
#pragma once
#include "scores.cuh"

namespace headwise::kernels {

// What a search may be seen by (spanning_k_best.cuh has another).
template <class T>
struct NotSeen {
  HEADWISE_DEVICE void chosen(const Lanes&, int, int, int, T) const {}
  HEADWISE_DEVICE void merge(const Lanes&, int, int, T) const {}
};

template <class T>
class Arborescence {
 public:
  HEADWISE_DEVICE Arborescence(int n, bool single_root, Memory<T, 1>& memory)
      : n_(n), single_root_(single_root), weight_(memory.table()), target_(memory.table()) {
    // Lists over up to 2n nodes: the words, and behind them the cycles.
    const int most = 2 * (n + 1);
    chosen_weight_ = memory.rows(1, most).values;
    row_ = memory.integers(8 * most);
    component_ = row_ + most;
    parent_ = component_ + most;
    source_ = parent_ + most;
    entered_ = source_ + most;
    state_ = entered_ + most;
    path_ = state_ + most;
    heads_ = path_ + most;
  }

  // A node owns a row: for each word outside, the best arc from it into the node, and the word which that arc enters.
  HEADWISE_DEVICE void set_arc(int head, int modifier, T score) const {
    weight(modifier, head) = score;
    target(modifier, head) = modifier;
  }
  HEADWISE_DEVICE void reset(const Lanes& lanes) const {
    for (int node = lanes.rank(); node < 2 * (n_ + 1); node += lanes.count()) {
      row_[node] = component_[node] = node;
      parent_[node] = state_[node] = 0;
    }
  }

  HEADWISE_DEVICE T arc(int head, int modifier) const { return weight(modifier, head); }

  HEADWISE_DEVICE bool solve(const Lanes& lanes) {
    NotSeen<T> nobody;
    return solve(lanes, nobody);
  }
  template <class Observer>
  HEADWISE_DEVICE bool solve(const Lanes& lanes, Observer& observer) {
    int root_arcs = 0;
    nodes_ = n_ + 1;
    for (int start = 1; start <= n_; ++start) {
      if (state_[component_[start]] == kFinished) continue;
      int length = 0;
      extend(lanes, component_[start], length);
      for (;;) {
        const int tip = path_[length - 1], source = best_source(lanes, row_[tip]);
        if (source < 0) return false;
        const int from = component_[source];
        if (lanes.rank() == 0) {
          source_[tip] = source;
          entered_[tip] = target(row_[tip], source);
          chosen_weight_[tip] = weight(row_[tip], source);
        }
        lanes.sync_warp();
        observer.chosen(lanes, row_[tip], source, entered_[tip], chosen_weight_[tip]);
        if (source == 0 && single_root_ && ++root_arcs > 1) return false;
        if (source == 0 || state_[from] == kFinished) break;
        if (state_[from] == kOnPath)
          contract(lanes, from, length, observer);
        else
          extend(lanes, from, length);
      }
      for (int k = lanes.rank(); k < length; k += lanes.warp()) state_[path_[k]] = kFinished;
      lanes.sync_warp();
    }
    return true;
  }

  // Outermost cycles first: the arc that enters a cycle replaces those it met on its way to the word it enters; every
  // other member keeps the arc of the cycle.
  HEADWISE_DEVICE void expand(const Lanes& lanes) {
    if (lanes.rank() == 0)
      for (int node = nodes_ - 1; node >= 1; --node) {
        if (state_[node] == kExpanded) continue;
        const int word = entered_[node];
        heads_[word] = source_[node];
        for (int inner = word; inner != node; inner = parent_[inner]) state_[inner] = kExpanded;
      }
    lanes.sync_warp();
  }
  HEADWISE_DEVICE int head(int word) const { return heads_[word]; }

 private:
  static constexpr int kOnPath = 1, kFinished = 2, kExpanded = 3;

  HEADWISE_DEVICE T& weight(int row, int source) const { return weight_.values[row * weight_.stride + source]; }
  HEADWISE_DEVICE int& target(int row, int source) const {
    return reinterpret_cast<int*>(target_.values)[row * target_.stride + source];
  }

  HEADWISE_DEVICE int best_source(const Lanes& lanes, int row) const {
    const int first = single_root_ ? 1 : 0;
    const int best =
        first + choose(lanes, n_ + 1 - first, impossible<T>(), [&](int k) { return weight(row, first + k); });
    if (weight(row, best) > impossible<T>()) return best;
    return weight(row, 0) > impossible<T>() ? 0 : -1;
  }

  HEADWISE_DEVICE void extend(const Lanes& lanes, int node, int& length) {
    lanes.sync_warp();  // all have seen where the path goes
    if (lanes.rank() == 0) {
      path_[length] = node;
      state_[node] = kOnPath;
    }
    ++length;
    lanes.sync_warp();
  }

  // The end of the path from `first` on is a cycle: makes it one node. An arc into a member now competes by what it gains
  // over the arc that the cycle gives that member.
  template <class Observer>
  HEADWISE_DEVICE void contract(const Lanes& lanes, int first, int& length, Observer& observer) {
    const int cycle = nodes_++, home = row_[first];
    const T replaced_first = chosen_weight_[first];
    for (int u = lanes.rank(); u <= n_; u += lanes.warp()) weight(home, u) -= replaced_first;
    observer.merge(lanes, home, home, replaced_first);
    for (;;) {
      const int node = path_[length - 1];
      if (node != first) {
        const int row = row_[node];
        const T replaced = chosen_weight_[node];
        for (int u = lanes.rank(); u <= n_; u += lanes.warp()) {
          const T gain = weight(row, u) - replaced;
          if (gain > weight(home, u)) {
            weight(home, u) = gain;
            target(home, u) = target(row, u);
          }
        }
        observer.merge(lanes, home, row, replaced);
      }
      for (int word = 1 + lanes.rank(); word <= n_; word += lanes.warp())
        if (component_[word] == node) component_[word] = cycle;
      lanes.sync_warp();
      if (lanes.rank() == 0) {
        parent_[node] = cycle;
        state_[node] = 0;
      }
      lanes.sync_warp();
      if (node == first) break;
      --length;
    }
    for (int word = 1 + lanes.rank(); word <= n_; word += lanes.warp())
      if (component_[word] == cycle) weight(home, word) = impossible<T>();
    if (lanes.rank() == 0) {
      path_[length - 1] = cycle;
      state_[cycle] = kOnPath;
      row_[cycle] = home;
    }
    lanes.sync_warp();
  }

  int n_, nodes_ = 0;
  bool single_root_;
  Table<T, 1> weight_, target_;
  T* chosen_weight_;
  int *row_, *component_, *parent_, *source_, *entered_, *state_, *path_, *heads_;
};

}  // namespace headwise::kernels
