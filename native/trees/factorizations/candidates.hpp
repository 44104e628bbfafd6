// The arcs that survive pruning, and a compact numbering of the higher-order parts made of them.
//
// Arcs are numbered by head, then by modifier, so that the modifiers of a head are neighbours. With a mask
// that keeps k heads a word there are k·n arcs, and second and third order need O(k²n) and O(k³n) numbers
// where dense tables would need n³ and n⁴.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "trees/parts.hpp"

namespace headwise::trees {

class Candidates {
 public:
  // allowed(h, m) for 0 ≤ h ≤ n, 1 ≤ m ≤ n, h ≠ m.
  template <class Allowed>
  Candidates(int words, Allowed allowed) : nodes_(words + 1), first_at_(nodes_ * (nodes_ + 1)) {
    into_.resize(nodes_);
    for (int h = 0; h < nodes_; ++h) {
      for (int m = 0; m < nodes_; ++m) {
        first_at_[h * (nodes_ + 1) + m] = arcs();
        if (m == 0 || m == h || !allowed(h, m)) continue;
        into_[m].push_back(arcs());
        head_.push_back(h);
        modifier_.push_back(m);
      }
      first_at_[h * (nodes_ + 1) + nodes_] = arcs();
    }
    into_[0].push_back(top());
    head_.push_back(-1);
    modifier_.push_back(0);
    number_parts();
  }

  int words() const { return nodes_ - 1; }
  int nodes() const { return nodes_; }
  // Arcs 0 … arcs() − 1, and one more, top(), that stands for the missing arc into the root.
  int arcs() const { return static_cast<int>(head_.size()) - has_top_; }
  int top() const { return arcs(); }
  int head(int arc) const { return head_[arc]; }
  int modifier(int arc) const { return modifier_[arc]; }
  const std::vector<int>& into(int modifier) const { return into_[modifier]; }

  // The first arc of h whose modifier is not before m; the modifiers of h in [a, b) belong to the arcs in
  // [first_at(h, a), first_at(h, b)).
  int first_at(int h, int m) const { return first_at_[h * (nodes_ + 1) + m]; }
  int begin(int h) const { return first_at(h, 0); }
  int end(int h) const { return first_at(h, nodes_); }
  int degree(int h) const { return end(h) - begin(h); }
  // The number of the arc, or −1.
  int find(int h, int m) const {
    const int arc = first_at(h, m);
    return arc < end(h) && modifier_[arc] == m ? arc : -1;
  }

  // How many modifiers of the same head lie between it and the modifier of this arc.
  int inner(int arc) const { return inner_[arc]; }
  // The arc from the same head to its j-th modifier on the same side, 1 the nearest, j ≤ inner(arc).
  int nearer(int arc, int j) const {
    const int split = first_at(head_[arc], head_[arc]);
    return modifier_[arc] > head_[arc] ? split + j - 1 : split - j;
  }

  // Places of parts in compact tables. j and i count modifiers outwards from the head, 0 meaning none.
  // Parts above the root do not exist; they have places all the same, whose scores are to be zero.
  Index sibling(int arc, int j) const { return siblings_[arc] + j; }
  Index tri_sibling(int arc, int j, int i) const { return tri_siblings_[arc] + Index{j} * (j - 1) / 2 + i; }
  // `above` is the arc into the head of `arc`.
  Index grandchild(int above, int arc) const {
    return grandchildren_[above] + arc - begin(modifier_[above]);
  }
  // No modifier of the head of `above` on the side of its own head (inner) or on the other (outer).
  Index no_grandchild(int above, bool inner) const {
    return grandchildren_[above] + degree(modifier_[above]) + (inner ? 0 : 1);
  }
  Index grand_sibling(int above, int arc, int j) const {
    return grand_siblings_[above] + sibling(arc, j) - siblings_[begin(modifier_[above])];
  }

  Index sibling_count() const { return siblings_.back(); }
  Index tri_sibling_count() const { return tri_siblings_.back(); }
  Index grandchild_count() const { return grandchildren_.back(); }
  Index grand_sibling_count() const { return grand_siblings_.back(); }
  // The arc that a sibling place belongs to.
  int arc_of_sibling(Index place) const;
  // Pairs of successive arcs, numbered by the upper one: pair(above, arc) < pairs().
  Index pair(int above, int arc) const { return pairs_[above] + arc - begin(modifier_[above]); }
  Index pairs() const { return pairs_.back(); }
  int upper_of_pair(Index place) const;

 private:
  void number_parts();

  int nodes_;
  int has_top_ = 0;
  std::vector<int> head_, modifier_, first_at_, inner_;
  std::vector<std::vector<int>> into_;
  std::vector<Index> siblings_, tri_siblings_, grandchildren_, grand_siblings_, pairs_;
};

inline void Candidates::number_parts() {
  has_top_ = 1;
  const int count = arcs();
  inner_.resize(count);
  siblings_.assign(1, 0);
  tri_siblings_.assign(1, 0);
  for (int arc = 0; arc < count; ++arc) {
    const int split = first_at(head_[arc], head_[arc]);
    inner_[arc] = modifier_[arc] > head_[arc] ? arc - split : split - 1 - arc;
    siblings_.push_back(siblings_.back() + inner_[arc] + 1);
    tri_siblings_.push_back(tri_siblings_.back() + Index{inner_[arc]} * (inner_[arc] + 1) / 2);
  }
  grandchildren_.assign(1, 0);
  grand_siblings_.assign(1, 0);
  pairs_.assign(1, 0);
  for (int above = 0; above <= count; ++above) {
    const int h = modifier_[above];
    pairs_.push_back(pairs_.back() + degree(h));
    grandchildren_.push_back(grandchildren_.back() + degree(h) + 2);
    grand_siblings_.push_back(grand_siblings_.back() + siblings_[end(h)] - siblings_[begin(h)]);
  }
}

// The last group that starts at or before `place`, where groups start at increasing places.
inline int group_of(const std::vector<Index>& starts, Index place) {
  std::size_t low = 0, high = starts.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (starts[middle] <= place ? low : high) = middle;
  }
  return static_cast<int>(low);
}
inline int Candidates::arc_of_sibling(Index place) const { return group_of(siblings_, place); }
inline int Candidates::upper_of_pair(Index place) const { return group_of(pairs_, place); }

}  // namespace headwise::trees
