// Spanning trees drawn exactly from their distribution, with one root or several, from an elimination.
//
// Eliminating word s turned trees over the words up to s into trees over those before s; this goes back. An
// arc h → c among the words before s either was there all along or stands for h → s → c, with known shares.
// Let K be the words whose arcs turn out to go through s. They now hang from s. If K is empty, s takes any
// head h in proportion to w(h, s). Otherwise the heads that the words of K had compete: start at one of
// them, and as long as the head it had lies below another word of K, go on to that word's; the first head
// that hangs from the root without K becomes the head of s.
//
// Why this is exact: given the forest without the arcs into K, each word of K had drawn its head in
// proportion to w(·, s), and those draws made no cycle. Summed over such draws, the share of those that
// lead to x is w(x, s) for every x that hangs from the root (it is the count of trees over K and the root
// whose weights depend on the upper end only, p · (Σp)^(k−1), with Σp = 1), which is what a head x of s
// weighs. Wilson's algorithm gets the same trees by walking; it may walk for ever on peaked scores, and
// restarting it until there is one root is biased.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/spanning/matrix_tree.hpp"
#include "base/random.hpp"

namespace headwise::trees {

template <class Number>
class SpanningTreeSampler {
 public:
  // `arcs` are the weights before elimination; there must be a tree.
  SpanningTreeSampler(const WeightMatrix<Number>& arcs, bool single_root)
      : arcs_(arcs), single_root_(single_root), eliminated_(arcs, single_root) {
    if (eliminated_.order[1] != 1) arcs_.exchange(1, eliminated_.order[1]);
  }

  void draw(Random& random, int* heads) {
    const int nodes = arcs_.nodes();
    head_.assign(nodes, 0);
    through_.assign(nodes, 0);
    if (single_root_) attach(0, 1, 1, random);
    for (int s = single_root_ ? 2 : 1; s < nodes; ++s) insert(s, random);
    for (int k = 1; k < nodes; ++k) heads[eliminated_.order[k] - 1] = eliminated_.order[head_[k]];
  }

 private:
  // Makes h the head of c in the tree over the words up to s, and draws the word, of those eliminated
  // before s (s + 1, …), that the arc goes through: 0 for an arc that goes directly.
  void attach(int h, int c, int s, Random& random) {
    const int nodes = arcs_.nodes();
    head_[c] = h;
    options_.assign(1, arcs_[h][c]);
    for (int j = s + 1; j < nodes; ++j)
      options_.push_back(eliminated_.weights[h][j] * (eliminated_.weights[j][c] / eliminated_.sums[j]));
    const int option = choose(random);
    through_[c] = option == 0 ? 0 : s + option;
  }

  void insert(int s, Random& random) {
    below_.clear();
    for (int c = 1; c < s; ++c)
      if (through_[c] == s) below_.push_back(c);
    int head = 0;
    if (below_.empty()) {
      options_.clear();
      for (int h = single_root_ ? 1 : 0; h < s; ++h) options_.push_back(eliminated_.weights[h][s]);
      head = choose(random) + (single_root_ ? 1 : 0);
    } else {
      for (int c = below_[0]; c != 0; c = next_below(c, s)) head = head_[c];
      for (const int c : below_) attach(s, c, s, random);
    }
    attach(head, s, s, random);
  }

  // The word of K that the head of c hangs from, 0 if none.
  int next_below(int c, int s) const {
    int node = head_[c];
    while (node != 0 && through_[node] != s) node = head_[node];
    return node;
  }

  int choose(Random& random) {
    Number total(0.0);
    for (const auto& option : options_) total += option;
    double left = random.uniform();
    int last = -1;
    for (int k = 0; k < static_cast<int>(options_.size()); ++k) {
      if (!(options_[k] > Number(0.0))) continue;
      const double share = matrix_tree::to_double(options_[k] / total);
      last = k;
      if (left < share) return k;
      left -= share;
    }
    return last;  // rounding pushed the number past the end
  }

  WeightMatrix<Number> arcs_;
  bool single_root_;
  Elimination<Number> eliminated_;
  std::vector<int> head_, through_, below_;
  std::vector<Number> options_;
};

}  // namespace headwise::trees
