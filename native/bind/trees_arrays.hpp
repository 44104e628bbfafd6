// NumPy arrays as part tables, and trees as NumPy arrays.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
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

// Part tables that live in NumPy arrays, any of which may be missing. `labels` is (…, L); the positional ones
// have the position first.
template <class Number>
class PartArrays {
 public:
  using Array = nb::ndarray<Number, nb::c_contig, nb::device::cpu>;

  // By the names of part_kinds.hpp; None for a missing one.
  explicit PartArrays(const nb::kwargs& tables) {
    for (const auto& [name, table] : tables) {
      std::optional<Array>* place = find(nb::cast<std::string>(name));
      if (!place) throw nb::type_error("there is no such table");
      if (!table.is_none()) *place = nb::cast<Array>(table);
    }
  }

  std::optional<Array> labels;
  template <class Kind>
  const std::optional<Array>& operator[](Kind) const {
    return kinds_[PartKinds::index<Kind>()];
  }
  template <class Kind>
  const std::optional<Array>& positions(Kind) const {
    return by_position_[PositionalKinds::index<Kind>()];
  }

  PartTables<Number> tables() const {
    PartTables<Number> result;
    if (labels) {
      result.labels = labels->data();
      result.label_count = static_cast<int>(labels->shape(labels->ndim() - 1));
    }
    PartKinds::each([&](auto kind) {
      if (const auto& array = (*this)[kind]) result[kind] = array->data();
    });
    PositionalKinds::each([&](auto kind) {
      if (const auto& array = positions(kind)) fill_rows(*array, result.positions(kind));
    });
    return result;
  }

 private:
  std::optional<Array>* find(const std::string& name) {
    std::optional<Array>* found = name == "labels" ? &labels : nullptr;
    PartKinds::each([&]<class Kind>(Kind) {
      if (name == Kind::table) found = &kinds_[PartKinds::index<Kind>()];
    });
    PositionalKinds::each([&]<class Kind>(Kind) {
      if (name == position_table<Kind>()) found = &by_position_[PositionalKinds::index<Kind>()];
    });
    return found;
  }
  // The last row is for "that position or further", so it serves all positions that have no row.
  static void fill_rows(const Array& array, std::array<Number*, most_positions>& rows) {
    const std::size_t given = array.shape(0), stride = array.size() / given;
    for (std::size_t p = 0; p < rows.size(); ++p) rows[p] = array.data() + std::min(p, given - 1) * stride;
  }

  std::array<std::optional<Array>, PartKinds::size> kinds_;
  std::array<std::optional<Array>, PositionalKinds::size> by_position_;
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
void bind_factorizations(nb::module_& module);
void bind_candidates(nb::module_& module);
void bind_senses(nb::module_& module);
void bind_spanning(nb::module_& module);
void bind_operations(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_padded(nb::module_& module);
void bind_padded_parts(nb::module_& module);

}  // namespace headwise::bind
