// A tree as links between words: from each modifier to its head, and to the next modifiers of that head towards and
// away from it. Words can be taken out and put back one at a time; what hangs from one that is out stays with it.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/index.hpp"

namespace headwise::trees {

inline constexpr int nobody = -1;  // what stands where no word does

// A modifier m of h among its siblings: s the next towards h and t the next after that, nobody for none; g is the
// head of h, which is of no concern where h is the root, and f the head of g.
struct ModifierInTree {
  int g, h, m, s, t;
  bool outermost;
  int f = nobody;
};

class LinkedTree {
 public:
  // All words without heads.
  void clear(int words) {
    for (auto* links : {&heads_, &inner_, &outer_, &outermost_[0], &outermost_[1]}) links->assign(at(words) + 1, nobody);
  }

  // Any heads from 0 to n, whether or not they make a tree.
  void assign(std::span<const int> heads) {
    const int n = static_cast<int>(heads.size());
    clear(n);
    std::copy(heads.begin(), heads.end(), heads_.begin() + 1);
    const auto append = [&](int m, int side) {
      int& last = outermost_[side][at(heads_[at(m)])];
      inner_[at(m)] = last;
      if (last != nobody) outer_[at(last)] = m;
      last = m;
    };
    for (int m = 1; m <= n; ++m)
      if (heads_[at(m)] < m) append(m, 1);
    for (int m = n; m >= 1; --m)
      if (heads_[at(m)] > m) append(m, 0);
  }

  int words() const { return static_cast<int>(heads_.size()) - 1; }
  int head(int m) const { return heads_[at(m)]; }    // nobody for the root, and for a word that is out
  int inner(int m) const { return inner_[at(m)]; }   // the next modifier towards the head
  int outer(int m) const { return outer_[at(m)]; }   // … and away from it
  int outermost(int h, int side) const { return outermost_[side][at(h)]; }  // side 1 is the right
  bool is_outermost(int m) const { return outer_[at(m)] == nobody; }
  bool has_modifiers(int h, int side) const { return outermost(h, side) != nobody; }

  ModifierInTree modifier(int m) const {
    const int h = head(m), s = inner(m), g = h == 0 ? nobody : head(h);
    return {g, h, m, s, s == nobody ? nobody : inner(s), is_outermost(m), g == nobody ? nobody : head(g)};
  }

  // The modifiers of h, one side after the other, outermost first.
  template <class Visit>
  void each_modifier(int h, Visit visit) const {
    for (int side = 0; side < 2; ++side)
      for (int m = outermost(h, side); m != nobody; m = inner(m)) visit(m);
  }

  // Which modifiers of h the word m, which is out, would come to stand between: the next towards h, and away from it.
  std::pair<int, int> neighbours(int h, int m) const {
    int outside = nobody, inside = outermost(h, side_of(h, m));
    while (inside != nobody && (h < m) == (m < inside)) {
      outside = inside;
      inside = inner(inside);
    }
    return {inside, outside};
  }

  void link(int h, int m) {
    const auto [inside, outside] = neighbours(h, m);
    heads_[at(m)] = h;
    inner_[at(m)] = inside;
    outer_[at(m)] = outside;
    if (inside != nobody) outer_[at(inside)] = m;
    (outside == nobody ? outermost_[side_of(h, m)][at(h)] : inner_[at(outside)]) = m;
  }

  void unlink(int m) {
    const int h = head(m), inside = inner(m), outside = outer(m);
    if (inside != nobody) outer_[at(inside)] = outside;
    (outside == nobody ? outermost_[side_of(h, m)][at(h)] : inner_[at(outside)]) = inside;
    heads_[at(m)] = nobody;
  }

  static int side_of(int h, int m) { return h < m ? 1 : 0; }

 private:
  std::vector<int> heads_, inner_, outer_, outermost_[2];
};

}  // namespace headwise::trees
