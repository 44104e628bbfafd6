// The maximum spanning tree of a dense directed graph, in O(n²) time and memory.
//
// Chu and Liu (1965), Edmonds (1967) as a growing path (Tarjan 1977; Gabow, Galil, Spencer and Tarjan
// 1986): from any word, follow best incoming arcs backwards; where the path bites its own tail, contract
// the cycle and go on; stop at the root or at what already hangs from it.
//
// Exactly one root: weights are pairs (number of root arcs, score) compared lexicographically, fewer root
// arcs first. The algorithm only adds, subtracts and compares weights, so it is exact for pairs too, and
// since an arc inside a cycle never leaves the root, the first component needs no storage: the root's
// arc is chosen only where no other is left. A second root arc then proves that no tree has just one.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <vector>

#include "trees/semiring.hpp"

namespace headwise::trees {

class Arborescence {
 public:
  // scores[h * (n + 1) + m], −inf for arcs that are not there. Fills heads[m - 1] and returns true, or
  // returns false when there is no tree. Ties go to the smaller head. The object is scratch memory.
  bool solve(const double* scores, int n, bool single_root, int* heads) {
    reset(scores, n);
    is_single_root_ = single_root;
    int root_arcs = 0;
    for (int start = 1; start <= n; ++start) {
      if (finished_[component_[start]]) continue;
      path_.assign(1, component_[start]);
      on_path_[path_.back()] = 1;
      for (;;) {
        const int tip = path_.back();
        const int source = best_source(tip, single_root);
        if (source < 0) return false;
        const int from = component_[source];
        choose(tip, source);
        if (source == 0 && single_root && ++root_arcs > 1) return false;
        if (source == 0 || finished_[from]) break;
        if (on_path_[from])
          contract(from);
        else
          extend(from);
      }
      for (const int node : path_) {
        finished_[node] = 1;
        on_path_[node] = 0;
      }
    }
    expand(heads);
    return true;
  }

  // After solve(): by how much the best tree gets worse, at least, when it has to contain this arc. The weights
  // that the nodes around a word chose are a solution of the dual linear program (Edmonds 1967); this is the
  // slack of the arc in it. +inf where one more arc would have to leave the only root.
  double reduced_cost(int head, int word, double score) const {
    double slack = -score;
    int node = word, outermost = word;
    for (; node != 0 && !contains(node, head); node = parent_[node]) {
      slack += chosen_weight_[node];
      outermost = node;
    }
    const bool takes_the_root = arc_source_[outermost] == 0;
    return head == 0 && is_single_root_ && !takes_the_root ? -kImpossible : std::max(0.0, slack);
  }

 private:
  // Whether a word lies inside a node; the root is in none.
  bool contains(int node, int word) const {
    if (word == 0) return false;
    for (int inner = word; inner != 0; inner = parent_[inner])
      if (inner == node) return true;
    return false;
  }

  // Nodes 1…n are the words, later ones the contracted cycles. A node owns a row of the matrix: for each
  // node u outside, the best arc from u into it and the word that arc enters.
  void reset(const double* scores, int n) {
    width_ = n + 1;
    const auto cells = static_cast<std::size_t>(width_) * width_;
    weight_.resize(cells);
    target_.resize(cells);
    for (int m = 1; m < width_; ++m) {
      double* weights = weight_.data() + m * width_;
      for (int h = 0; h < width_; ++h) weights[h] = scores[h * width_ + m];
      weights[m] = kImpossible;
      std::fill_n(target_.data() + m * width_, width_, m);
    }
    nodes_ = width_;
    const int most = 2 * width_;
    for (auto* list : {&row_, &component_, &parent_, &arc_source_, &arc_target_}) list->assign(most, 0);
    for (auto* list : {&finished_, &on_path_, &expanded_}) list->assign(most, 0);
    chosen_weight_.assign(most, 0.0);
    members_.resize(most);
    for (int m = 0; m < width_; ++m) {
      row_[m] = component_[m] = m;
      members_[m].assign(1, m);
    }
  }

  int best_source(int node, bool single_root) const {
    const double* weights = weight_.data() + row_[node] * width_;
    int best = single_root ? 1 : 0;
    for (int u = best + 1; u < width_; ++u)
      if (weights[u] > weights[best]) best = u;
    if (best < width_ && weights[best] > kImpossible) return best;
    return weights[0] > kImpossible ? 0 : -1;
  }

  void choose(int node, int source) {
    const int cell = row_[node] * width_ + source;
    arc_source_[node] = source;
    arc_target_[node] = target_[cell];
    chosen_weight_[node] = weight_[cell];
  }

  void extend(int node) {
    path_.push_back(node);
    on_path_[node] = 1;
  }

  // The end of the path from `first` on is a cycle: make it one node. An arc into a member now competes
  // by what it gains over the arc that the cycle gives that member.
  void contract(int first) {
    const int cycle = nodes_++;
    const int home = row_[first];
    double* into = weight_.data() + home * width_;
    int* entered = target_.data() + home * width_;
    for (int u = 0; u < width_; ++u) into[u] -= chosen_weight_[first];
    auto& members = members_[cycle];
    members.swap(members_[first]);
    while (path_.back() != first) {
      const int node = path_.back();
      path_.pop_back();
      on_path_[node] = 0;
      parent_[node] = cycle;
      const double* from = weight_.data() + row_[node] * width_;
      const int* enters = target_.data() + row_[node] * width_;
      const double replaced = chosen_weight_[node];
      for (int u = 0; u < width_; ++u) {
        const double gain = from[u] - replaced;
        entered[u] = gain > into[u] ? enters[u] : entered[u];
        into[u] = gain > into[u] ? gain : into[u];
      }
      members.insert(members.end(), members_[node].begin(), members_[node].end());
    }
    parent_[first] = cycle;
    on_path_[first] = 0;
    path_.back() = cycle;
    on_path_[cycle] = 1;
    row_[cycle] = home;
    for (const int word : members) {
      component_[word] = cycle;
      into[word] = kImpossible;
    }
  }

  // Outermost cycles first: the arc that enters a cycle replaces those it met on its way to the word it
  // enters; every other member keeps the arc of the cycle.
  void expand(int* heads) {
    for (int node = nodes_ - 1; node >= 1; --node) {
      if (expanded_[node] || node == 0) continue;
      const int word = arc_target_[node];
      heads[word - 1] = arc_source_[node];
      for (int inner = word; inner != node; inner = parent_[inner]) expanded_[inner] = 1;
    }
  }

  int width_ = 0, nodes_ = 0;
  bool is_single_root_ = false;
  std::vector<double> weight_, chosen_weight_;
  std::vector<int> target_, row_, component_, parent_, arc_source_, arc_target_, path_;
  std::vector<char> finished_, on_path_, expanded_;
  std::vector<std::vector<int>> members_;
};

}  // namespace headwise::trees
