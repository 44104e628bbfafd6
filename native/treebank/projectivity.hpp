// Which arcs of a tree cross, and which are not projective.
//
// The root stands before the first word, and its arcs count. Two arcs cross when each has one end strictly
// between the ends of the other. An arc is projective when its head dominates every word between its ends
// (Kahane, Nasr and Rambow, 1998). A tree has crossing arcs exactly when it has non-projective arcs, but
// where one non-projective arc crosses three others, four arcs cross: treebanks are usually described by the
// number of non-projective arcs.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.hpp"

namespace headwise::treebank {

// The largest of a stretch of values in O(1), after O(n log n) preparation: a table of the largest among
// 1, 2, 4, 8, … values from each place on.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::vector<int> values) {
    levels_.push_back(std::move(values));
    for (std::size_t width = 1; 2 * width <= levels_[0].size(); width *= 2) {
      const auto& narrow = levels_.back();
      std::vector<int> wide(narrow.size() - width);
      for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = std::max(narrow[i], narrow[i + width]);
      levels_.push_back(std::move(wide));
    }
  }

  // Of the values from first to last, both included; first <= last.
  int operator()(int first, int last) const {
    const auto count = static_cast<std::size_t>(last - first) + 1;
    const auto level = static_cast<std::size_t>(std::bit_width(count)) - 1;
    const auto from = static_cast<std::size_t>(first);
    return std::max(levels_[level][from], levels_[level][from + count - (std::size_t{1} << level)]);
  }

 private:
  std::vector<std::vector<int>> levels_;
};

// The words whose arcs cross another arc, in order. heads[m - 1] in 0…n, or -1 for no arc; they need not make
// a tree. O(n log n) time and memory.
inline std::vector<int> crossing_arcs(std::span<const std::int32_t> heads) {
  const int n = static_cast<int>(heads.size());
  // Of the arcs that end at a node: how far they reach to its right, and to its left (as a negative number).
  std::vector<int> right(static_cast<std::size_t>(n) + 1), left(static_cast<std::size_t>(n) + 1);
  for (int node = 0; node <= n; ++node) {
    right[at(node)] = node;
    left[at(node)] = -node;
  }
  const auto reach = [&](int from, int to) {
    auto& farthest_right = right[at(from)];
    auto& farthest_left = left[at(from)];
    farthest_right = std::max(farthest_right, to);
    farthest_left = std::max(farthest_left, -to);
  };
  for (int m = 1; m <= n; ++m) {
    const int h = heads[at(m) - 1];
    if (h < 0) continue;
    reach(h, m);
    reach(m, h);
  }
  const RangeMaximum farthest_right(std::move(right)), farthest_left(std::move(left));
  std::vector<int> crossing;
  for (int m = 1; m <= n; ++m) {
    const int h = heads[at(m) - 1];
    const auto [from, to] = std::minmax(h, m);
    if (h < 0 || to - from < 2) continue;
    if (farthest_right(from + 1, to - 1) > to || -farthest_left(from + 1, to - 1) < from) crossing.push_back(m);
  }
  return crossing;
}

// The words whose arcs are not projective, in order. The heads must make a tree. O(n log n) time and memory.
inline std::vector<int> nonprojective_arcs(std::span<const std::int32_t> heads) {
  const int n = static_cast<int>(heads.size());
  const auto nodes = static_cast<std::size_t>(n) + 1;
  std::vector<int> first_child(nodes, 0), next_sibling(nodes, 0);
  for (int m = n; m >= 1; --m) {
    auto& first = first_child[at(heads[at(m) - 1])];
    next_sibling[at(m)] = first;
    first = m;
  }
  // Number the nodes from the root down: h dominates the nodes numbered entered[h] up to left[h], excluded.
  std::vector<int> entered(nodes), left(nodes), path{0};
  int number = 1;
  while (!path.empty()) {
    auto& child = first_child[at(path.back())];
    if (child != 0) {
      const int node = child;
      child = next_sibling[at(node)];
      entered[at(node)] = number++;
      path.push_back(node);
    } else {
      left[at(path.back())] = number;
      path.pop_back();
    }
  }
  std::vector<int> negated(nodes);
  std::transform(entered.begin(), entered.end(), negated.begin(), [](int value) { return -value; });
  const RangeMaximum highest(entered), lowest_negated(std::move(negated));
  std::vector<int> nonprojective;
  for (int m = 1; m <= n; ++m) {
    const auto h = heads[at(m) - 1];
    const auto [from, to] = std::minmax(h, m);
    if (to - from < 2) continue;
    const bool dominated = -lowest_negated(from + 1, to - 1) >= entered[at(h)] &&
                           highest(from + 1, to - 1) < left[at(h)];
    if (!dominated) nonprojective.push_back(m);
  }
  return nonprojective;
}

}  // namespace headwise::treebank
