// Head automata (Koo et al. 2010, sections 3 and 5): the best modifiers of one word, whatever tree they make.
//
// The automaton of a word h chooses any set of modifiers among its candidate arcs; in models with grandparents
// it chooses the head of h as well, since its scores depend on it. Its variables are the arcs from h, in the
// order of the candidates, then the arcs into h.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/modifier_chain.hpp"
#include "trees/dual/problem.hpp"
#include "trees/factorizations.hpp"
#include "trees/parts.hpp"

namespace headwise::trees {

template <class Chain>
class HeadAutomaton final : public dual::Subproblem {
 public:
  HeadAutomaton(const Candidates& arcs, const PartScores& scores, GrandparentView wanted, bool single_root, int h)
      : degree_(arcs.degree(h)) {
    const int split = arcs.first_at(h, h) - arcs.begin(h);
    sides_ = {Side{split - 1, -1, split, 0, 0}, Side{split, 1, degree_ - split, 0, 0}};
    sides_[1].scores = Chain::score_count(sides_[0].count);
    sides_[1].states = Chain::states(sides_[0].count);
    score_stride_ = sides_[1].scores + Chain::score_count(sides_[1].count);
    state_stride_ = sides_[1].states + Chain::states(sides_[1].count);
    const GrandparentView view = h == 0 ? GrandparentView::none : wanted;
    if (view != GrandparentView::none) above_ = arcs.into(h);
    const bool at_every_modifier = view == GrandparentView::every_modifier;
    chains_ = at_every_modifier ? contexts() : 1;
    fill_chains(arcs, scores, h, single_root, at_every_modifier);
    if (view != GrandparentView::none) fill_ends(arcs, scores, view, h);
    fill_empty_sides(arcs, scores, h);
  }

  double maximize(dual::ConstNumbers multipliers, dual::Flags chosen) override {
    const auto [value, context] = best(multipliers);
    std::fill(chosen.begin(), chosen.end(), 0);
    if (!(value > kImpossible)) return kImpossible;
    if (!above_.empty()) chosen[at(degree_ + context)] = 1;
    for (int side = 0; side < 2; ++side) {
      const double* scores = chain_scores(context, side);
      const double* forward = forward_of(context, side);
      for (int state = end_of(context, side).state; state >= 0;
           state = Chain::before(scores, sides_[side].count, forward, state))
        chosen[at(sides_[side].slot(Chain::modifier(at(state))))] = 1;
    }
    return value;
  }

  void reduced_costs(dual::ConstNumbers multipliers, double maximum, dual::ConstFlags chosen, dual::Numbers on,
                     dual::Numbers off) override {
    std::fill(on.begin(), on.end(), -kImpossible);
    std::fill(off.begin(), off.end(), 0.0);
    best(multipliers);
    for (int context = 0; context < contexts(); ++context) {
      const double up = above_.empty() ? 0.0 : multipliers[at(degree_ + context)];
      const double left = end_of(context, 0).value, right = end_of(context, 1).value;
      if (!above_.empty()) on[at(degree_ + context)] = maximum - (up + left + right);
      costs_of_modifiers(context, 0, maximum - up - right, on);
      costs_of_modifiers(context, 1, maximum - up - left, on);
    }
    for (int i = 0; i < static_cast<int>(on.size()); ++i) on[at(i)] = std::max(0.0, on[at(i)]);
    // Only what is on in the maximum costs something when it is off.
    std::vector<double> without(multipliers.begin(), multipliers.end());
    for (int i = 0; i < static_cast<int>(off.size()); ++i) {
      if (!chosen[at(i)]) continue;
      const double kept = std::exchange(without[at(i)], kImpossible);
      off[at(i)] = std::max(0.0, maximum - best(without).value);
      without[at(i)] = kept;
    }
  }

 private:
  struct Side {
    int first, step, count;       // modifier j of this side, from 1 outwards, is variable first + (j − 1)·step
    std::size_t scores, states;   // where its numbers begin
    int slot(int j) const { return first + (j - 1) * step; }
  };
  struct End {
    double value;
    int state;  // −1: no modifier on this side
  };
  struct Best {
    double value;
    int context;
  };

  // The head of h that is looked at; one where there is none to look at.
  int contexts() const { return above_.empty() ? 1 : static_cast<int>(above_.size()); }
  int chain_of(int context) const { return chains_ == 1 ? 0 : context; }
  const double* chain_scores(int context, int side) const {
    return scores_.data() + at(chain_of(context)) * score_stride_ + sides_[side].scores;
  }
  const double* forward_of(int context, int side) const {
    return forward_.data() + at(chain_of(context)) * state_stride_ + sides_[side].states;
  }
  const double* ends(int context, int side) const {
    return ends_.empty() ? nullptr : ends_.data() + at(context) * state_stride_ + sides_[side].states;
  }
  double empty(int context, int side) const { return empty_[at(2 * context + side)]; }

  Best best(dual::ConstNumbers multipliers) {
    outwards_.resize(at(degree_));
    double* place = outwards_.data();
    for (const Side& side : sides_)
      for (int j = 1; j <= side.count; ++j) *place++ = multipliers[at(side.slot(j))];
    forward_.resize(at(chains_) * state_stride_);
    Best found{kImpossible, 0};
    for (int context = 0; context < contexts(); ++context) {
      const double up = above_.empty() ? 0.0 : multipliers[at(degree_ + context)];
      if (chains_ > 1 || context == 0) run_forward(context);
      const double value = up + end_of(context, 0).value + end_of(context, 1).value;
      if (value > found.value) found = {value, context};
    }
    return found;
  }

  void run_forward(int context) {
    for (int side = 0; side < 2; ++side)
      Chain::forward(chain_scores(context, side), sides_[side].count, side_multipliers(side),
                     const_cast<double*>(forward_of(context, side)));
  }
  const double* side_multipliers(int side) const { return outwards_.data() + (side == 0 ? 0 : sides_[0].count); }

  End end_of(int context, int side) const {
    End end{empty(context, side), -1};
    const double* forward = forward_of(context, side);
    const double* last = ends(context, side);
    const int states = static_cast<int>(Chain::states(sides_[side].count));
    for (int state = 0; state < states; ++state)
      if (const double value = forward[state] + (last ? last[state] : 0.0); value > end.value) end = {value, state};
    return end;
  }

  // `rest` is what the maximum leaves for this side.
  void costs_of_modifiers(int context, int side, double rest, dual::Numbers on) {
    const Side& s = sides_[side];
    const std::size_t states = Chain::states(s.count);
    if (const double* last = ends(context, side))
      after_.assign(last, last + states);
    else
      after_.assign(states, 0.0);
    Chain::backward(chain_scores(context, side), s.count, side_multipliers(side), after_.data());
    const double* forward = forward_of(context, side);
    for (int j = 1; j <= s.count; ++j)
      Chain::states_of(j, [&](std::size_t state) {
        double& cost = on[at(s.slot(j))];
        cost = std::min(cost, rest - (forward[state] + after_[state]));
      });
  }

  void fill_chains(const Candidates& arcs, const PartScores& scores, int h, bool single_root, bool with_grandparent) {
    const double *siblings = scores[Siblings{}], *grandchildren = scores[Grandchildren{}],
                 *grand_siblings = scores[GrandSiblings{}];
    [[maybe_unused]] const double* tri_siblings = scores[TriSiblings{}];
    scores_.resize(at(chains_) * score_stride_);
    for (int context = 0; context < chains_; ++context)
      for (int side = 0; side < 2; ++side) {
        double* table = scores_.data() + at(context) * score_stride_ + sides_[side].scores;
        for (int j = 1; j <= sides_[side].count; ++j) {
          const int arc = arcs.begin(h) + sides_[side].slot(j);
          for (int i = 0; i < j; ++i) {
            double score = scores.labels[arc] + (siblings ? siblings[arcs.sibling(arc, i)] : 0.0);
            if (h == 0 && single_root && i > 0) score = kImpossible;
            if (with_grandparent) {
              const int above = above_[at(context)];
              if (arcs.head(above) == arcs.modifier(arc)) score = kImpossible;  // no tree has g → h → g
              if (grandchildren) score += grandchildren[arcs.grandchild(above, arc)];
              if (grand_siblings) score += grand_siblings[arcs.grand_sibling(above, arc, i)];
            }
            table[triangle(j) + at(i)] = score;
            if constexpr (std::is_same_v<Chain, TriSiblingChain>)
              for (int t = 0; t < i; ++t)
                table[Chain::row(sides_[side].count, j, i) + at(t)] =
                    tri_siblings ? tri_siblings[arcs.tri_sibling(arc, i, t)] : 0.0;
          }
        }
      }
  }

  // What the last modifier of a side adds, and in model 2 the last two.
  void fill_ends(const Candidates& arcs, const PartScores& scores, GrandparentView view, int h) {
    const bool last = view == GrandparentView::last_modifiers;
    const bool last_two = last && std::is_same_v<Chain, TriSiblingChain>;
    const double* grandchildren = last ? scores[Grandchildren{}] : nullptr;
    const double* grand_siblings = last_two ? scores[GrandSiblings{}] : nullptr;
    const double* outermost = scores[Outermost{}];
    if (!grandchildren && !grand_siblings && !outermost) return;
    ends_.assign(at(contexts()) * state_stride_, 0.0);
    for (int context = 0; context < contexts(); ++context)
      for (int side = 0; side < 2; ++side) {
        double* table = ends_.data() + at(context) * state_stride_ + sides_[side].states;
        const int above = above_[at(context)];
        const auto arc_of = [&](int j) { return arcs.begin(h) + sides_[side].slot(j); };
        for (int j = 1; j <= sides_[side].count; ++j) {
          const int arc = arc_of(j);
          int i = 0;
          Chain::states_of(j, [&](std::size_t state) {
            double& end = table[state];
            if (outermost) end += outermost[arcs.grandchild(above, arc)];
            if (grandchildren) end += grandchildren[arcs.grandchild(above, arc)];
            if (grandchildren && last_two && i > 0) end += grandchildren[arcs.grandchild(above, arc_of(i))];
            if (grand_siblings) end += grand_siblings[arcs.grand_sibling(above, arc, i)];
            ++i;
          });
        }
      }
  }

  void fill_empty_sides(const Candidates& arcs, const PartScores& scores, int h) {
    empty_.assign(at(2 * contexts()), 0.0);
    if (h == 0) empty_[1] = kImpossible;  // somebody hangs from the root
    const double* grandchildren = scores[Grandchildren{}];
    if (above_.empty() || !grandchildren) return;
    for (int context = 0; context < contexts(); ++context)
      for (int side = 0; side < 2; ++side) {
        const bool faces_head = (side == 0) == (arcs.head(above_[at(context)]) < h);
        empty_[at(2 * context + side)] = grandchildren[arcs.no_grandchild(above_[at(context)], faces_head)];
      }
  }

  int degree_, chains_ = 1;
  std::array<Side, 2> sides_;
  std::size_t score_stride_ = 0, state_stride_ = 0;
  std::vector<int> above_;                     // arcs into h, by context
  std::vector<double> scores_, ends_, empty_;  // by chain or context, left side then right
  std::vector<double> outwards_, forward_, after_;
};

// All trees of a sentence and their scores.
struct SearchProblem {
  const Candidates& arcs;
  PartScores scores;
  Factorization factorization;
  bool projective, single_root;
};

inline std::unique_ptr<dual::Subproblem> head_automaton(const SearchProblem& trees, int h) {
  const auto [grandparent, siblings] = head_view(trees.factorization);
  if (siblings == 2)
    return std::make_unique<HeadAutomaton<TriSiblingChain>>(trees.arcs, trees.scores, grandparent, trees.single_root,
                                                            h);
  return std::make_unique<HeadAutomaton<SiblingChain>>(trees.arcs, trees.scores, grandparent, trees.single_root, h);
}

}  // namespace headwise::trees
