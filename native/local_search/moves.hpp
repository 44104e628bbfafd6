// Where a word of a tree can be moved so that a tree remains.
#pragma once
#include <algorithm>
#include <vector>

#include "local_search/movable_tree.hpp"

namespace headwise {

class Moves {
 public:
  // Of projective trees only those that leave a projective tree.
  Moves(MovableTree& tree, bool single_root, bool projective = false)
      : tree_(tree), single_root_(single_root), projective_(projective), marks_(nodes(), 0) {}

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
      if (is_below(h) || (single_root_ && (h == 0) != stays_)) continue;
      if (is_allowed_among_others(arc)) visit(arc);
    }
  }

  // Whether the arc crosses none in the tree, where that matters. O(n).
  bool is_allowed_among_others(int arc) const {
    if (!projective_) return true;
    const LinkedTree& links = tree_.links();
    const int h = tree_.candidates().head(arc), m = tree_.candidates().modifier(arc);
    const int from = std::min(h, m), to = std::max(h, m);
    const auto is_inside = [from, to](int node) { return from < node && node < to; };
    const auto is_outside = [from, to](int node) { return node < from || to < node; };
    for (int w = 1; w <= links.words(); ++w)
      if (const int head = links.head(w); head != nobody)
        if ((is_inside(head) && is_outside(w)) || (is_outside(head) && is_inside(w))) return false;
    return true;
  }

 private:
  std::size_t nodes() const { return static_cast<std::size_t>(tree_.candidates().nodes()); }
  MovableTree& tree_;
  bool single_root_, projective_, stays_ = false;
  std::vector<int> marks_;
  int present_mark_ = 0;
};

}  // namespace headwise
