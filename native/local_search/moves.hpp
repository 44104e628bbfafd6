// Where a word of a tree can be moved so that a tree remains.
#pragma once
#include <vector>

#include "local_search/movable_tree.hpp"

namespace headwise {

class Moves {
 public:
  Moves(MovableTree& tree, bool single_root) : tree_(tree), single_root_(single_root), marks_(nodes(), 0) {}

  // Forgets where m could be moved last; each() then speaks of m in the tree as it is now.
  void look_at(int m) {
    stays_ = single_root_ && tree_.head(m) == 0;
    ++present_mark_;
    for (const int word : tree_.subtree(m)) marks_[static_cast<std::size_t>(word)] = present_mark_;
  }

  // Whether the word hangs from the one that was looked at, or is it.
  bool is_below(int word) const { return marks_[static_cast<std::size_t>(word)] == present_mark_; }

  // visit(arc) for every arc into m, the present one too. With a single root, the root word stays, and no other
  // word becomes one.
  template <class Visit>
  void each(int m, Visit visit) const {
    const Candidates& arcs = tree_.candidates();
    for (const int arc : arcs.into(m)) {
      const int h = arcs.head(arc);
      if (single_root_ ? (h == 0) == stays_ && !is_below(h) : !is_below(h)) visit(arc);
    }
  }

 private:
  std::size_t nodes() const { return static_cast<std::size_t>(tree_.candidates().nodes()); }
  MovableTree& tree_;
  bool single_root_, stays_ = false;
  std::vector<int> marks_;
  int present_mark_ = 0;
};

}  // namespace headwise
