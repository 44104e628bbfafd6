// How probable the parts of trees with grand-siblings are: each item of a filled chart hands its probability on to
// what it is built of, from the widest span down, in the shares that the ways to build it have in its sum. In one
// step no cell is handed anything by two tasks.
#pragma once

namespace headwise::kernels {

// From a half, under the arcs above of some lane, to its outermost modifier; what is returned is for the half of that.
//
// When the half ends with the modifier, nothing else hands anything to the arc below the arcs above. Then their I
// becomes used / I · w(g, h, m), by which all ways to build I are to be multiplied to be probabilities.
template <class T, int components, bool search>
HEADWISE_DEVICE auto GrandSiblingTrees<T, components, search>::hand_on_half(const HalfOfWidth& half, int entry,
                                                                           int term, int step, bool& bad) -> Probability {
  const int arc = arcs_.arc(entry), m = entry >> 16, cell = half.cell();
  const int first = arcs_.pair(half.h, 0, arcs_.place(arc)), apart = arcs_.pair_step(half.h);
  const auto outer = this->half(arc, cell);
  Probability all;
  for (int d = term; d < (half.h == 0 ? 1 : k_); d += step) {
    const int above = arcs_.above(half.h, d), pair = first + d * apart;
    Probability used;
    if (arcs_.is_above(half.h, d, half.low(), half.high())) used = used_halves_(above, cell - 1);
    if (used.x[0] > 0) {
      const Probability p = used * exp(pairs_(0, pair) + outer - this->half(above, cell));
      used_pairs_.add(0, pair, p);
      all += p;
    }
    if (m != half.e) continue;
    used = used_pairs_(0, pair);
    Weight to_ways = Weight::none();
    if (used.x[0] > 0) {
      to_ways = log(used) - pairs_(0, pair);
      if (half.h > 0) to_ways = to_ways + parts_.grandchild_weight(parts_.grandchild(m, entry & 0xffff, d), bad);
    }
    pairs_.set(0, pair, to_ways);
  }
  return all;
}

// From the regions inside an arc, those of some lane, to the siblings' halves that end in a cell; what is returned is
// for the half of the modifier that meets them there.
template <class T, int components, bool search>
HEADWISE_DEVICE auto GrandSiblingTrees<T, components, search>::hand_on_regions(const ArcOfWidth& arc, int cell,
                                                                              int term, int step) -> Probability {
  Probability all;
  if (term == 0 && cell == arc.facing_cell()) all = used_regions_(0, arc.region);
  for (int j = term == 0 ? step : term; j <= arc.inner; j += step) {
    const int entry = sibling_entry(arc, j), s = entry >> 16;
    if (arc.h < arc.m ? s >= cell : s < cell) break;  // beyond the cell, as all that follow are
    const Probability used = used_regions_(0, arc.region + j);
    if (!(used.x[0] > 0)) continue;
    const Probability p = used * exp(way(arc, j, cell) - regions_(0, arc.region + j));
    used_halves_.add(arcs_.arc(entry), cell - 1, p);
    all += p;
  }
  return all;
}

template <class T, int components, bool search>
template <class Put>
HEADWISE_DEVICE void GrandSiblingTrees<T, components, search>::outside(const Lanes& lanes, Put put) {
  const int first = this->first();
  bool bad = false;  // has been seen to
  used_halves_.clear(lanes);
  used_pairs_.clear(lanes);
  lanes.sync();
  if (batch_.single_root) {
    const auto all = total();
    for (int number = arcs_.first(0, true) + lanes.rank(); number < arcs_.last(0, true); number += lanes.count()) {
      const int entry = arcs_.by_head(number), m = entry >> 16, c = entry & 0xffff;
      const auto choice = root_choice(entry, bad);
      if (!choice.possible()) continue;
      const Probability p = exp(choice - all);
      used_halves_.add(arcs_.arc(entry), 0, p);
      used_halves_.add(arcs_.arc(entry), n_, p);
      put(0, m, p);
      parts_.put_sibling(parts_.sibling(m, c, 0), p);
    }
  } else if (lanes.rank() == 0) {
    Probability certain;
    certain.x[0] = 1;
    used_halves_.set(arcs_.top(), n_, certain);
  }
  lanes.sync();
  for (int width = n_ - first; width >= 1; --width) {
    const ArcsOfWidth of_width = arcs_of_width(width);
    fill_regions<LogSum<T, components>, true>(lanes, width, bad);
    // From halves to their outermost modifiers, which have an arc of this width or a narrower one.
    each_task(lanes, arcs_.width_begin(width + 1), k_, [&](int task, int term, int step) {
      const int entry = arcs_.by_width(task < 0 ? 0 : task), h = arcs_.inside(task < 0 ? 0 : task) >> 16;
      const int e = (entry >> 16) > h ? h + width : h - width;
      const bool exists = task >= 0 && e >= 1 && e <= n_;
      Probability all;
      if (exists) all = hand_on_half({h, e}, entry, term, step, bad);
      all.reduce(lanes, step);
      if (exists && term == 0) used_halves_.add(arcs_.arc(entry), HalfOfWidth{h, e}.cell() - 1, all);
    });
    lanes.sync();
    each_task(lanes, of_width.count * of_width.regions, k_, [&](int task, int term, int step) {
      const int number = task < 0 ? 0 : of_width.arc(task), j = task < 0 ? 0 : task - number * of_width.regions;
      const ArcOfWidth arc = arc_of_width(of_width, number);
      const bool exists = task >= 0 && j <= arc.inner;
      Probability with_sibling, of_arc;
      if (exists) {
        const int first = arcs_.pair(arc.h, 0, arc.place), apart = arcs_.pair_step(arc.h);
        const auto region = regions_(0, arc.region + j) + joints_(0, arc.region + j);
        each_ahead(
            term, arc.h == 0 ? 1 : k_, step, [&](int d) { return grand_sibling(arc, d, j, bad); },
            [&](int d, const Weight& part) {
              const int pair = first + d * apart;
              const auto outer = pairs_(0, pair);
              if (!outer.possible()) return;
              const Probability p = exp(before_sibling(arc, j, pair, region) + part + outer);
              with_sibling += p;
              if (arc.h > 0) parts_.put_grand_sibling(parts_.grand_sibling(arc.m, arc.c, d, sibling(arc, j)), p);
              if (j > 0) {
                used_pairs_.add(0, pair_of_sibling(arc, j, pair), p);
                return;
              }
              const Probability used = used_pairs_(0, pair);
              of_arc += used;
              if (arc.h > 0) parts_.put_grandchild(parts_.grandchild(arc.m, arc.c, d), used);
            });
      }
      with_sibling.reduce(lanes, step);
      of_arc.reduce(lanes, step);
      lanes.sync_warp();  // others have read the joint, which lies where the result does
      if (!exists || term > 0) return;
      used_regions_.set(0, arc.region + j, with_sibling);
      parts_.put_sibling(parts_.sibling(arc.m, arc.c, sibling(arc, j)), with_sibling);
      if (j == 0) put(arc.h, arc.m, of_arc);
    });
    lanes.sync();
    // From regions to halves. In one cell, the half of m towards its head meets those of all siblings.
    const Divider by_width(width);
    each_task(lanes, of_width.count * width, of_width.regions, [&](int task, int term, int step) {
      const int number = task < 0 ? 0 : by_width.quotient(task);
      const ArcOfWidth arc = arc_of_width(of_width, number);
      const int place = task - number * width, cell = arc.facing_cell() + (arc.h < arc.m ? place : -place);
      Probability all;
      if (task >= 0) all = hand_on_regions(arc, cell, term, step);
      all.reduce(lanes, step);
      if (task >= 0 && term == 0) used_halves_.add(arc.number, cell - 1, all);
    });
    lanes.sync();
  }
  if (!parts_.has_empty_sides()) return;
  for (int arc = lanes.rank(); arc < arcs_.count(); arc += lanes.count()) {
    const int h = arc / k_ + 1, d = arc % k_, g = arcs_.head(arc);
    if (g < 0) continue;
    for (int right = 0; right < 2; ++right)
      parts_.put_grandchild(parts_.empty_side(h, d, (right == 1) == (g > h)), used_halves_(arc, h + right - 1));
  }
}

}  // namespace headwise::kernels
