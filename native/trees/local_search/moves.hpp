// Where a word of a tree can be moved so that a tree remains.
#pragma once
#include "rooms.hpp"
#include <algorithm>

#include "trees/local_search/movable_tree.hpp"

namespace headwise::trees {

class Moves {
 public:
  // Of projective trees only those that leave a projective tree.
  Moves(MovableTree& tree, bool single_root, bool projective = false)
      : tree_(tree), single_root_(single_root), projective_(projective) {}

  // Which word the next calls are about; it may be detached after this one.
  void look_at(int m) { stays_ = single_root_ && tree_.head(m) == 0; }

  // visit(arc) for every arc that m can get, the present one too.
  template <class Visit>
  void each(int m, Visit visit) const {
    for (const int arc : tree_.candidates().into(m))
      if (allows(arc)) visit(arc);
  }
  // Whether a tree remains if its modifier, which was looked at, gets this arc. With a single root, the root word
  // stays, and no other word becomes one.
  bool allows(int arc) const { return allows(arc, tree_); }
  // The same where `tree` knows what hangs from what.
  template <class Tree>
  bool allows(int arc, const Tree& tree) const {
    const int h = tree_.candidates().head(arc);
    return (!single_root_ || (h == 0) == stays_) && !tree.hangs_from(h, tree_.candidates().modifier(arc)) &&
           is_allowed_among_others(arc);
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
  MovableTree& tree_;
  bool single_root_, projective_, stays_ = false;
};

}  // namespace headwise::trees
