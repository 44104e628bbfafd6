// The scores of parts larger than arcs, taken from padded batches of tables, and their results put there.
//
// A part is found by its modifier m, by the place c of its head h among the heads that m may have, by the place d of the
// grandparent g among those that h may have, and by the sibling s, a node, which is h where there is none. Where words may
// have any head, places are the heads themselves; so one layout serves both, and strides say what a table looks like.
#pragma once
#include "scores.cuh"

namespace headwise::kernels {

template <class T>
struct PartTable {
  const T *scores, *direction, *second_direction;  // null where they are not given
  T* results;
  long long sentence;  // strides
  int modifier, head, grandparent, sibling;
};

template <class T>
struct Parts {
  PartTable<T> siblings, grandchildren, grand_siblings;
  const long long* candidates;  // [sentence, modifier, place]: the head, or none; null where words may have any head
  int choices;                  // places
  int empty_sides;              // whether grandchildren over candidates has two more places: see empty_side
};

// The parts of one sentence, each by its cell in the table of the sentence: an arc from the head at place c to m stands for
// (m, c).
template <class T, int components, bool search>
class PartsOfSentence {
 public:
  using Weight = Log<T, components>;
  using Probability = Sum<T, components>;

  HEADWISE_DEVICE PartsOfSentence(const Parts<T>& parts, int sentence, int width)
      : parts_(parts), sentence_(sentence), width_(width) {}

  // As many as a kernel was compiled for, or as there are.
#if defined(CHOICES)
  HEADWISE_DEVICE static constexpr int choices() { return CHOICES; }
#else
  HEADWISE_DEVICE int choices() const { return parts_.choices; }
#endif
  HEADWISE_DEVICE bool over_candidates() const { return parts_.candidates != nullptr; }
  // The head of m at a place, or −1. A head that is listed twice is there once.
  HEADWISE_DEVICE int head(int n, int m, int c) const {
    if (!parts_.candidates) return c <= n && c != m ? c : -1;
    const long long* row = parts_.candidates + ((long long)sentence_ * width_ + m) * choices();
    const long long head = row[c];
    if (head < 0 || head > n || head == m) return -1;
    for (int other = 0; other < c; ++other)
      if (row[other] == head) return -1;
    return static_cast<int>(head);
  }

  HEADWISE_DEVICE int sibling(int m, int c, int s) const {
    const auto& of = parts_.siblings;
    return m * of.modifier + c * of.head + s * of.sibling;
  }
  HEADWISE_DEVICE int grandchild(int m, int c, int d) const {
    const auto& of = parts_.grandchildren;
    return m * of.modifier + c * of.head + d * of.grandparent;
  }
  HEADWISE_DEVICE int grand_sibling(int m, int c, int d, int s) const {
    const auto& of = parts_.grand_siblings;
    return m * of.modifier + c * of.head + d * of.grandparent + s * of.sibling;
  }
  // No modifier of h, which is the d-th candidate's, on the side of its head g (inner) or on the other: [g, h, g] and
  // [g, h, h] in a table over all heads, else at two more places behind those of heads.
  HEADWISE_DEVICE bool has_empty_sides() const {
    return has_grandchildren() && (!parts_.candidates || parts_.empty_sides);
  }
  HEADWISE_DEVICE int empty_side(int h, int d, bool inner) const {
    if (!parts_.candidates) return grandchild(inner ? d : h, h, d);
    return grandchild(h, choices() + (inner ? 0 : 1), d);
  }

  // Which tables there are: a kernel may have been compiled for those that there are.
#if defined(SIBLINGS)
  HEADWISE_DEVICE static constexpr bool has_siblings() { return SIBLINGS; }
  HEADWISE_DEVICE static constexpr bool has_grandchildren() { return GRANDCHILDREN; }
  HEADWISE_DEVICE static constexpr bool has_grand_siblings() { return GRAND_SIBLINGS; }
#else
  HEADWISE_DEVICE bool has_siblings() const { return parts_.siblings.scores; }
  HEADWISE_DEVICE bool has_grandchildren() const { return parts_.grandchildren.scores; }
  HEADWISE_DEVICE bool has_grand_siblings() const { return parts_.grand_siblings.scores; }
#endif

  // The weights of cells; `bad` becomes true where a score is NaN or +inf.
  HEADWISE_DEVICE Weight sibling_weight(int cell, bool& bad) const {
    return has_siblings() ? weight(parts_.siblings, cell, bad) : Weight();
  }
  HEADWISE_DEVICE Weight grandchild_weight(int cell, bool& bad) const {
    return has_grandchildren() ? weight(parts_.grandchildren, cell, bad) : Weight();
  }
  HEADWISE_DEVICE Weight grand_sibling_weight(int cell, bool& bad) const {
    return has_grand_siblings() ? weight(parts_.grand_siblings, cell, bad) : Weight();
  }

  HEADWISE_DEVICE void put_sibling(int cell, const Probability& p) const {
    if (has_siblings()) put(parts_.siblings, cell, p);
  }
  HEADWISE_DEVICE void put_grandchild(int cell, const Probability& p) const {
    if (has_grandchildren()) put(parts_.grandchildren, cell, p);
  }
  HEADWISE_DEVICE void put_grand_sibling(int cell, const Probability& p) const {
    if (has_grand_siblings()) put(parts_.grand_siblings, cell, p);
  }
  // One value for all results of the sentence.
  HEADWISE_DEVICE void fill(const Lanes& lanes, T value) const {
    fill(lanes, parts_.siblings, value);
    fill(lanes, parts_.grandchildren, value);
    fill(lanes, parts_.grand_siblings, value);
  }

  // Where the cells of a table begin.
  HEADWISE_DEVICE long long start(const PartTable<T>& table) const { return sentence_ * table.sentence; }

 private:
  HEADWISE_DEVICE void fill(const Lanes& lanes, const PartTable<T>& table, T value) const {
    if (!table.results) return;
    for (long long k = lanes.rank(); k < table.sentence; k += lanes.count()) table.results[start(table) + k] = value;
  }
  HEADWISE_DEVICE Weight weight(const PartTable<T>& table, int cell, bool& bad) const {
    bad |= !is_score(table.scores[start(table) + cell]);
    return load<T, components, search>(table, start(table) + cell);
  }
  HEADWISE_DEVICE void put(const PartTable<T>& table, int cell, const Probability& p) const {
    if (table.results) table.results[start(table) + cell] = p.x[components - 1];
  }

  const Parts<T>& parts_;
  int sentence_, width_;
};

}  // namespace headwise::kernels
