// Which words of a tree hang from which, for a tree that does not change while it is asked: O(n) once, then O(1).
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <vector>

#include "base/index.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class Nesting {
 public:
  // Numbers the nodes so that whatever hangs from one follows it.
  void assign(const LinkedTree& tree) {
    const std::size_t nodes = at(tree.words()) + 1;
    number_.resize(nodes);
    size_.assign(nodes, 1);
    order_.clear();
    waiting_.assign(1, 0);
    while (!waiting_.empty()) {
      const int node = waiting_.back();
      waiting_.pop_back();
      number_[at(node)] = order_.size();
      order_.push_back(node);
      tree.each_modifier(node, [&](int child) { waiting_.push_back(child); });
    }
    for (std::size_t i = order_.size(); i-- > 1;) size_[at(tree.head(order_[i]))] += size_[at(order_[i])];
  }

  // Whether a node is `above`, or hangs from it, directly or not.
  bool hangs_from(int node, int above) const {
    return number_[at(node)] - number_[at(above)] < size_[at(above)];  // negative differences wrap around
  }

 private:
  std::vector<std::size_t> number_, size_;  // of a node: its place in the order; how many hang from it, and itself
  std::vector<int> order_, waiting_;
};

}  // namespace headwise::trees
