// A tree whose words can be moved one at a time, and whose score follows: only the parts that a move touches are
// looked up.
//
// When m leaves its head h, three kinds of parts go: the arc; those in which m stands beside its neighbours on its
// side of h (itself, the next one or two outwards, and the next one inwards where m was the outermost); and those
// that join the modifiers of m to h across m. They come back, with other scores, where m is attached. Every other
// part stays as it is.
//
// The parts of a modifier are those of tree_parts.hpp, which says what they are for learning and for whole trees.
//
// Searches ask again and again what an arc is worth whose surroundings have not changed, or are again what they were.
// So the answers are remembered (memo.hpp). They depend on the modifiers of h and of m and on the arc into h, and on
// nothing else; what these are is named by the sum of one random number for each of the arcs.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "trees/factorizations/candidates.hpp"
#include "trees/local_search/whole_tree_scorer.hpp"
#include "trees/linked_tree.hpp"
#include "trees/tree_parts.hpp"
#include "trees/tree_score.hpp"
#include "trees/local_search/memo.hpp"
#include "trees/parts.hpp"
#include "base/index.hpp"
#include "base/random.hpp"
#include "base/simd.hpp"

namespace headwise::trees {

class MovableTree {
 public:
  // With `whole`, features of the whole tree count too; it may be null.
  MovableTree(const Candidates& arcs, const PartScores& scores, Factorization factorization,
              WholeTreeScorer* whole = nullptr)
      : arcs_(arcs),
        scores_(scores),
        factorization_(factorization),
        has_grandchildren_(has_kind<Grandchildren>(factorization)),
        whole_(whole),
        compute_(computing(factorization)),
        around_(arcs.arcs()),
        across_(arcs.arcs()) {}

  // Takes over a tree, all of whose arcs are candidates.
  void assign(std::span<const int> heads) {
    score_ = tree_score(arcs_, scores_, factorization_, heads, links_) + (whole_ ? whole_->assign(links_) : 0.0);
    arc_of_.assign(at(arcs_.nodes()), arcs_.top());
    names_.assign(at(arcs_.nodes()), {});
    for (int m = 1; m <= words(); ++m) {
      arc_of_[at(m)] = arcs_.find(links_.head(m), m);
      add_name(arc(m));
    }
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
    const int h = head(m);
    double lost = parts_with(arc(m));
    if (whole_) lost += whole_->before_detaching(links_, m);
    unlink(m);
    if (whole_) lost += whole_->after_detaching(links_, h, m);
    score_ -= lost;
    return lost;
  }

  // Puts a word that was detached under a head that is not. Returns what the score gains.
  double attach(int arc) {
    double gained = parts_with(arc);
    link(arc);
    if (whole_) gained += whole_->attached(links_, arcs_.modifier(arc));
    score_ += gained;
    return gained;
  }

  // What attach(arc) would add to the score. Only with features of the whole tree must the word be detached, and must
  // there be a tree.
  double attachment(int arc) {
    double gained = parts_with(arc);
    if (!whole_) return gained;
    link(arc);
    gained += whole_->would_add(links_, arcs_.modifier(arc));
    unlink(arcs_.modifier(arc));
    return gained;
  }
  bool has_whole_features() const { return whole_ != nullptr; }

  // Calls f(lost), with what detach(m) returns, to ask for attachments of m. It is out then if it must be.
  template <class F>
  void without(int m, F f) {
    const int before = arc(m);
    f(whole_ ? detach(m) : attachment(before));
    if (whole_) attach(before);
  }

  // Whether a node is `above`, or hangs from it, directly or not.
  bool hangs_from(int node, int above) const {
    while (node != above && node != nobody) node = links_.head(node);
    return node == above;
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

  void link(int arc) {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc);
    arc_of_[at(m)] = arc;
    links_.link(h, m);
    add_name(arc);
  }
  void unlink(int m) {
    names_[at(head(m))].modifiers -= names_[at(m)].arc;
    links_.unlink(m);
    arc_of_[at(m)] = detached;
  }
  void add_name(int arc) {
    Names& names = names_[at(arcs_.modifier(arc))];
    names.arc = Random(static_cast<std::uint64_t>(arc)).bits();
    names_[at(arcs_.head(arc))].modifiers += names.arc;
  }

  // Looks scores up. In a tree the arc into a word names its head too, so a part is found by the arcs of its words.
  struct Lookup {
    const MovableTree& tree;
    bool with_siblings;  // parts that do not reach above the head
    double total = 0;
    int rank(int s) const { return s == nobody ? 0 : tree.arcs_.inner(tree.arc(s)) + 1; }
    template <class Kind, class... Words>
    void operator()(Kind kind, Words... words) {
      if (Kind::ancestors == 0 && !with_siblings) return;
      const double* table = tree.scores_[kind];
      if (!table) return;
      const std::array<int, Kind::words> nodes{words...};
      typename Kind::Path path;
      for (std::size_t k = 0; k < path.size(); ++k) path[k] = tree.arc(nodes[k + 1]);
      int ranks[2] = {};
      for (int k = 0; k < Kind::siblings; ++k) ranks[k] = rank(nodes[at(Kind::spine + k)]);
      total += table[Kind::place(tree.arcs_, path, ranks[0], ranks[1])];
    }
  };

  // The parts of a modifier whose next modifier towards its head is s, followed by t.
  template <class Trees>
  double parts_of(int m, int s, int t, bool outermost, bool with_siblings = true) const {
    const int h = head(m);
    Lookup lookup{*this, with_siblings};
    Trees::parts_of({h == 0 ? nobody : head(h), h, m, s, t, outermost}, lookup);
    return lookup.total;
  }
  int inner_of(int s) const { return s == nobody ? nobody : links_.inner(s); }

  // What the parts that an arc brings score more than those that it takes the place of, whether its modifier hangs
  // there, elsewhere or is out.
  double parts_with(int arc) {
    const Names &of_h = names_[at(arcs_.head(arc))], &of_m = names_[at(arcs_.modifier(arc))];
    const bool is_there = this->arc(arcs_.modifier(arc)) == arc;
    const std::uint64_t name = of_h.modifiers - (is_there ? of_m.arc : 0) + of_h.arc + of_m.modifiers;
    return around_.look_up(arc, name, [&] { return (this->*compute_)(arc); });
  }

  // One for each factorization: what a part is made of is decided when this is compiled.
  template <class Trees>
  HEADWISE_FLATTEN double compute(int arc) {
    const int h = arcs_.head(arc), m = arcs_.modifier(arc), present = this->arc(m);
    const auto [inside, outside] =
        present == arc ? std::pair(links_.inner(m), links_.outer(m)) : links_.neighbours(h, m);
    const int inside_that = inner_of(inside);
    const auto parts = [this](int word, int s, int t, bool outermost) {
      return parts_of<Trees>(word, s, t, outermost);
    };
    arc_of_[at(m)] = arc;
    double gained = scores_.labels[arc] + parts_across<Trees>(m) +
                    parts(m, inside, inside_that, outside == nobody);
    // The parts of the neighbours on its side of h, or of nobody there, with m and without.
    if (outside != nobody) {
      const int next = links_.outer(outside);
      gained += parts(outside, m, inside, next == nobody) - parts(outside, inside, inside_that, next == nobody);
      if (Trees::Tables::template has<TriSiblings> && next != nobody) {
        const bool outermost = links_.is_outermost(next);
        gained += parts(next, outside, m, outermost) - parts(next, outside, inside, outermost);
      }
    } else if (inside != nobody) {
      const int last = inner_of(inside_that);
      gained += parts(inside, inside_that, last, false) - parts(inside, inside_that, last, true);
    } else if (h != 0) {
      gained -= no_modifiers(h, LinkedTree::side_of(h, m));
    }
    arc_of_[at(m)] = present;
    return gained;
  }
  using Compute = double (MovableTree::*)(int);
  static Compute computing(Factorization factorization) {
    return with_head_view(factorization, []<class Trees>(std::type_identity<Trees>) -> Compute {
      return &MovableTree::compute<Trees>;
    });
  }

  // The parts that join the head of m to its modifiers.
  template <class Trees>
  double parts_across(int m) {
    if (!has_grandchildren_) return 0.0;
    return across_.look_up(arc(m), names_[at(m)].modifiers, [&] {
      double total = 0;
      for (int side = 0; side < 2; ++side)
        if (!links_.has_modifiers(m, side)) total += no_modifiers(m, side);
      links_.each_modifier(m, [&](int child) {
        const int s = links_.inner(child);
        total += parts_of<Trees>(child, s, inner_of(s), links_.is_outermost(child), false);
      });
      return total;
    });
  }
  double no_modifiers(int h, int side) const {
    if (!has_grandchildren_ || !scores_[Grandchildren{}]) return 0.0;
    const bool faces_head = (side == 0) == (head(h) < h);
    return scores_[Grandchildren{}][arcs_.no_grandchild(arc(h), faces_head)];
  }

  // An arc is named by a random number. It has to be one that knows nothing of the others: an arc may count twice, and
  // there are arcs with mix(a) + mix(a) = mix(b).
  struct Names {
    std::uint64_t modifiers = 1;  // the sum over the arcs to them; 0 is nothing's name
    std::uint64_t arc = 0;        // into the word
  };

  const Candidates& arcs_;
  PartScores scores_;
  Factorization factorization_;
  bool has_grandchildren_;
  WholeTreeScorer* whole_;
  LinkedTree links_;
  double score_ = 0;
  std::vector<int> arc_of_, below_;
  std::vector<Names> names_;
  Compute compute_;
  Memo<8> around_;  // parts_with() each arc
  Memo<2> across_;  // parts_across() it
};

}  // namespace headwise::trees
