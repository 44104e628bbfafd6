// NumPy arrays as part tables, and trees as NumPy arrays.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "distribution.hpp"
#include "parts.hpp"

namespace headwise::bind {

namespace nb = nanobind;

using Integers = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1>>;
using TreeTuple =  // heads, labels and senses where there is a choice of them, score
    std::tuple<Integers, std::optional<Integers>, std::optional<Integers>, double>;

inline Integers integers(const std::vector<int>& values) {
  auto* copy = new std::int32_t[values.size()];
  std::copy(values.begin(), values.end(), copy);
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  return Integers(copy, {values.size()}, owner);
}

inline TreeTuple to_tuple(const ScoredTree& tree) {
  std::optional<Integers> labels, senses;
  if (!tree.labels.empty()) labels = integers(tree.labels);
  if (!tree.senses.empty()) senses = integers(tree.senses);
  return {integers(tree.heads), labels, senses, tree.score};
}
inline std::vector<TreeTuple> to_tuples(const std::vector<ScoredTree>& trees) {
  std::vector<TreeTuple> tuples;
  for (const auto& tree : trees) tuples.push_back(to_tuple(tree));
  return tuples;
}

inline void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// Part tables that live in NumPy arrays, any of which may be None. `labels` is (…, L); the positional ones
// have the position first.
template <class Number>
struct PartArrays {
  using Array = nb::ndarray<Number, nb::c_contig, nb::device::cpu>;
  std::optional<Array> labels, positions, siblings, sibling_positions, tri_siblings, grandchildren,
      grandchild_positions, grand_siblings, outermost;

  PartTables<Number> tables() const {
    PartTables<Number> result;
    if (labels) {
      result.labels = labels->data();
      result.label_count = static_cast<int>(labels->shape(labels->ndim() - 1));
    }
    rows(positions, result.positions);
    rows(sibling_positions, result.sibling_positions);
    rows(grandchild_positions, result.grandchild_positions);
    result.siblings = pointer(siblings);
    result.tri_siblings = pointer(tri_siblings);
    result.grandchildren = pointer(grandchildren);
    result.grand_siblings = pointer(grand_siblings);
    result.outermost = pointer(outermost);
    return result;
  }

 private:
  static Number* pointer(const std::optional<Array>& array) { return array ? array->data() : nullptr; }
  // The last row is for "that position or further", so it serves all positions that have no row.
  template <std::size_t Count>
  static void rows(const std::optional<Array>& array, Number* (&pointers)[Count]) {
    if (!array) return;
    const std::size_t given = array->shape(0), stride = array->size() / given;
    for (std::size_t p = 0; p < Count; ++p) pointers[p] = array->data() + std::min(p, given - 1) * stride;
  }
};

using ScoreArrays = PartArrays<const double>;
using MarginalArrays = PartArrays<double>;

// A distribution and the arrays that its scores lie in.
struct OwningDistribution {
  std::unique_ptr<Distribution> distribution;
  ScoreArrays scores;
};

// One file each, so that they compile apart.
void bind_dense(nb::module_& module);
void bind_grandparent(nb::module_& module);
void bind_operations(nb::module_& module);

}  // namespace headwise::bind
