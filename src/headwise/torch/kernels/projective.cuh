// Projective trees, first order: Eisner (2000), all spans of one width at a time.
//
//   J(i, j) = Σ_r C(i, r) · C(j, r+1)     I(h, m) = J(h, m) · w(h, m)     C(h, e) = Σ_m I(h, m) · C(m, e)
//
// C(h, e) is complete from its head h to its end e, on either side; J is one item for both directions of an arc. Node 0
// is the root. With a single root it is left out of the chart: it takes one word m, with all words before it and behind,
// C(m, 1) · C(m, n).
//
// What a span adds to the sum of all trees is found from the widest down: outside(span) · inside(span) is the
// probability that a tree has it, and so are all terms of the sums here; none is subtracted, and none exceeds 1.
#pragma once
#include "scores.cuh"

namespace headwise::kernels {

template <class T, int components>
struct ProjectiveChart {
  using Weights = Table<T, components>;
  int n;
  bool single_root;
  Weights complete;    // C; with a single root, (0, 0) is the sum of all trees, (0, m) the share of those whose root is m
  Weights incomplete;  // I; at first the arcs, and the row 0 stays so with a single root
  Weights joined;      // J(i, j) for i < j; its outside at (j, i)
  Weights outside;     // of C

  HEADWISE_DEVICE int first() const { return single_root ? 1 : 0; }
  HEADWISE_DEVICE Log<T, components> root_choice(int m) const {
    return incomplete(0, m) + complete(m, 1) + complete(m, n);
  }
  HEADWISE_DEVICE Log<T, components> total() const { return single_root ? complete(0, 0) : complete(0, n); }
};

// Fills the chart of a sentence, smallest spans first. `Total` is what to make of the ways to build a span.
template <class Total, bool keeps_joined, class T, int components>
HEADWISE_DEVICE void inside(const Lanes& lanes, const ProjectiveChart<T, components>& chart) {
  const int n = chart.n, first = chart.first();
  const auto &complete = chart.complete, &incomplete = chart.incomplete;
  for (int i = lanes.rank(); i <= n; i += lanes.count()) complete.set(i, i, Log<T, components>());
  lanes.sync();
  for (int width = 1; width <= n - first; ++width) {
    each_task(lanes, n - first + 1 - width, width, [&](int task, int term, int step) {
      const int i = first + task, j = i + width;
      Total joined, right, left;
      if (task >= 0)
        for (int r = i + term; r < j; r += step) {
          joined.add(complete(i, r) + complete(j, r + 1));
          if (r == i) continue;
          right.add(incomplete(i, r) + complete(r, j));
          left.add(incomplete(j, r) + complete(r, i));
        }
      joined.reduce(lanes, step);
      right.reduce(lanes, step);
      left.reduce(lanes, step);
      if (task < 0 || term > 0) return;
      const auto both = joined.value();
      const auto to_right = both + incomplete(i, j), to_left = both + incomplete(j, i);
      if constexpr (keeps_joined) chart.joined.set(i, j, both);
      incomplete.set(i, j, to_right);
      incomplete.set(j, i, to_left);
      right.add(to_right);
      left.add(to_left);
      complete.set(i, j, right.value());
      complete.set(j, i, left.value());
    });
    lanes.sync();
  }
  if (chart.single_root && lanes.rank() < lanes.warp()) {
    Total all;
    for (int m = 1 + lanes.rank(); m <= n; m += lanes.warp()) all.add(chart.root_choice(m));
    all.reduce(lanes, lanes.warp());
    if (lanes.rank() == 0) complete.set(0, 0, all.value());
  }
  lanes.sync();
}

// put(head, modifier, probability) for every arc, with derivatives. The chart is filled, and there is a tree.
template <class T, int components, class Put>
HEADWISE_DEVICE void outside(const Lanes& lanes, const ProjectiveChart<T, components>& chart, Put put) {
  using Sums = Sum<T, components>;
  const int n = chart.n, first = chart.first();
  const auto &complete = chart.complete, &incomplete = chart.incomplete, &joined = chart.joined,
             &out = chart.outside;
  const auto total = chart.total();
  if (chart.single_root) {
    for (int m = 1 + lanes.rank(); m <= n; m += lanes.count()) {
      const auto share = chart.root_choice(m) - total;
      complete.set(0, m, share);
      put(0, m, exp(share));
    }
    lanes.sync();
  }
  for (int width = n - first; width >= 1; --width) {
    each_task(lanes, n - first + 1 - width, n - first - width, [&](int task, int term, int step) {
      const int i = first + task, j = i + width;
      Sums to_right, to_left, arc_right, arc_left;  // of C(i, j), C(j, i), I(i, j), I(j, i)
      if (task >= 0) {
        const auto right = complete(i, j), left = complete(j, i);
        const auto right_arc = incomplete(i, j), left_arc = incomplete(j, i);
        // x is the word that a larger span reaches to, or starts from, beyond this one, on the left or on the right.
        // Both sides are the same sums over different cells, so that lanes on either side go together.
        for (int number = term; number < n - first - width; number += step) {
          const bool on_left = number < i - first;
          const int x = on_left ? first + number : j + 1 + number - (i - first);
          to_right += exp((on_left ? out : joined)(x, on_left ? j : i) +
                          (on_left ? incomplete : complete)(x, on_left ? i : j + 1) + right);
          to_left += exp((on_left ? joined : out)(on_left ? j : x, on_left ? x : i) +
                         (on_left ? complete : incomplete)(x, on_left ? i - 1 : j) + left);
          const Sums arc = exp(out(on_left ? j : i, x) + complete(on_left ? i : j, x) + (on_left ? left_arc : right_arc));
          if (on_left)
            arc_left += arc;
          else
            arc_right += arc;
        }
      }
      to_right.reduce(lanes, step);
      to_left.reduce(lanes, step);
      arc_right.reduce(lanes, step);
      arc_left.reduce(lanes, step);
      if (task < 0 || term > 0) return;
      if (chart.single_root) {
        if (j == n) to_right += exp(complete(0, i));
        if (i == 1) to_left += exp(complete(0, j));
      } else if (i == 0 && j == n) {
        to_right.x[0] += 1;
      }
      const auto finish = [&](int h, int e, const Sums& used, Sums& arc) {
        const auto outer = used.x[0] > 0 ? log(used) - complete(h, e) : Log<T, components>::none();
        out.set(h, e, outer);
        arc += exp(outer + incomplete(h, e));
      };
      finish(i, j, to_right, arc_right);
      finish(j, i, to_left, arc_left);
      put(i, j, arc_right);
      if (i > 0) put(j, i, arc_left);
      arc_right += arc_left;
      joined.set(j, i, arc_right.x[0] > 0 ? log(arc_right) - joined(i, j) : Log<T, components>::none());
    });
    lanes.sync();
  }
}

// One tree of a filled chart, from the widest span down, by the lanes of one warp: what pick says (choices.cuh).
// give(head, modifier) is called by every lane. `stack` is memory for n + 1 integers.
template <class T, class Pick, class Give>
HEADWISE_DEVICE void walk(const Lanes& lanes, const ProjectiveChart<T, 1>& chart, int* stack, Pick& pick, Give give) {
  const int n = chart.n;
  const auto &complete = chart.complete, &incomplete = chart.incomplete;
  int depth = 0;
  const auto push = [&](int head, int end) {
    if (head == end) return;
    lanes.sync_warp();
    stack[depth++] = head << 16 | end;  // all lanes write the same
  };
  if (chart.single_root) {
    const int m = 1 + pick(lanes, n, 0, [&](int k) { return chart.root_choice(1 + k).x[0]; });
    give(0, m);
    push(m, 1);
    push(m, n);
  } else {
    push(0, n);
  }
  while (depth > 0) {
    lanes.sync_warp();
    const int span = stack[--depth], head = span >> 16, end = span & 0xffff;
    const int size = head < end ? end - head : head - end, toward = head < end ? 1 : -1;
    // The outermost modifier, from the head on.
    const int m = head + toward * (1 + pick(lanes, size, 2ll * span, [&](int k) {
                                     const int m = head + toward * (k + 1);
                                     return (incomplete(head, m) + complete(m, end)).x[0];
                                   }));
    give(head, m);
    const int low = head < m ? head : m, high = head < m ? m : head;
    const int r = low + pick(lanes, high - low, 2ll * (head << 16 | m) + 1, [&](int k) {
                    return (complete(low, low + k) + complete(high, low + k + 1)).x[0];
                  });
    push(m, end);
    push(low, r);
    push(high, r + 1);
  }
}

}  // namespace headwise::kernels
