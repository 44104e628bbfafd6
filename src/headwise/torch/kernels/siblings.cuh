// Projective trees with pairs of successive modifiers: McDonald and Pereira (2006), all spans of one width at a time.
//
//   J(i, j) = Σ_r C(i, r) · C(j, r+1)                the words between two that are siblings
//   I(h, m) = w(h, m) · (C(m, h+1) · w(h, m, –) + Σ_s I(h, s) · J(s, m) · w(h, m, s))
//   C(h, e) = Σ_m I(h, m) · C(m, e)                  m the outermost modifier
//
// With a single root, node 0 is left out of the chart, as in projective.cuh. Probabilities go down from the widest span:
// each item hands its own on to what it is built of, in the shares that the ways to build it have in its sum. All are
// between 0 and 1, and none is subtracted. In one step no cell is handed anything by two tasks.
#pragma once
#include "agenda.cuh"
#include "parts.cuh"

namespace headwise::kernels {

template <class T, int components, bool search>
class SiblingTrees {
 public:
  using Number = T;
  using Weight = Log<T, components>;
  using Probability = Sum<T, components>;

  HEADWISE_DEVICE SiblingTrees(const Batch<T>& batch, const Parts<T>& parts, int sentence, T* memory, bool marginals)
      : batch_(batch), parts_(parts, sentence, batch.width), sentence_(sentence),
        n_(static_cast<int>(batch.lengths[sentence])) {
    Memory<T, components> tables(memory, n_);
    complete_ = tables.table();
    incomplete_ = tables.table();
    joined_ = tables.table();
    if (marginals) {
      used_complete_ = tables.sums_like(complete_);
      used_incomplete_ = tables.sums_like(incomplete_);
      used_joined_ = tables.sums_like(joined_);
    }
    tops_ = tables.rest();
    places_ = reinterpret_cast<short*>(tops_ + n_ + 2);
    agendas_ = reinterpret_cast<int*>(tops_ + n_ + 2 + (parts_.over_candidates() ? (n_ + 1) * (n_ + 2) / 2 : 0));
  }

  // False where the score of an arc is NaN or +inf.
  HEADWISE_DEVICE bool load_arcs(const Lanes& lanes) {
    const bool valid = kernels::load_arcs<T, components, search>(
        lanes, batch_, sentence_, n_, [&](int h, int m, const Weight& weight) { incomplete_.set(h, m, weight); });
    if (parts_.over_candidates()) {
      for (int k = lanes.rank(); k < (n_ + 1) * (n_ + 1); k += lanes.count()) places_[k] = -1;
      lanes.sync();
      each_cell(lanes, n_, parts_.choices(), [&](int row, int c) {
        const int h = parts_.head(n_, row + 1, c);
        if (h >= 0) places_[h * (n_ + 1) + row + 1] = static_cast<short>(c);
      });
      lanes.sync();
      each_cell(lanes, n_ + 1, n_ + 1, [&](int h, int m) {
        if (places_[h * (n_ + 1) + m] < 0) incomplete_.set(h, m, Weight::none());
      });
      lanes.sync();
    }
    if constexpr (search) return valid;
    take_off_best<T>(lanes, n_, n_ + 1, tops_,
                     [&](int h, int m) -> T& { return incomplete_.values[h * incomplete_.stride + m]; });
    return valid;
  }
  // Memory that is left when `walks` warps walk at a time.
  HEADWISE_DEVICE T* rest(int walks) const { return reinterpret_cast<T*>(agendas_ + Agenda::size(n_, walks)); }
  // What was taken off the weights of arcs altogether.
  HEADWISE_DEVICE T shift() const { return search ? T(0) : tops_[0]; }
  HEADWISE_DEVICE Weight total() const { return batch_.single_root ? complete_(0, 0) : complete_(0, n_); }

  // Fills the chart, smallest spans first. `Total` is what to make of the ways to build a span. False where the score of
  // a part is NaN or +inf.
  template <class Total>
  HEADWISE_DEVICE bool inside(const Lanes& lanes) {
    const int first = this->first();
    bool bad = false;
    for (int i = lanes.rank(); i <= n_; i += lanes.count()) complete_.set(i, i, Weight());
    lanes.sync();
    for (int width = 1; width <= n_ - first; ++width) {
      each_task(lanes, n_ - first + 1 - width, width, [&](int task, int term, int step) {
        const int i = first + task, j = i + width;
        Total joined, right, left, right_arc, left_arc;
        if (task >= 0) {
          const bool has_right = incomplete_(i, j).possible(), has_left = incomplete_(j, i).possible();
          const int c_right = has_right ? place(i, j) : 0, c_left = has_left ? place(j, i) : 0;
          for (int r = i + term; r < j; r += step) {
            joined.add(complete_(i, r) + complete_(j, r + 1));
            if (r == i) {
              if (has_right) right_arc.add(complete_(j, i + 1) + sibling(j, c_right, i, bad));
              if (has_left) left_arc.add(complete_(i, j - 1) + sibling(i, c_left, j, bad));
              continue;
            }
            const auto from_left = incomplete_(i, r), from_right = incomplete_(j, r);
            if (from_left.possible()) {
              right.add(from_left + complete_(r, j));
              if (has_right) right_arc.add(from_left + joined_(r, j) + sibling(j, c_right, r, bad));
            }
            if (from_right.possible()) {
              left.add(from_right + complete_(r, i));
              if (has_left) left_arc.add(from_right + joined_(i, r) + sibling(i, c_left, r, bad));
            }
          }
        }
        joined.reduce(lanes, step);
        right.reduce(lanes, step);
        left.reduce(lanes, step);
        right_arc.reduce(lanes, step);
        left_arc.reduce(lanes, step);
        lanes.sync_warp();  // others have seen which arcs there are
        if (task < 0 || term > 0) return;
        const auto to_right = right_arc.value() + incomplete_(i, j), to_left = left_arc.value() + incomplete_(j, i);
        joined_.set(i, j, joined.value());
        incomplete_.set(i, j, to_right);
        incomplete_.set(j, i, to_left);
        right.add(to_right);
        left.add(to_left);
        complete_.set(i, j, right.value());
        complete_.set(j, i, left.value());
      });
      lanes.sync();
    }
    if (batch_.single_root && lanes.rank() < lanes.warp()) {
      Total all;
      for (int m = 1 + lanes.rank(); m <= n_; m += lanes.warp()) all.add(root_choice(m, bad));
      all.reduce(lanes, lanes.warp());
      if (lanes.rank() == 0) complete_.set(0, 0, all.value());
    }
    return !lanes.any(bad);
  }

  // put(head, modifier, probability) for arcs; those of siblings go to their table. The chart is filled, and there is a
  // tree.
  template <class Put>
  HEADWISE_DEVICE void outside(const Lanes& lanes, Put put) {
    const int first = this->first();
    bool bad = false;  // has been seen to
    used_complete_.clear(lanes);
    used_incomplete_.clear(lanes);
    used_joined_.clear(lanes);
    lanes.sync();
    if (batch_.single_root) {
      const auto all = total();
      for (int m = 1 + lanes.rank(); m <= n_; m += lanes.count()) {
        const auto choice = root_choice(m, bad);
        if (!choice.possible()) continue;
        const Probability p = exp(choice - all);
        used_complete_.add(m, 1, p);
        used_complete_.add(m, n_, p);
        put(0, m, p);
        parts_.put_sibling(parts_.sibling(m, place(0, m), 0), p);
      }
    } else if (lanes.rank() == 0) {
      Probability certain;
      certain.x[0] = 1;
      used_complete_.set(0, n_, certain);
    }
    lanes.sync();
    for (int width = n_ - first; width >= 1; --width) {
      each_task(lanes, n_ - first + 1 - width, width, [&](int task, int term, int step) {
        if (task < 0) return;
        const int i = first + task, j = i + width;
        for (int number = 1 + term; number <= width; number += step) {
          hand_on_complete(i, i + number, j);
          hand_on_complete(j, j - number, i);
        }
      });
      lanes.sync();
      each_task(lanes, n_ - first + 1 - width, width, [&](int task, int term, int step) {
        if (task < 0) return;
        const int i = first + task, j = i + width;
        const Arc right = arc(i, j), left = arc(j, i);
        Probability between = used_joined_(i, j);
        between += used_joined_(j, i);
        const auto joined = joined_(i, j);
        if (term == 0) {
          put(i, j, right.used);
          if (i > 0) put(j, i, left.used);
        }
        for (int r = i + term; r < j; r += step) {
          if (between.x[0] > 0) {
            const Probability p = between * exp(complete_(i, r) + complete_(j, r + 1) - joined);
            if (r > i) used_complete_.add(i, r, p);
            if (r + 1 < j) used_complete_.add(j, r + 1, p);
          }
          // Whoever hands something to a half from between its siblings, hands it what it has as a first modifier.
          if (r == i && right.used.x[0] > 0) {
            const Probability p = part(right, complete_(j, i + 1), i);
            if (r + 1 < j) used_complete_.add(j, i + 1, p);
          }
          if (r == j - 1 && left.used.x[0] > 0) {
            const Probability p = part(left, complete_(i, j - 1), j);
            if (r > i) used_complete_.add(i, j - 1, p);
          }
          if (r == i) continue;
          if (right.used.x[0] > 0) {
            const Probability p = part(right, incomplete_(i, r) + joined_(r, j), r);
            used_incomplete_.add(i, r, p);
            used_joined_.add(r, j, p);
          }
          if (left.used.x[0] > 0) {
            const Probability p = part(left, incomplete_(j, r) + joined_(i, r), r);
            used_incomplete_.add(j, r, p);
            used_joined_.add(r, i, p);
          }
        }
      });
      lanes.sync();
    }
  }

  // One tree of a filled chart, from the widest span down, by the lanes of one warp: as in projective.cuh.
  template <class Total, class Pick, class Give>
  HEADWISE_DEVICE void walk(const Lanes& lanes, Pick& pick, Give give) {
    Agenda agenda(lanes, n_, agendas_);
    bool bad = false;
    const auto push = [&](int head, int end) {
      if (head != end) agenda.push(lanes, head, end);
    };
    if (batch_.single_root) {
      const int m = 1 + pick(lanes, n_, 0, [&](int k) { return root_choice(1 + k, bad).x[0]; });
      give(0, m);
      push(m, 1);
      push(m, n_);
    } else {
      push(0, n_);
    }
    int head, end;
    while (agenda.pop(lanes, head, end)) {
      const int span = head << 16 | end;
      const int size = head < end ? end - head : head - end, toward = head < end ? 1 : -1;
      int m = head + toward * (1 + pick(lanes, size, 4ll * span + 1, [&](int k) {
                                 const int m = head + toward * (k + 1);
                                 return (incomplete_(head, m) + complete_(m, end)).x[0];
                               }));
      push(m, end);
      while (true) {
        give(head, m);
        const int c = place(head, m), inside = head << 16 | m;
        // The next modifier towards the head; number 0 is for none.
        const int number = pick(lanes, toward * (m - head), 4ll * inside + 2, [&](int k) {
          const int s = head + toward * k;
          const auto before = k == 0 ? complete_(m, head + toward) : incomplete_(head, s) + between(s, m);
          return (before + sibling(m, c, s, bad)).x[0];
        });
        if (number == 0) {
          push(m, head + toward);
          break;
        }
        const int s = head + toward * number, low = s < m ? s : m, high = s < m ? m : s;
        const int r = low + pick(lanes, high - low, 4ll * inside + 3, [&](int k) {
                        return (complete_(low, low + k) + complete_(high, low + k + 1)).x[0];
                      });
        push(low, r);
        push(high, r + 1);
        m = s;
      }
    }
  }

 private:
  HEADWISE_DEVICE int first() const { return batch_.single_root ? 1 : 0; }
  HEADWISE_DEVICE int place(int h, int m) const { return parts_.over_candidates() ? places_[h * (n_ + 1) + m] : h; }
  HEADWISE_DEVICE Weight sibling(int m, int c, int s, bool& bad) const {
    return parts_.sibling_weight(parts_.sibling(m, c, s), bad);
  }
  HEADWISE_DEVICE Weight between(int s, int m) const { return s < m ? joined_(s, m) : joined_(m, s); }
  HEADWISE_DEVICE Weight root_choice(int m, bool& bad) const {
    const auto arc = incomplete_(0, m);
    if (!arc.possible()) return Weight::none();
    return arc + complete_(m, 1) + complete_(m, n_) + sibling(m, place(0, m), 0, bad);
  }

  // An arc when the chart is filled: how probable it is, and its own weight relative to that of its item.
  struct Arc {
    int m, c;
    Probability used;
    Weight relative;
  };
  HEADWISE_DEVICE Arc arc(int h, int m) const {
    Arc arc{m, 0, used_incomplete_(h, m), Weight()};
    if (!(arc.used.x[0] > 0)) return arc;
    arc.c = place(h, m);
    arc.relative = load<T, components, search>(batch_, batch_.offset(sentence_) + (long long)h * batch_.width + m);
    arc.relative.x[0] -= tops_[m];
    arc.relative = arc.relative - incomplete_(h, m);
    return arc;
  }
  // How probable a pair of siblings is: it is put into its table.
  HEADWISE_DEVICE Probability part(const Arc& arc, const Weight& before, int s) const {
    bool bad = false;
    const int cell = parts_.sibling(arc.m, arc.c, s);
    if (!before.possible()) return Probability();
    const Probability p = arc.used * exp(before + arc.relative + parts_.sibling_weight(cell, bad));
    parts_.put_sibling(cell, p);
    return p;
  }
  // From the half (h, e) to its outermost modifier m and the half (m, e).
  HEADWISE_DEVICE void hand_on_complete(int h, int m, int e) {
    const Probability used = used_complete_(h, e);
    if (!(used.x[0] > 0)) return;
    const Probability p = used * exp(incomplete_(h, m) + complete_(m, e) - complete_(h, e));
    used_incomplete_.add(h, m, p);
    if (m != e) used_complete_.add(m, e, p);
  }

  const Batch<T>& batch_;
  PartsOfSentence<T, components, search> parts_;
  int sentence_, n_;
  Table<T, components> complete_, incomplete_, joined_;           // joined(i, j) for i < j
  SumTable<T, components> used_complete_, used_incomplete_;       // probabilities
  SumTable<T, components> used_joined_;                           // (i, j) by heads before, (j, i) by heads behind
  T* tops_;
  short* places_;
  int* agendas_;
};

}  // namespace headwise::kernels
