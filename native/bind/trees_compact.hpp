// Distributions over the arcs that survive a mask. Each model is compiled in a file of its own.
#pragma once
#include "rooms.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/factorizations/candidates.hpp"
#include "trees/projective.hpp"

namespace headwise::bind {

inline void check_sizes(const ScoreArrays& scores, const Candidates& arcs) {
  const auto has = [](const auto& array, Index size) {
    require(!array || static_cast<Index>(array->size()) == size, "a compact table has the wrong size");
  };
  const auto rows = [&](const auto& array, Index size) {
    if (array) has(array, size * static_cast<Index>(array->shape(0)));
  };
  const auto& labels = scores.labels.value();
  require(labels.ndim() == 2 && static_cast<Index>(labels.shape(0)) == arcs.arcs() && labels.shape(1) >= 1,
          "labels must have shape (arcs, L)");
  has(scores.siblings, arcs.sibling_count());
  has(scores.tri_siblings, arcs.tri_sibling_count());
  has(scores.grandchildren, arcs.grandchild_count());
  has(scores.outermost, arcs.grandchild_count());
  has(scores.grand_siblings, arcs.grand_sibling_count());
  rows(scores.positions, arcs.arcs());
  rows(scores.sibling_positions, arcs.sibling_count());
  rows(scores.grandchild_positions, arcs.grandchild_count());
}

template <class Factorization>
OwningDistribution* make_compact(const Candidates& arcs, const ScoreArrays& scores, bool single_root) {
  check_sizes(scores, arcs);
  return new OwningDistribution{
      std::make_unique<ProjectiveDistribution<Factorization>>(Factorization(arcs, single_root), scores.tables()),
      scores};
}

}  // namespace headwise::bind
