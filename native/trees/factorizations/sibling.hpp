// Adjacent siblings over the arcs that survive pruning: what is left of Model 1 without its other tables.
// dense_sibling.hpp is a chart of their own over all arcs.
#pragma once
#include "rooms.hpp"
#include "dense_sibling.hpp"
#include "model1.hpp"

namespace headwise::trees {

class Sibling : public Model1 {
 public:
  using Model1::Model1;

  using Tables = KindList<Siblings, Positions<Arcs, 2>>;
  static constexpr HeadView head_view{GrandparentView::none, 1};
  template <class Visit>
  static void parts_of(const ModifierInTree& at, Visit&& visit) {
    visit(Siblings{}, at.h, at.m, at.s);
  }
  using OverAllArcs = DenseSibling;
};

}  // namespace headwise::trees
