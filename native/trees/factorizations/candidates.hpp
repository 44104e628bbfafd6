// The arcs that survive pruning, and a compact numbering of the higher-order parts made of them.
//
// Arcs are numbered by head, then by modifier, so that the modifiers of a head are neighbours. With a mask
// that keeps k heads a word there are k·n arcs, and second and third order need O(k²n) and O(k³n) numbers
// where dense tables would need n³ and n⁴.
//
// Parts are numbered by shape: how many ancestors above its head a part has, and how many siblings on the way from
// its modifier to its head. Those of one arc lie side by side; under one more ancestor, those of all arcs from the
// same head are taken over as they lie, once for every arc into that head.
#pragma once
#include "rooms.hpp"
#include <array>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "trees/factorizations/sense_nodes.hpp"

namespace headwise::trees {

// An arc of the tree, and the sense that its modifier has where words have senses.
struct Arc {
  int head, modifier;
  int sense = 0;
};

class Candidates {
 public:
  // allowed(h, m) for 0 ≤ h ≤ n, 1 ≤ m ≤ n, h ≠ m.
  template <class Allowed>
  Candidates(int words, Allowed allowed) : Candidates(SenseNodes(words), allowed) {}
  // Between nodes of different words.
  template <class Allowed>
  Candidates(SenseNodes senses, Allowed allowed)
      : senses_(std::move(senses)), nodes_(senses_.nodes()), first_at_(nodes_ * (nodes_ + 1)) {
    into_.resize(nodes_);
    for (int h = 0; h < nodes_; ++h) {
      for (int m = 0; m < nodes_; ++m) {
        first_at_[h * (nodes_ + 1) + m] = arcs();
        if (m == 0 || senses_.same_word(h, m) || !allowed(h, m)) continue;
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

  int words() const { return senses_.words(); }
  int nodes() const { return nodes_; }
  const SenseNodes& senses() const { return senses_; }
  // Arcs 0 … arcs() − 1, and one more, top(), that stands for the missing arc into the root.
  int arcs() const { return static_cast<int>(head_.size()) - has_top_; }
  int top() const { return arcs(); }
  int head(int arc) const { return head_[arc]; }
  int modifier(int arc) const { return modifier_[arc]; }
  // Its words, and the sense of its modifier.
  Arc arc(int arc) const {
    return {senses_.word(head_[arc]), senses_.word(modifier_[arc]), senses_.sense(modifier_[arc])};
  }
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
  Index sibling(int arc, int j) const { return place<0, 1>({arc}, j); }
  Index tri_sibling(int arc, int j, int i) const { return place<0, 2>({arc}, j, i); }
  // `above` is the arc into the head of `arc`.
  Index pair(int above, int arc) const { return place<1, 0>({above, arc}); }
  Index grand_sibling(int above, int arc, int j) const { return place<1, 1>({above, arc}, j); }
  // Pairs, with two more places after those of each upper arc.
  Index grandchild(int above, int arc) const { return pair(above, arc) + 2 * above; }
  // No modifier of the head of `above` on the side of its own head (inner) or on the other (outer).
  Index no_grandchild(int above, bool inner) const {
    return starts_[1][0][above + 1] + 2 * above + (inner ? 0 : 1);
  }

  // Any shape: by the arcs from the uppermost ancestor down to the modifier, and the ranks of the siblings.
  template <int ancestors, int siblings>
  Index place(const std::array<int, ancestors + 1>& path, int j = 0, int i = 0) const {
    if constexpr (ancestors == 0) {
      const int arc = path[0];
      if constexpr (siblings == 0) return arc;
      return starts_[0][siblings][arc] + (siblings == 2 ? Index{j} * (j - 1) / 2 + i : j);
    } else {
      std::array<int, ancestors> rest;
      for (int k = 0; k < ancestors; ++k) rest[k] = path[k + 1];
      const int first = begin(modifier_[path[0]]);
      return starts_[ancestors][siblings][path[0]] + place<ancestors - 1, siblings>(rest, j, i) -
             start<ancestors - 1, siblings>(first);
    }
  }
  template <int ancestors, int siblings>
  Index count() const {
    if constexpr (ancestors == 0 && siblings == 0) return arcs();
    return starts_[ancestors][siblings].back();
  }
  Index grandchild_count() const { return count<1, 0>() + 2 * (arcs() + 1); }

  // The arc that a sibling place belongs to, and the upper arc of a pair.
  int arc_of_sibling(Index place) const { return uppermost<0, 1>(place); }
  int upper_of_pair(Index place) const { return uppermost<1, 0>(place); }
  // The uppermost arc of any part by its place.
  template <int ancestors, int siblings>
  int uppermost(Index place) const;

 private:
  void number_parts();

  // Where the parts of a shape begin whose uppermost arc this is.
  template <int ancestors, int siblings>
  Index start(int arc) const {
    if constexpr (ancestors == 0 && siblings == 0) return arc;
    return starts_[ancestors][siblings][arc];
  }
  template <int ancestors, int siblings>
  void number_under_ancestor();

  SenseNodes senses_;
  int nodes_;
  int has_top_ = 0;
  std::vector<int> head_, modifier_, first_at_, inner_;
  std::vector<std::vector<int>> into_;
  std::vector<Index> starts_[3][3];  // [ancestors][siblings], but for arcs alone; and the end
};

template <int ancestors, int siblings>
void Candidates::number_under_ancestor() {
  std::vector<Index>& starts = starts_[ancestors][siblings];
  starts.resize(arcs() + 2);
  starts[0] = 0;
  for (int above = 0; above <= arcs(); ++above) {
    const int h = modifier_[above];
    starts[above + 1] =
        starts[above] + start<ancestors - 1, siblings>(end(h)) - start<ancestors - 1, siblings>(begin(h));
  }
}

inline void Candidates::number_parts() {
  has_top_ = 1;
  const int count = arcs();
  inner_.resize(count);
  starts_[0][1].assign(count + 1, 0);
  starts_[0][2].assign(count + 1, 0);
  for (int arc = 0; arc < count; ++arc) {
    const int split = first_at(head_[arc], head_[arc]);
    inner_[arc] = modifier_[arc] > head_[arc] ? arc - split : split - 1 - arc;
    starts_[0][1][arc + 1] = starts_[0][1][arc] + inner_[arc] + 1;
    starts_[0][2][arc + 1] = starts_[0][2][arc] + Index{inner_[arc]} * (inner_[arc] + 1) / 2;
  }
  number_under_ancestor<1, 0>();
  number_under_ancestor<1, 1>();
  number_under_ancestor<1, 2>();
  number_under_ancestor<2, 0>();
  number_under_ancestor<2, 1>();
  number_under_ancestor<2, 2>();
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
template <int ancestors, int siblings>
int Candidates::uppermost(Index place) const {
  return group_of(starts_[ancestors][siblings], place);
}

}  // namespace headwise::trees
