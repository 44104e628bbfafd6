// What head automata choose when nobody makes them agree: the set Z of Koo et al. (2010), sections 3 and 6.
//
// Every word has the modifiers that its automaton likes best and, in models with grandparents, the head under
// which it likes them. A word may be nobody's modifier or several words'. Training against the best such choice
// needs no search for trees.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "trees/dual/head_automaton.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::trees {

class RelaxedTree {
 public:
  // Returns the score, the sum over all automata; −inf where one has nothing to choose.
  double choose(const SearchProblem& trees) {
    const Candidates& candidates = trees.arcs;
    const bool looks_up = head_view(trees.factorization).grandparent != GrandparentView::none;
    arcs_.clear();
    sides_.clear();
    double score = 0;
    for (int h = 0; h < candidates.nodes(); ++h) {
      const bool has_head = h > 0 && looks_up;
      if (has_head && candidates.into(h).empty()) return kImpossible;
      const auto degree = static_cast<std::size_t>(candidates.degree(h));
      const std::size_t variables = degree + (has_head ? candidates.into(h).size() : 0);
      multipliers_.assign(variables, 0.0);
      chosen_.assign(variables, 0);
      score += head_automaton(trees, h)->maximize(multipliers_, chosen_);
      int g = nobody;
      for (std::size_t i = degree; i < variables; ++i)
        if (chosen_[i]) g = candidates.head(candidates.into(h)[i - degree]);
      add_sides(candidates, g, h, degree);
    }
    return score;
  }

  // Head and modifier of every arc.
  const std::vector<std::pair<int, int>>& arcs() const { return arcs_; }

  // Whether all arcs, and no others, are those of a tree. (The heads that automata look at may still differ.)
  bool has_arcs_of(std::span<const int> heads) const {
    return arcs_.size() == heads.size() && std::all_of(arcs_.begin(), arcs_.end(), [&](const auto& arc) {
             return heads[at(arc.second) - 1] == arc.first;
           });
  }

  // As for_each_part of a tree.
  template <class Visit>
  void for_each_part(Factorization factorization, Visit&& visit) const {
    const bool grandchildren = has_kind<Grandchildren>(factorization);
    for (const Side& side : sides_) {
      const auto modifier = [&](int i) { return i < 0 ? nobody : side.modifiers[at(i)]; };
      const int count = static_cast<int>(side.modifiers.size());
      for (int i = 0; i < count; ++i)
        for_each_part_of(factorization, {side.g, side.h, modifier(i), modifier(i - 1), modifier(i - 2), i + 1 == count},
                         visit);
      if (grandchildren && count == 0 && side.h > 0) visit.empty_side(Grandchildren{}, side.g, side.h, side.is_right);
    }
  }

 private:
  struct Side {
    int g, h, is_right;
    std::vector<int> modifiers;  // nearest first
  };

  void add_sides(const Candidates& candidates, int g, int h, std::size_t degree) {
    Side left{g, h, 0, {}}, right{g, h, 1, {}};
    for (std::size_t i = 0; i < degree; ++i) {
      if (!chosen_[i]) continue;
      const int m = candidates.modifier(candidates.begin(h) + static_cast<int>(i));
      arcs_.emplace_back(h, m);
      (m < h ? left : right).modifiers.push_back(m);
    }
    std::reverse(left.modifiers.begin(), left.modifiers.end());
    sides_.push_back(std::move(left));
    sides_.push_back(std::move(right));
  }

  std::vector<std::pair<int, int>> arcs_;
  std::vector<Side> sides_;
  std::vector<double> multipliers_;
  std::vector<std::uint8_t> chosen_;
};

}  // namespace headwise::trees
