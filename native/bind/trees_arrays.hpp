// NumPy arrays as part tables, and trees as NumPy arrays.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "trees/distribution.hpp"
#include "trees/parts.hpp"

namespace headwise::bind {

namespace nb = nanobind;

using Integers = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1>>;
// Trees side by side: heads, labels and senses of all words (zeros where there is no choice), the score of
// every tree. One array for all of them, since making an array costs Python more than finding a short tree.
using TreeArraysOfAll = std::tuple<Integers, Integers, Integers, std::vector<double>>;

inline Integers integers(std::vector<std::int32_t>&& values) {
  auto* owned = new std::vector<std::int32_t>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<std::int32_t>*>(p); });
  return Integers(owned->data(), {owned->size()}, owner);
}

class TreeCollector {
 public:
  void add(const ScoredTree& tree) {
    heads_.insert(heads_.end(), tree.heads.begin(), tree.heads.end());
    const auto append = [this](std::vector<std::int32_t>& to, const std::vector<int>& values) {
      to.insert(to.end(), values.begin(), values.end());
      to.resize(heads_.size());
    };
    append(labels_, tree.labels);
    append(senses_, tree.senses);
    scores_.push_back(tree.score);
  }
  TreeArraysOfAll arrays() && {
    return {integers(std::move(heads_)), integers(std::move(labels_)), integers(std::move(senses_)),
            std::move(scores_)};
  }

 private:
  std::vector<std::int32_t> heads_, labels_, senses_;
  std::vector<double> scores_;
};

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

// n + 1, from `labels` of shape (n+1, n+1, L).
inline std::size_t nodes_of(const ScoreArrays& arrays) {
  const auto& labels = arrays.labels.value();
  require(labels.ndim() == 3 && labels.shape(0) == labels.shape(1) && labels.shape(0) >= 2,
          "labels must have shape (n+1, n+1, L)");
  return labels.shape(0);
}

// One file each, so that they compile apart.
void bind_dense(nb::module_& module);
void bind_candidates(nb::module_& module);
void bind_carreras(nb::module_& module);
void bind_model0(nb::module_& module);
void bind_model1(nb::module_& module);
void bind_model2(nb::module_& module);
void bind_senses(nb::module_& module);
void bind_spanning(nb::module_& module);
void bind_operations(nb::module_& module);
void bind_tables(nb::module_& module);

}  // namespace headwise::bind
