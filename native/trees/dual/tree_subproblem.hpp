// The subproblem that makes trees: a maximum spanning tree, or Eisner's algorithm where arcs must not cross
// (Koo et al. 2010, section 7.7). Its variables are all candidate arcs; it has no scores of its own.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <vector>

#include "base/index.hpp"
#include "trees/decode.hpp"
#include "trees/dual/problem.hpp"
#include "trees/factorizations/candidates.hpp"

namespace headwise::trees {

class TreeSubproblem final : public dual::Subproblem {
 public:
  TreeSubproblem(const Candidates& arcs, bool projective, bool single_root)
      : arcs_(arcs),
        projective_(projective),
        single_root_(single_root),
        dense_(static_cast<std::size_t>(arcs.nodes()) * static_cast<std::size_t>(arcs.nodes()), kImpossible),
        heads_(static_cast<std::size_t>(arcs.words())) {}

  double maximize(dual::ConstNumbers multipliers, dual::Flags chosen) override {
    const int nodes = arcs_.nodes();
    for (int arc = 0; arc < arcs_.arcs(); ++arc)
      dense_[at(arcs_.head(arc) * nodes + arcs_.modifier(arc))] = multipliers[at(arc)];
    const auto decode = projective_ ? decode_projective : decode_nonprojective;
    const double score = decode(dense_.data(), nodes - 1, single_root_, heads_.data(), scratch_);
    if (!(score > kImpossible)) return kImpossible;
    std::fill(chosen.begin(), chosen.end(), 0);
    for (int m = 1; m < nodes; ++m) chosen[at(arcs_.find(heads_[at(m - 1)], m))] = 1;
    return score;
  }

  void reduced_costs(dual::ConstNumbers multipliers, double maximum, dual::ConstFlags chosen, dual::Numbers on,
                     dual::Numbers off) override {
    if (projective_) return dual::Subproblem::reduced_costs(multipliers, maximum, chosen, on, off);
    for (int arc = 0; arc < arcs_.arcs(); ++arc)
      on[at(arc)] = scratch_.arborescence.reduced_cost(arcs_.head(arc), arcs_.modifier(arc), multipliers[at(arc)]);
    std::fill(off.begin(), off.end(), 0.0);
  }

  // Of the last maximum.
  const std::vector<int>& heads() const { return heads_; }

 private:
  const Candidates& arcs_;
  bool projective_, single_root_;
  std::vector<double> dense_;
  std::vector<int> heads_;
  DecodeScratch scratch_;
};

}  // namespace headwise::trees
