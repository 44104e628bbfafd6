// A tree whose words can be moved one at a time, and whose score follows: only the parts that a move touches are
// looked up.
//
// When m leaves its head h, three kinds of parts go: the arc; those in which m stands beside its neighbours on its
// side of h (itself, the next one or two outwards, and the next one inwards where m was the outermost); and those
// that join the modifiers of m to h across m. They come back, with other scores, where m is attached. Every other
// part stays as it is.
//
// The parts of a modifier are those of tree_parts.hpp, which says what they are for learning and for whole trees.
#pragma once
#include <span>
#include <vector>

#include "factorizations/candidates.hpp"
#include "higher_order/tree_parts.hpp"
#include "parts.hpp"

namespace headwise {

class MovableTree {
 public:
  MovableTree(const Candidates& arcs, const PartScores& scores, Factorization factorization)
      : arcs_(arcs),
        scores_(scores),
        factorization_(factorization),
        has_tri_siblings_(PartKinds(factorization).tri_siblings),
        has_grandchildren_(PartKinds(factorization).grandchildren) {}

  // Takes over a tree, all of whose arcs are candidates.
  void assign(std::span<const int> heads) {
    const std::size_t nodes = heads.size() + 1;
    arc_of_.assign(nodes, detached);
    for (auto* links : {&inner_, &outer_, &last_[0], &last_[1]}) links->assign(nodes, nobody);
    arc_of_[0] = arcs_.top();
    score_ = 0;
    below_.assign(1, 0);  // from the root downwards: a word needs its head to be there
    for (std::size_t next = 0; next < below_.size(); ++next)
      for (int arc = arcs_.begin(below_[next]); arc < arcs_.end(below_[next]); ++arc)
        if (const int m = arcs_.modifier(arc); heads[at(m) - 1] == below_[next]) {
          attach(arc);
          below_.push_back(m);
        }
  }

  int words() const { return arcs_.words(); }
  const Candidates& candidates() const { return arcs_; }
  int arc(int m) const { return arc_of_[at(m)]; }
  int head(int m) const { return arcs_.head(arc(m)); }
  bool is_attached(int node) const { return arc(node) != detached; }
  double score() const { return score_; }
  void copy_heads(std::vector<int>& heads) const {
    heads.resize(at(words()));
    for (int m = 1; m <= words(); ++m) heads[at(m) - 1] = head(m);
  }

  // Takes a word with all that hangs from it out of the tree. Returns what the score loses: what attaching it
  // again would add.
  double detach(int m) {
    const int arc = arc_of_[at(m)], h = arcs_.head(arc);
    const int inside = inner_[at(m)], outside = outer_[at(m)];
    const double with = beside(h, m, inside, outside) + own_parts(m) + parts_across(m) + scores_.labels[arc];
    unlink(m);
    const double lost = with - beside(h, m, inside, outside);
    score_ -= lost;
    return lost;
  }

  // Puts a word that was detached under a head that is not. Returns what the score gains.
  double attach(int arc) {
    const double gained = link(arc);
    score_ += gained;
    return gained;
  }

  // What attach(arc) would add to the score.
  double attachment(int arc) {
    const double gained = link(arc);
    unlink(arcs_.modifier(arc));
    return gained;
  }

  // The words that hang from m, directly or not, and m itself. Valid until the next call.
  const std::vector<int>& subtree(int m) {
    below_.assign(1, m);
    for (std::size_t next = 0; next < below_.size(); ++next)
      for (const auto& last : last_)
        for (int child = last[at(below_[next])]; child != nobody; child = inner_[at(child)]) below_.push_back(child);
    return below_;
  }

 private:
  static constexpr int detached = -1;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int side_of(int h, int m) { return h < m ? 1 : 0; }

  double link(int arc) {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    int outside = nobody, inside = last_[side_of(h, m)][at(h)];
    while (inside != nobody && (h < m) == (m < inside)) {
      outside = inside;
      inside = inner_[at(inside)];
    }
    const double without = beside(h, m, inside, outside);
    arc_of_[at(m)] = arc;
    inner_[at(m)] = inside;
    outer_[at(m)] = outside;
    if (inside != nobody) outer_[at(inside)] = m;
    (outside == nobody ? last_[side_of(h, m)][at(h)] : inner_[at(outside)]) = m;
    return beside(h, m, inside, outside) + own_parts(m) + parts_across(m) + scores_.labels[arc] - without;
  }

  void unlink(int m) {
    const int h = head(m), inside = inner_[at(m)], outside = outer_[at(m)];
    if (inside != nobody) outer_[at(inside)] = outside;
    (outside == nobody ? last_[side_of(h, m)][at(h)] : inner_[at(outside)]) = inside;
    arc_of_[at(m)] = detached;
  }

  // Looks scores up. In a tree the arc into a word names its head too, so a part is found by the arcs of its words.
  struct Lookup {
    const MovableTree& tree;
    bool with_siblings;  // parts that do not reach above the head
    double total = 0;
    int rank(int s) const { return s == nobody ? 0 : tree.arcs_.inner(tree.arc(s)) + 1; }
    void add(const double* table, Index place) { total += table[place]; }
    void sibling(int, int m, int s) {
      if (with_siblings && tree.scores_.siblings) add(tree.scores_.siblings, tree.arcs_.sibling(tree.arc(m), rank(s)));
    }
    void tri_sibling(int, int m, int s, int t) {
      if (with_siblings && tree.scores_.tri_siblings)
        add(tree.scores_.tri_siblings, tree.arcs_.tri_sibling(tree.arc(m), rank(s), rank(t)));
    }
    void grandchild(int, int h, int m) {
      if (tree.scores_.grandchildren)
        add(tree.scores_.grandchildren, tree.arcs_.grandchild(tree.arc(h), tree.arc(m)));
    }
    void outermost(int, int h, int m) {
      if (tree.scores_.outermost) add(tree.scores_.outermost, tree.arcs_.grandchild(tree.arc(h), tree.arc(m)));
    }
    void grand_sibling(int, int h, int m, int s) {
      if (tree.scores_.grand_siblings)
        add(tree.scores_.grand_siblings, tree.arcs_.grand_sibling(tree.arc(h), tree.arc(m), rank(s)));
    }
  };

  double parts_of(int m, bool with_siblings) const {
    const int h = head(m), s = inner_[at(m)], t = s == nobody ? nobody : inner_[at(s)];
    Lookup lookup{*this, with_siblings};
    for_each_part_of(factorization_, {h == 0 ? nobody : head(h), h, m, s, t, outer_[at(m)] == nobody}, lookup);
    return lookup.total;
  }
  double own_parts(int m) const { return parts_of(m, true); }

  // The parts of the neighbours that m has, or would have, on its side of h, and of nobody there.
  double beside(int h, int m, int inside, int outside) const {
    if (outside == nobody) {
      if (inside != nobody) return own_parts(inside);
      return h != 0 && last_[side_of(h, m)][at(h)] == nobody ? no_modifiers(h, side_of(h, m)) : 0.0;
    }
    const int next = outer_[at(outside)];
    return own_parts(outside) + (has_tri_siblings_ && next != nobody ? own_parts(next) : 0.0);
  }

  // The parts that join the head of m to its modifiers.
  double parts_across(int m) const {
    double total = 0;
    if (!has_grandchildren_) return total;
    for (int side = 0; side < 2; ++side) {
      if (last_[side][at(m)] == nobody) total += no_modifiers(m, side);
      for (int child = last_[side][at(m)]; child != nobody; child = inner_[at(child)]) total += parts_of(child, false);
    }
    return total;
  }
  double no_modifiers(int h, int side) const {
    if (!has_grandchildren_ || !scores_.grandchildren) return 0.0;
    const bool faces_head = (side == 0) == (head(h) < h);
    return scores_.grandchildren[arcs_.no_grandchild(arc(h), faces_head)];
  }

  const Candidates& arcs_;
  PartScores scores_;
  Factorization factorization_;
  bool has_tri_siblings_, has_grandchildren_;
  double score_ = 0;
  std::vector<int> arc_of_, inner_, outer_, last_[2], below_;
};

}  // namespace headwise
