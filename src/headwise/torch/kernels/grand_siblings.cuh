// Projective trees with siblings, grandchildren and grand-siblings over candidate arcs: Model 1 of Koo and Collins
// (2010), all spans of one width at a time. With k heads a word, O(k²n²) time and O(kn²) memory.
//
//   B(h, m, s) = Σ_r C(h, s, r) · C(h, m, r+1)       the words between two siblings; s may be none: C(h, m, h+1)
//   I(g, h, m) = w(g, h, m) · Σ_s I(g, h, s) · B(h, m, s) · w(h, m) · w(h, m, s) · w(g, h, m, s)
//   C(g, h, e) = Σ_m I(g, h, m) · C(h, m, e)         m the outermost modifier; where there is none, w(g, h, –)
//
// Halves C are found by the arc into their head and by a cell: e where they end before or at their head, e + 1 where
// they end at or behind it. Regions B are built when the arc (h, m) is, and not kept. With a single root, node 0 takes
// one word m, with C(0, m, 1) · C(0, m, n). Probabilities go down as in siblings.cuh.
#pragma once
#include "agenda.cuh"
#include "candidate_arcs.cuh"

namespace headwise::kernels {

template <class T, int components, bool search>
class GrandSiblingTrees {
 public:
  using Number = T;
  using Weight = Log<T, components>;
  using Probability = Sum<T, components>;

  HEADWISE_DEVICE GrandSiblingTrees(const Batch<T>& batch, const Parts<T>& parts, int sentence, T* memory,
                                    bool marginals)
      : batch_(batch), parts_(parts, sentence, batch.width), sentence_(sentence),
        n_(static_cast<int>(batch.lengths[sentence])), k_(parts_.choices()), by_choices_(k_), arcs_(n_, k_, nullptr) {
    Memory<T, components> tables(memory, n_);
    const int regions = (n_ + 1) * (n_ + 1) / 2 + 1;
    halves_ = tables.rows(n_ * k_ + 1, (n_ + 1) | 1);
    pairs_ = tables.rows(1, k_ * n_ * k_);
    regions_ = tables.rows(1, regions);
    weights_ = tables.rows(1, n_ * k_ + 1);
    if (marginals) {
      joints_ = tables.rows(1, regions);
      used_regions_ = {joints_.values, joints_.stride, joints_.size};  // when a joint has been read for the last time
      used_halves_ = tables.sums_like(halves_);
      used_pairs_ = tables.sums_like(pairs_);
    }
    tops_ = tables.rest();
    int* integers = reinterpret_cast<int*>(tops_ + n_ + 2);
    arcs_ = CandidateArcs(n_, k_, integers);
    agendas_ = integers + CandidateArcs::size(n_, k_);
  }

  // False where the score of an arc is NaN or +inf.
  HEADWISE_DEVICE bool load_arcs(const Lanes& lanes) {
    bool bad = false;
    // The charts are empty yet, and have room for a map of arcs.
    arcs_.list(lanes, batch_.single_root, reinterpret_cast<int*>(halves_.values), [&](int m, int c) {
      const int h = parts_.head(n_, m, c);
      Weight weight = Weight::none();
      if (h >= 0) {
        const long long cell = batch_.offset(sentence_) + (long long)h * batch_.width + m;
        bad |= !is_score(batch_.scores[cell]);
        weight = load<T, components, search>(batch_, cell);
      }
      weights_.set(0, arcs_.arc(m, c), weight);
      return weight.possible() ? h : -1;
    });
    const bool valid = !lanes.any(bad);
    if constexpr (search) return valid;
    take_off_best<T>(lanes, n_, k_, tops_, [&](int c, int m) -> T& { return weights_.values[arcs_.arc(m, c)]; });
    return valid;
  }
  // Memory that is left when `walks` warps walk at a time.
  HEADWISE_DEVICE T* rest(int walks) const { return reinterpret_cast<T*>(agendas_ + Agenda::size(n_, walks)); }
  // What was taken off the weights of arcs altogether.
  HEADWISE_DEVICE T shift() const { return search ? T(0) : tops_[0]; }
  HEADWISE_DEVICE Weight total() const { return batch_.single_root ? weights_(0, arcs_.top()) : half(arcs_.top(), n_ + 1); }

  // Fills the chart, smallest spans first. `Total` is what to make of the ways to build a span. False where the score of
  // a part is NaN or +inf.
  template <class Total>
  HEADWISE_DEVICE bool inside(const Lanes& lanes) {
    const int first = this->first();
    bool bad = false;
    for (int arc = lanes.rank(); arc <= arcs_.count(); arc += lanes.count()) {
      const int h = arc < arcs_.top() ? arc / k_ + 1 : 0, d = arc % k_;
      if (arc < arcs_.top() && arcs_.head(arc) < 0) continue;
      for (int right = 0; right < 2; ++right) set_half(arc, h + right, empty_half(arc, h, d, right == 1, bad));
    }
    lanes.sync();
    for (int width = 1; width <= n_ - first; ++width) {
      fill_regions<Total, false>(lanes, width, bad);
      lanes.sync();
      const ArcsOfWidth of_width = arcs_of_width(width);
      each_task(lanes, of_width.count * k_, of_width.regions, [&](int task, int term, int step) {
        const int number = task < 0 ? 0 : by_choices_.quotient(task), d = task < 0 ? 0 : task - number * k_;
        const ArcOfWidth arc = arc_of_width(of_width, number);
        const bool exists = task >= 0 && arcs_.is_above(arc.h, d, arc.low(), arc.high());
        Total total;
        Weight own;  // asked for before it is needed
        if (exists && term == 0) own = grandchild(arc, d, bad);
        const int pair = exists ? arcs_.pair(arc.h, d, arc.place) : 0;
        if (exists)
          each_ahead(term, arc.inner + 1, step, [&](int j) { return grand_sibling(arc, d, j, bad); },
                     [&](int j, const Weight& part) {
                       total.add(before_sibling(arc, j, pair, regions_(0, arc.region + j)) + part);
                     });
        total.reduce(lanes, step);
        if (exists && term == 0) pairs_.set(0, pair, total.value() + own);
      });
      lanes.sync();
      each_task(lanes, 2 * (n_ - first + 1 - width) * k_, width, [&](int task, int term, int step) {
        const int number = task < 0 ? 0 : by_choices_.quotient(task), d = task < 0 ? 0 : task - number * k_;
        const HalfOfWidth half = half_of_width(width, number);
        const bool exists = task >= 0 && half.exists() && arcs_.is_above(half.h, d, half.low(), half.high());
        Total total;
        if (exists)
          each_modifier(half, term, step, [&](int entry, int place) {
            total.add(pairs_(0, arcs_.pair(half.h, d, place)) + this->half(arcs_.arc(entry), half.cell()));
          });
        total.reduce(lanes, step);
        if (exists && term == 0) set_half(arcs_.above(half.h, d), half.cell(), total.value());
      });
      lanes.sync();
    }
    if (batch_.single_root && lanes.rank() < lanes.warp()) {
      Total all;
      for (int number = arcs_.first(0, true) + lanes.rank(); number < arcs_.last(0, true); number += lanes.warp())
        all.add(root_choice(arcs_.by_head(number), bad));
      all.reduce(lanes, lanes.warp());
      if (lanes.rank() == 0) weights_.set(0, arcs_.top(), all.value());
    }
    return !lanes.any(bad);
  }

  // put(head, modifier, probability) for arcs; those of larger parts go to their tables. The chart is filled, and there
  // is a tree. (grand_siblings_outside.cuh has this and what it calls.)
  template <class Put>
  HEADWISE_DEVICE void outside(const Lanes& lanes, Put put);

  // One tree of a filled chart, from the widest span down, by the lanes of one warp: as in projective.cuh.
  template <class Total, class Pick, class Give>
  HEADWISE_DEVICE void walk(const Lanes& lanes, Pick& pick, Give give) {
    Agenda agenda(lanes, n_, agendas_);
    bool bad = false;
    const auto push = [&](int arc, int cell) {
      const int h = arc == arcs_.top() ? 0 : arc / k_ + 1;
      if (cell != h && cell != h + 1) agenda.push(lanes, arc, cell);
    };
    if (batch_.single_root) {
      const int begin = arcs_.first(0, true);
      const int number = pick(lanes, arcs_.last(0, true) - begin, 0,
                              [&](int k) { return root_choice(arcs_.by_head(begin + k), bad).x[0]; });
      const int entry = arcs_.by_head(begin + number);
      give(0, entry >> 16);
      push(arcs_.arc(entry), 1);
      push(arcs_.arc(entry), n_ + 1);
    } else {
      push(arcs_.top(), n_ + 1);
    }
    int above, cell;
    while (agenda.pop(lanes, above, cell)) {
      const int h = above == arcs_.top() ? 0 : above / k_ + 1, d = above == arcs_.top() ? 0 : above % k_;
      const HalfOfWidth half{h, cell > h ? cell - 1 : cell};
      const int begin = arcs_.first(h, half.right());
      const long long name = 4ll * ((long long)above * (n_ + 2) + cell) + 1;
      const int number = pick(lanes, arcs_.last(h, half.right()) - begin, name, [&](int k) {
        const int entry = arcs_.by_head(begin + k);
        if (!half.contains(entry >> 16)) return impossible<T>();
        const int place = arcs_.place(arcs_.arc(entry));
        return (pairs_(0, arcs_.pair(h, d, place)) + this->half(arcs_.arc(entry), cell)).x[0];
      });
      int entry = arcs_.by_head(begin + number);
      push(arcs_.arc(entry), cell);
      while (true) {
        ArcOfWidth arc = arc_at(h, entry);
        give(h, arc.m);
        // The next modifier towards the head; number 0 is for none.
        const int j = pick(lanes, arc.inner + 1, 4ll * arcs_.pair(h, d, arc.place) + 2, [&](int k) {
          Total ways;
          each_way(arc, k, 0, 1, [&](int cell) { ways.add(way(arc, k, cell)); });
          auto weight = ways.value() + joint(arc, k, bad) + grand_sibling(arc, d, k, bad);
          if (k > 0) weight = weight + pairs_(0, pair_of_sibling(arc, k, arcs_.pair(h, d, arc.place)));
          return weight.x[0];
        });
        if (j == 0) {
          push(arc.number, arc.facing_cell());
          break;
        }
        const int next = sibling_entry(arc, j), low = (next >> 16) < arc.m ? next >> 16 : arc.m;
        const int high = (next >> 16) < arc.m ? arc.m : next >> 16;
        const int meeting = low + 1 + pick(lanes, high - low, 4ll * arcs_.pair(h, d, arc.place) + 3,
                                           [&](int k) { return way(arc, j, low + 1 + k).x[0]; });
        push(arc.number, meeting);
        push(arcs_.arc(next), meeting);
        entry = next;
      }
    }
  }

 private:
  // An arc and where its regions lie while spans of its width are built.
  struct ArcOfWidth {
    int h, m, c, number, place, inner, region;

    HEADWISE_DEVICE int low() const { return h < m ? h : m; }
    HEADWISE_DEVICE int high() const { return h < m ? m : h; }
    // Of the half of m that reaches to its head.
    HEADWISE_DEVICE int facing_cell() const { return h < m ? h + 1 : h; }
  };
  // Arcs of one width in the list of it. Each has up to `regions` regions.
  struct ArcsOfWidth {
    int begin, count, regions;
    Divider by_regions;

    HEADWISE_DEVICE int arc(int task) const { return by_regions.quotient(task); }
  };
  // The half of a head that ends at e, whatever is above.
  struct HalfOfWidth {
    int h, e;

    HEADWISE_DEVICE bool right() const { return e > h; }
    HEADWISE_DEVICE int low() const { return right() ? h : e; }
    HEADWISE_DEVICE int high() const { return right() ? e : h; }
    HEADWISE_DEVICE int cell() const { return right() ? e + 1 : e; }
    HEADWISE_DEVICE bool exists() const { return e > 0; }
    HEADWISE_DEVICE bool contains(int m) const { return m >= low() && m <= high(); }
  };

  HEADWISE_DEVICE int first() const { return batch_.single_root ? 1 : 0; }
  HEADWISE_DEVICE Weight half(int arc, int cell) const { return halves_(arc, cell - 1); }
  HEADWISE_DEVICE void set_half(int arc, int cell, const Weight& weight) const {
    if (cell > 0) halves_.set(arc, cell - 1, weight);
  }

  HEADWISE_DEVICE ArcOfWidth arc_at(int h, int entry) const {
    const int m = entry >> 16, c = entry & 0xffff, number = arcs_.arc(m, c);
    return {h, m, c, number, arcs_.place(number), arcs_.inner(number, h, m), 0};
  }
  HEADWISE_DEVICE ArcsOfWidth arcs_of_width(int width) const {
    const int begin = arcs_.width_begin(width), regions = arcs_.width_regions(width);
    return {begin, arcs_.width_begin(width + 1) - begin, regions, Divider(regions)};
  }
  HEADWISE_DEVICE ArcOfWidth arc_of_width(const ArcsOfWidth& of_width, int number) const {
    const int entry = arcs_.by_width(of_width.begin + number), inside = arcs_.inside(of_width.begin + number);
    const int m = entry >> 16, c = entry & 0xffff, arc = arcs_.arc(m, c);
    return {inside >> 16, m, c, arc, arcs_.place(arc), inside & 0xffff, number * of_width.regions};
  }
  HEADWISE_DEVICE HalfOfWidth half_of_width(int width, int number) const {
    const int i = first() + number / 2;
    return number % 2 ? HalfOfWidth{i + width, i} : HalfOfWidth{i, i + width};
  }
  // visit(entry, place) for the modifiers that a half may have as its outermost.
  template <class Visit>
  HEADWISE_DEVICE void each_modifier(const HalfOfWidth& half, int term, int step, Visit visit) const {
    const int begin = arcs_.first(half.h, half.right()), end = arcs_.last(half.h, half.right());
    const int place = begin - arcs_.first(half.h, false);
    for (int number = begin + term; number < end; number += step) {
      const int entry = arcs_.by_head(number);
      if (!half.contains(entry >> 16)) break;
      visit(entry, place + number - begin);
    }
  }

  // The j-th modifier of h on the way from h to m, from 1 on; h itself for 0.
  HEADWISE_DEVICE int sibling_entry(const ArcOfWidth& arc, int j) const {
    return arcs_.by_head(arcs_.first(arc.h, arc.h < arc.m) + j - 1);
  }
  HEADWISE_DEVICE int sibling(const ArcOfWidth& arc, int j) const { return j == 0 ? arc.h : sibling_entry(arc, j) >> 16; }

  // The ways to build a region: by the cell in which the halves of both siblings meet.
  template <class Visit>
  HEADWISE_DEVICE void each_way(const ArcOfWidth& arc, int j, int term, int step, Visit visit) const {
    if (j == 0) {
      if (term == 0) visit(arc.facing_cell());
      return;
    }
    const int s = sibling(arc, j), low = s < arc.m ? s : arc.m, high = s < arc.m ? arc.m : s;
    for (int cell = low + 1 + term; cell <= high; cell += step) visit(cell);
  }
  HEADWISE_DEVICE Weight way(const ArcOfWidth& arc, int j, int cell) const {
    if (j == 0) return half(arc.number, cell);
    return half(arc.number, cell) + half(arcs_.arc(sibling_entry(arc, j)), cell);
  }
  // What the arc and the pair of siblings weigh by themselves.
  HEADWISE_DEVICE Weight joint(const ArcOfWidth& arc, int j, bool& bad) const {
    return weights_(0, arc.number) + parts_.sibling_weight(parts_.sibling(arc.m, arc.c, sibling(arc, j)), bad);
  }
  // `apart` keeps the sum of the ways to build a region and its own weight in two tables, else they are in one.
  template <class Total, bool apart>
  HEADWISE_DEVICE void fill_regions(const Lanes& lanes, int width, bool& bad) {
    const ArcsOfWidth of_width = arcs_of_width(width);
    each_task(lanes, of_width.count * of_width.regions, width, [&](int task, int term, int step) {
      const int number = task < 0 ? 0 : of_width.arc(task), j = task < 0 ? 0 : task - number * of_width.regions;
      const ArcOfWidth arc = arc_of_width(of_width, number);
      const bool exists = task >= 0 && j <= arc.inner;
      Total total;
      Weight own;  // asked for before it is needed
      if (exists && term == 0) own = joint(arc, j, bad);
      if (exists) each_way(arc, j, term, step, [&](int cell) { total.add(way(arc, j, cell)); });
      total.reduce(lanes, step);
      if (!exists || term > 0) return;
      if constexpr (apart) joints_.set(0, arc.region + j, own);
      regions_.set(0, arc.region + j, apart ? total.value() : total.value() + own);
    });
  }

  HEADWISE_DEVICE Weight grandchild(const ArcOfWidth& arc, int d, bool& bad) const {
    return arc.h == 0 ? Weight() : parts_.grandchild_weight(parts_.grandchild(arc.m, arc.c, d), bad);
  }
  HEADWISE_DEVICE Weight grand_sibling(const ArcOfWidth& arc, int d, int j, bool& bad) const {
    if (arc.h == 0) return Weight();
    return parts_.grand_sibling_weight(parts_.grand_sibling(arc.m, arc.c, d, sibling(arc, j)), bad);
  }
  HEADWISE_DEVICE Weight empty_half(int arc, int h, int d, bool right, bool& bad) const {
    if (h == 0 || !parts_.has_empty_sides()) return Weight();
    return parts_.grandchild_weight(parts_.empty_side(h, d, right == (arcs_.head(arc) > h)), bad);
  }
  // The number of (g, h, s) from that of (g, h, m).
  HEADWISE_DEVICE int pair_of_sibling(const ArcOfWidth& arc, int j, int pair) const { return pair - arc.inner + j - 1; }
  // A way to build I, the `pair`, from a region and the next sibling, but for the parts with the grandparent.
  HEADWISE_DEVICE Weight before_sibling(const ArcOfWidth& arc, int j, int pair, const Weight& region) const {
    return j > 0 ? region + pairs_(0, pair_of_sibling(arc, j, pair)) : region;
  }
  HEADWISE_DEVICE Weight root_choice(int entry, bool& bad) const {
    const ArcOfWidth arc = arc_at(0, entry);
    return half(arc.number, 1) + half(arc.number, n_ + 1) + joint(arc, 0, bad);
  }

  HEADWISE_DEVICE Probability hand_on_half(const HalfOfWidth& half, int entry, int term, int step, bool& bad);
  HEADWISE_DEVICE Probability hand_on_regions(const ArcOfWidth& arc, int cell, int term, int step);

  const Batch<T>& batch_;
  PartsOfSentence<T, components, search> parts_;
  int sentence_, n_, k_;
  Divider by_choices_;
  CandidateArcs arcs_;
  Table<T, components> halves_;             // C: a row for each arc above, and cells from 1 on
  Table<T, components> pairs_;              // I
  Table<T, components> regions_, joints_;   // B for the arcs of one width, and their own weights
  Table<T, components> weights_;            // of arcs; behind them, with a single root, the sum of all trees
  SumTable<T, components> used_halves_, used_pairs_, used_regions_;  // probabilities
  T* tops_;
  int* agendas_;
};

}  // namespace headwise::kernels

#include "grand_siblings_outside.cuh"
