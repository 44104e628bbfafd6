// Climbs from tree to tree: one head at a time is moved to where the score is highest, words far from the root first,
// until no move helps (Zhang et al. 2014, "Greed is good if randomized", Figure 1).
//
// An escape goes on from there: an arc that is not in the tree is put in at a loss, the words around it move where that
// is better for them, and what comes of it is kept if it scores more in the end. Most trees that no single move
// improves, and that are not the best, are two or three moves away from it, and the first of them brings the others.
// An arc from below is put in too: where a word should hang from one that hangs from it, no single move gets there.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/index.hpp"
#include "trees/local_search/movable_tree.hpp"
#include "trees/local_search/moves.hpp"
#include "trees/local_search/nesting.hpp"
#include "trees/semiring.hpp"

namespace headwise::trees {

// A gain smaller than this is no gain, so that rounding cannot make a climb run in circles.
inline constexpr double smallest_gain = 1e-9;

class Climber {
 public:
  Climber(MovableTree& tree, bool single_root, bool projective = false)
      : tree_(tree),
        single_root_(single_root),
        moves_(tree, single_root, projective),
        waits_(static_cast<std::size_t>(tree.words()) + 1, 0) {}

  // Figure 1. With a single root, single moves cannot replace the root word; where they are exhausted, the best
  // exchange of the root is tried.
  void climb() {
    while (sweep() || (single_root_ && exchange_root())) {
    }
  }

  // From a tree that climb() found, to one from which no escape leads higher.
  void escape() {
    while (escape_once()) {
    }
  }

  // To the tree that the first escape leads to which leads higher; false where there is none.
  bool escape_once() {
    if (!take_detour()) return false;
    climb();
    return true;
  }

 private:
  bool sweep() {
    order_bottom_up();
    bool moved = false;
    for (const int m : order_) moved |= improve(m);
    return moved;
  }

  // Words further from the root first; the order is that of the tree before the sweep.
  void order_bottom_up() {
    const std::vector<int>& top_down = tree_.subtree(0);
    order_.assign(top_down.rbegin(), top_down.rend() - 1);
  }

  bool improve(int m) {
    const int best = best_arc(m);
    if (best == tree_.arc(m)) return false;
    change(m, best);
    return true;
  }
  void change(int m, int arc) {
    tree_.detach(m);
    tree_.attach(arc);
  }

  // Where a word hangs best while all others stay. What an arc is worth is mostly known, and then few need to be asked
  // whether they leave a tree; but features of whole trees need one.
  int best_arc(int m) {
    int best = tree_.arc(m);
    if (tree_.candidates().into(m).size() == 1) return best;
    moves_.look_at(m);
    tree_.without(m, [&](double lost) {
      double most = lost + smallest_gain;
      for (const int arc : tree_.candidates().into(m)) {
        if (tree_.has_whole_features() && !moves_.allows(arc)) continue;
        if (const double gain = tree_.attachment(arc); gain > most && moves_.allows(arc)) {
          most = gain;
          best = arc;
        }
      }
    });
    return best;
  }

  // The arc into a word that adds most, of those that are allowed; −1: none.
  template <class Allowed>
  int best_of(int m, Allowed allowed) {
    double most = kImpossible;
    int best = -1;
    tree_.without(m, [&](double) {
      for (const int arc : tree_.candidates().into(m)) {
        if (!allowed(tree_.candidates().head(arc)) || !moves_.is_allowed_among_others(arc)) continue;
        if (const double gain = tree_.attachment(arc); gain > most) {
          most = gain;
          best = arc;
        }
      }
    });
    return best;
  }

  // Another word becomes the root, the one that makes the best tree of it.
  bool exchange_root() {
    double most = tree_.score() + smallest_gain;
    int best = -1;
    each_other_root([&](int root_arc) {
      begin();
      if (!force_root(root_arc)) return;
      if (tree_.score() > most) {
        most = tree_.score();
        best = root_arc;
      }
      undo();
    });
    if (best < 0) return false;
    begin();
    return force_root(best);
  }

  template <class Visit>
  void each_other_root(Visit visit) {
    const Candidates& arcs = tree_.candidates();
    for (int arc = arcs.begin(0); arc < arcs.end(0); ++arc)
      if (tree_.arc(arcs.modifier(arc)) != arc) visit(arc);
  }

  // Puts arcs that are not in the tree into it, one at a time, those that cost least first, until one of them leads to
  // a better tree. As many are tried as there are words.
  bool take_detour() {
    detours_.clear();
    nesting_.assign(tree_.links());
    for (int m = 1; m <= tree_.words(); ++m) list_detours(m);
    if (single_root_) each_other_root([&](int arc) { list_detour(0.0, arc); });
    std::ranges::make_heap(detours_, std::ranges::greater{});
    for (int tried = 0; tried < tree_.words() && !detours_.empty(); ++tried) {
      std::ranges::pop_heap(detours_, std::ranges::greater{});
      const int arc = detours_.back().arc;
      detours_.pop_back();
      if (leads_higher(arc)) return true;
    }
    return false;
  }

  // Of two that cost the same, the first in the list comes first.
  struct Detour {
    double cost;
    std::size_t place;
    int arc;
    auto operator<=>(const Detour&) const = default;
  };
  void list_detour(double cost, int arc) { detours_.push_back({cost, detours_.size(), arc}); }
  void list_detours(int m) {
    const Candidates& arcs = tree_.candidates();
    const int before = tree_.arc(m);
    if (arcs.into(m).size() == 1) return;
    moves_.look_at(m);
    tree_.without(m, [&](double lost) {
      for (const int arc : arcs.into(m))
        if (arc != before && moves_.allows(arc, nesting_)) list_detour(lost - tree_.attachment(arc), arc);
    });
    for (const int arc : arcs.into(m))
      if (nesting_.hangs_from(arcs.head(arc), m)) list_from_below(arc);
  }
  void list_from_below(int arc) {
    const int h = tree_.candidates().head(arc), m = tree_.candidates().modifier(arc);
    const int before = tree_.arc(h), away = best_away(h, m);
    if (away < 0) return;
    const double score = tree_.score();
    change(h, away);
    if (moves_.is_allowed_among_others(arc))
      tree_.without(m, [&](double lost) { list_detour(score - tree_.score() + lost - tree_.attachment(arc), arc); });
    change(h, before);
  }

  // Keeps an arc in the tree while the words around it, and those around what they move, find better heads. If the
  // tree is better then, it stays, else it is as before.
  bool leads_higher(int arc) {
    const double before = tree_.score();
    const int m = tree_.candidates().modifier(arc);
    begin();
    if (!force(arc)) return false;
    for (std::size_t next = 0; next < queue_.size() && next < most_repairs; ++next) {
      const int word = queue_[next];
      waits_[at(word)] = 0;
      if (word == m) continue;
      if (const int better = best_arc(word); better != tree_.arc(word)) move(word, better);
    }
    if (tree_.score() > before + smallest_gain) return true;
    undo();
    return false;
  }

  bool force(int arc) {
    const int h = tree_.candidates().head(arc), m = tree_.candidates().modifier(arc);
    if (single_root_ && h == 0) return force_root(arc);
    if (nesting_.hangs_from(h, m)) return force_below(arc);
    move(m, arc);
    return true;
  }

  // The new head of m hangs from m: it leaves first, for where it is best elsewhere.
  bool force_below(int arc) {
    const int h = tree_.candidates().head(arc), m = tree_.candidates().modifier(arc), away = best_away(h, m);
    if (away < 0) return false;
    move(h, away);
    if (moves_.is_allowed_among_others(arc)) move(m, arc);
    else undo();
    return !done_.empty();
  }
  // Where a word that hangs from m is best if it leaves it; −1: nowhere.
  int best_away(int word, int m) {
    return best_of(word, [&](int g) {
      return !nesting_.hangs_from(g, m) && (!single_root_ || (g == 0) == (tree_.head(m) == 0));
    });
  }

  // A word becomes the root, and the one that was is attached where it is best below; for a moment there are two.
  bool force_root(int root_arc) {
    const int m = tree_.candidates().modifier(root_arc), old_root = tree_.links().outermost(0, 1);
    move(m, root_arc);
    const int best = moves_.is_allowed_among_others(root_arc)
                         ? best_of(old_root, [&](int h) { return tree_.hangs_from(h, m); })
                         : -1;
    if (best >= 0) move(old_root, best);
    else undo();
    return best >= 0;
  }

  // Moves are remembered from begin() on.
  void begin() {
    done_.clear();
    for (const int word : queue_) waits_[at(word)] = 0;
    queue_.clear();
  }
  void undo() {
    for (; !done_.empty(); done_.pop_back()) change(tree_.candidates().modifier(done_.back()), done_.back());
  }

  // Moves a word, remembers from where, and asks for the words around both places to be looked at again.
  void move(int m, int arc) {
    done_.push_back(tree_.arc(m));
    look_around(m);
    change(m, arc);
    look_around(m);
    tree_.links().each_modifier(m, [&](int child) { look_again_at(child); });
    look_again_at(m - 1);
    if (m < tree_.words()) look_again_at(m + 1);
  }
  void look_around(int m) {
    for (const int word : {tree_.head(m), tree_.links().inner(m), tree_.links().outer(m)}) look_again_at(word);
  }
  void look_again_at(int word) {
    if (word <= 0 || waits_[at(word)]) return;
    waits_[at(word)] = 1;
    queue_.push_back(word);
  }

  static constexpr std::size_t most_repairs = 40;  // words looked at again after a detour
  MovableTree& tree_;
  bool single_root_;
  Moves moves_;
  std::vector<int> order_, queue_, done_;  // words; words to look at again; the arcs that moved words had
  std::vector<std::uint8_t> waits_;        // in the queue
  std::vector<Detour> detours_;
  Nesting nesting_;                        // of the tree that detours start from
};

}  // namespace headwise::trees
