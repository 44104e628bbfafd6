// What no factorization can score: a tree as a whole, while it changes by one arc at a time.
#pragma once
#include "rooms.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::trees {

class WholeTreeScorer {
 public:
  virtual ~WholeTreeScorer() = default;

  // The score of a tree. What follows is about this one.
  virtual double assign(const LinkedTree& tree) = 0;
  // What the arc into m adds. It is linked, and nothing here knows of it yet …
  virtual double attached(const LinkedTree& tree, int m) = 0;
  // … nor will.
  virtual double would_add(const LinkedTree& tree, int m) = 0;
  // What the arc from h into m has added is the sum of the two: while it is linked, and when it is no more.
  virtual double before_detaching(const LinkedTree& tree, int m) = 0;
  virtual double after_detaching(const LinkedTree& tree, int h, int m) = 0;

  // Where arcs may cross: from so many random trees are climbs worth it, beside the one from the best tree of the parts.
  virtual int restarts() const { return 0; }
};

}  // namespace headwise::trees
