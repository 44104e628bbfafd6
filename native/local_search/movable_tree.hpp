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
#include "global_features/whole_tree_score.hpp"
#include "higher_order/linked_tree.hpp"
#include "higher_order/tree_parts.hpp"
#include "parts.hpp"

namespace headwise {

class MovableTree {
 public:
  // With `whole`, features of the whole tree count too; it may be null.
  MovableTree(const Candidates& arcs, const PartScores& scores, Factorization factorization,
              WholeTreeScore* whole = nullptr)
      : arcs_(arcs),
        scores_(scores),
        factorization_(factorization),
        has_tri_siblings_(PartKinds(factorization).tri_siblings),
        has_grandchildren_(PartKinds(factorization).grandchildren),
        whole_(whole) {}

  // Takes over a tree, all of whose arcs are candidates.
  void assign(std::span<const int> heads) {
    links_.clear(words());
    arc_of_.assign(at(arcs_.nodes()), detached);
    arc_of_[0] = arcs_.top();
    score_ = 0;
    below_.assign(1, 0);  // from the root downwards: a word needs its head to be there
    for (std::size_t next = 0; next < below_.size(); ++next)
      for (int arc = arcs_.begin(below_[next]); arc < arcs_.end(below_[next]); ++arc)
        if (const int m = arcs_.modifier(arc); heads[at(m) - 1] == below_[next]) {
          score_ += link(arc);
          below_.push_back(m);
        }
    if (whole_) score_ += whole_->assign(links_);
  }

  int words() const { return arcs_.words(); }
  const Candidates& candidates() const { return arcs_; }
  const LinkedTree& links() const { return links_; }
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
    const int inside = links_.inner(m), outside = links_.outer(m);
    const double with = beside(h, m, inside, outside) + own_parts(m) + parts_across(m) + scores_.labels[arc];
    const double with_kin = whole_ ? whole_->before_detaching(links_, m) : 0.0;
    unlink(m);
    double lost = with - beside(h, m, inside, outside);
    if (whole_) lost += with_kin + whole_->after_detaching(links_, h, m);
    score_ -= lost;
    return lost;
  }

  // Puts a word that was detached under a head that is not. Returns what the score gains.
  double attach(int arc) {
    const double gained = link(arc) + (whole_ ? whole_->attached(links_, arcs_.modifier(arc)) : 0.0);
    score_ += gained;
    return gained;
  }

  // What attach(arc) would add to the score.
  double attachment(int arc) {
    const double gained = link(arc) + (whole_ ? whole_->would_add(links_, arcs_.modifier(arc)) : 0.0);
    unlink(arcs_.modifier(arc));
    return gained;
  }

  // The words that hang from m, directly or not, and m itself. Valid until the next call.
  const std::vector<int>& subtree(int m) {
    below_.assign(1, m);
    for (std::size_t next = 0; next < below_.size(); ++next)
      links_.each_modifier(below_[next], [&](int child) { below_.push_back(child); });
    return below_;
  }

 private:
  static constexpr int detached = -1;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  double link(int arc) {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    const auto [inside, outside] = links_.neighbours(h, m);
    const double without = beside(h, m, inside, outside);
    arc_of_[at(m)] = arc;
    links_.link(h, m);
    return beside(h, m, inside, outside) + own_parts(m) + parts_across(m) + scores_.labels[arc] - without;
  }

  void unlink(int m) {
    links_.unlink(m);
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
    const int h = head(m), s = links_.inner(m), t = s == nobody ? nobody : links_.inner(s);
    Lookup lookup{*this, with_siblings};
    for_each_part_of(factorization_, {h == 0 ? nobody : head(h), h, m, s, t, links_.is_outermost(m)}, lookup);
    return lookup.total;
  }
  double own_parts(int m) const { return parts_of(m, true); }

  // The parts of the neighbours that m has, or would have, on its side of h, and of nobody there.
  double beside(int h, int m, int inside, int outside) const {
    if (outside == nobody) {
      if (inside != nobody) return own_parts(inside);
      const int side = LinkedTree::side_of(h, m);
      return h != 0 && !links_.has_modifiers(h, side) ? no_modifiers(h, side) : 0.0;
    }
    const int next = links_.outer(outside);
    return own_parts(outside) + (has_tri_siblings_ && next != nobody ? own_parts(next) : 0.0);
  }

  // The parts that join the head of m to its modifiers.
  double parts_across(int m) const {
    double total = 0;
    if (!has_grandchildren_) return total;
    for (int side = 0; side < 2; ++side)
      if (!links_.has_modifiers(m, side)) total += no_modifiers(m, side);
    links_.each_modifier(m, [&](int child) { total += parts_of(child, false); });
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
  WholeTreeScore* whole_;
  LinkedTree links_;
  double score_ = 0;
  std::vector<int> arc_of_, below_;
};

}  // namespace headwise
