// The arcs of a sentence when each word has k heads to choose from, and lists of them.
//
// Arc (m − 1) · k + c goes to m from the head at its place c; one more, the last, stands for the missing arc into the
// root. In lists an arc is m << 16 | c.
#pragma once
#include "parts.cuh"

namespace headwise::kernels {

class CandidateArcs {
 public:
  // Integers that the lists take.
  HEADWISE_DEVICE static int size(int n, int k) { return 4 * n * k + 4 * (n + 2); }
  HEADWISE_DEVICE CandidateArcs(int n, int k, int* memory)
      : n_(n), k_(k), by_head_(memory), by_width_(by_head_ + n * k), insides_(by_width_ + n * k),
        head_begins_(insides_ + n * k), lefts_(head_begins_ + n + 2), width_begins_(lefts_ + n + 2),
        width_regions_(width_begins_ + n + 2), heads_(reinterpret_cast<short*>(width_regions_ + n + 2)),
        places_(heads_ + n * k) {}

  // Lists the arcs that possible(arc, head) leaves. `map` is memory for (n + 1)² integers. With a single root, arcs from
  // the root are in no list of a width.
  template <class HeadOf>
  HEADWISE_DEVICE void list(const Lanes& lanes, bool single_root, int* map, HeadOf head_of) {
    const int nodes = n_ + 1;
    for (int cell = lanes.rank(); cell < nodes * nodes; cell += lanes.count()) map[cell] = -1;
    lanes.sync();
    each_cell(lanes, n_, k_, [&](int row, int c) {
      const int m = row + 1, h = head_of(m, c);
      heads_[arc(m, c)] = static_cast<short>(h);
      if (h >= 0) map[h * nodes + m] = m << 16 | c;
    });
    lanes.sync();
    // Each head, and each width, counts its arcs, then finds where its list begins, and writes it.
    for (int pass = 0; pass < 2; ++pass) {
      for (int h = lanes.rank(); h <= n_; h += lanes.count()) {
        int place = 0;
        const auto note = [&](int m) {
          const int entry = map[h * nodes + m];
          if (entry < 0) return;
          if (pass == 1) {
            by_head_[head_begins_[h] + place] = entry;
            places_[arc(entry)] = static_cast<short>(place);
          }
          ++place;
        };
        for (int m = h - 1; m > 0; --m) note(m);
        if (pass == 0) lefts_[h] = place;
        for (int m = h + 1; m <= n_; ++m) note(m);
        if (pass == 0) head_begins_[h] = place;
      }
      for (int width = lanes.rank(); width <= n_; width += lanes.count()) {
        int place = 0;
        const auto note = [&](int entry) {
          if (entry < 0) return;
          if (pass == 1) by_width_[width_begins_[width] + place] = entry;
          ++place;
        };
        for (int i = single_root ? 1 : 0; width > 0 && i + width <= n_; ++i) {
          note(map[i * nodes + i + width]);
          note(map[(i + width) * nodes + i]);
        }
        if (pass == 0) width_begins_[width] = place;
      }
      lanes.sync();
      if (pass == 0 && lanes.rank() == 0) {
        begins_of_counts(head_begins_);
        begins_of_counts(width_begins_);
      }
      lanes.sync();
    }
    for (int width = 1 + lanes.rank(); width <= n_; width += lanes.count()) {
      int most = 0;
      for (int number = width_begins_[width]; number < width_begins_[width + 1]; ++number) {
        const int arc = this->arc(by_width_[number]), h = heads_[arc], m = by_width_[number] >> 16;
        const int inner = places_[arc] - (h < m ? lefts_[h] : 0);
        insides_[number] = h << 16 | inner;
        if (inner >= most) most = inner + 1;
      }
      width_regions_[width] = most;
    }
    lanes.sync();
  }

  HEADWISE_DEVICE int count() const { return n_ * k_; }
  HEADWISE_DEVICE int top() const { return count(); }
  HEADWISE_DEVICE int arc(int m, int c) const { return (m - 1) * k_ + c; }
  HEADWISE_DEVICE int arc(int entry) const { return arc(entry >> 16, entry & 0xffff); }
  HEADWISE_DEVICE int head(int arc) const { return heads_[arc]; }
  HEADWISE_DEVICE int place(int arc) const { return places_[arc]; }

  // The arcs of a head to one side lie in by_head at [first, last), from the nearest modifier outwards.
  HEADWISE_DEVICE int first(int h, bool right) const { return head_begins_[h] + (right ? lefts_[h] : 0); }
  HEADWISE_DEVICE int last(int h, bool right) const { return right ? head_begins_[h + 1] : head_begins_[h] + lefts_[h]; }
  HEADWISE_DEVICE int by_head(int number) const { return by_head_[number]; }
  // How many modifiers its head has on the way to the modifier of an arc.
  HEADWISE_DEVICE int inner(int arc, int h, int m) const { return places_[arc] - (h < m ? lefts_[h] : 0); }

  HEADWISE_DEVICE int width_begin(int width) const { return width_begins_[width]; }
  HEADWISE_DEVICE int by_width(int number) const { return by_width_[number]; }
  // Of an arc in that list, h << 16 | inner; and how many regions an arc of a width has at most: inner + 1.
  HEADWISE_DEVICE int inside(int number) const { return insides_[number]; }
  HEADWISE_DEVICE int width_regions(int width) const { return width_regions_[width]; }

  // Arcs into h, as those above its modifiers: k of them, or the top one.
  HEADWISE_DEVICE int above(int h, int d) const { return h == 0 ? top() : arc(h, d); }
  // Whether the d-th exists and comes from outside a span.
  HEADWISE_DEVICE bool is_above(int h, int d, int low, int high) const {
    if (h == 0) return d == 0;
    const int g = heads_[arc(h, d)];
    return g >= 0 && (g < low || g > high);
  }
  // A number for each arc below each arc: the former by its place among those of its head. It is a step further for the
  // next arc above.
  HEADWISE_DEVICE int pair(int h, int d, int place) const { return k_ * head_begins_[h] + d * pair_step(h) + place; }
  HEADWISE_DEVICE int pair_step(int h) const { return head_begins_[h + 1] - head_begins_[h]; }

 private:
  HEADWISE_DEVICE void begins_of_counts(int* counts) const {
    int begin = 0;
    for (int k = 0; k <= n_; ++k) {
      const int count = counts[k];
      counts[k] = begin;
      begin += count;
    }
    counts[n_ + 1] = begin;
  }

  int n_, k_;
  int *by_head_, *by_width_, *insides_, *head_begins_, *lefts_, *width_begins_, *width_regions_;
  short *heads_, *places_;
};

}  // namespace headwise::kernels
