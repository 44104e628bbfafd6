// The arcs that survive a mask, and the places of parts in compact tables.
#include <algorithm>
#include <array>
#include <string>

#include "bind/trees_arrays.hpp"
#include "trees/factorizations/part_indices.hpp"

namespace headwise::bind {
namespace {

using Mask = nb::ndarray<const bool, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using NodeTable = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, -1>>;
using Places = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1>>;

// With the number of senses of each word, nodes are senses.
Candidates* make_candidates(const Mask& mask, const std::optional<std::vector<int>>& senses) {
  require(mask.shape(0) == mask.shape(1) && mask.shape(0) >= 2, "mask must have shape (n+1, n+1)");
  const auto nodes = static_cast<int>(mask.shape(0));
  require(!senses || std::all_of(senses->begin(), senses->end(), [](int count) { return count > 0; }),
          "senses: one of each word at least");
  SenseNodes words = senses ? SenseNodes(*senses) : SenseNodes(nodes - 1);
  require(words.nodes() == nodes, "senses: there must be as many as nodes");
  return new Candidates(std::move(words), [&](int h, int m) { return mask.data()[h * nodes + m]; });
}

template <class Value>
nb::capsule owner_of(Value* values) {
  return nb::capsule(values, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
}

// f(Kind{}) for the kind whose table has this name.
template <class F>
void with_kind(const std::string& table, F f) {
  bool found = false;
  const auto try_kind = [&]<class Kind>(Kind kind) {
    if (table != Kind::table) return;
    found = true;
    f(kind);
  };
  try_kind(Arcs{});
  PartKinds::each(try_kind);
  require(found, "there is no such table");
}

// The nodes of every place of a table, one row a place.
NodeTable part_nodes(const Candidates& arcs, const std::string& table) {
  NodeTable result;
  with_kind(table, [&]<class Kind>(Kind) {
    const auto count = static_cast<std::size_t>(Kind::count(arcs));
    auto* rows = new std::int32_t[count * Kind::words];
    const auto put = [&](Index place, const auto& nodes) {
      std::copy(nodes.begin(), nodes.end(), rows + place * Kind::words);
    };
    each_place<Kind>(arcs, put, put);
    result = NodeTable(rows, {count, Kind::words}, owner_of(rows));
  });
  return result;
}

// The place of each row of nodes, −1 where the mask excludes the part.
Places part_places(const Candidates& arcs, const std::string& table, const Nodes& nodes) {
  const std::size_t count = nodes.shape(0);
  auto* places = new std::int64_t[count];
  const nb::capsule owner = owner_of(places);
  with_kind(table, [&]<class Kind>(Kind) {
    require(nodes.shape(1) == Kind::words, "wrong number of nodes in a part");
    for (std::size_t k = 0; k < count; ++k) {
      std::array<int, Kind::words> row;
      std::copy_n(nodes.data() + k * row.size(), row.size(), row.begin());
      places[k] = place_of<Kind>(arcs, row);
    }
  });
  return Places(places, {count}, owner);
}

}  // namespace

void bind_candidates(nb::module_& module) {
  nb::class_<Candidates>(module, "Candidates")
      .def(nb::new_(&make_candidates), nb::arg("mask"), nb::arg("senses").none() = nb::none())
      .def("part_nodes", part_nodes, nb::arg("table"))
      .def("part_places", part_places, nb::arg("table"), nb::arg("nodes"));
}

}  // namespace headwise::bind
