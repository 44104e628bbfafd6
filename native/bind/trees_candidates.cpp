// The arcs that survive a mask, and the places of parts in compact tables.
#include <nanobind/stl/string.h>

#include <string>

#include "bind/trees_arrays.hpp"
#include "trees/factorizations/part_indices.hpp"

namespace headwise::bind {
namespace {

using Mask = nb::ndarray<const bool, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const std::int32_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using NodeTable = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, -1>>;
using Places = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1>>;

Candidates* make_candidates(const Mask& mask) {
  require(mask.shape(0) == mask.shape(1) && mask.shape(0) >= 2, "mask must have shape (n+1, n+1)");
  const auto nodes = static_cast<int>(mask.shape(0));
  return new Candidates(nodes - 1, [&](int h, int m) { return mask.data()[h * nodes + m]; });
}

template <class Value>
nb::capsule owner_of(Value* values) {
  return nb::capsule(values, [](void* p) noexcept { delete[] static_cast<Value*>(p); });
}

// The nodes of every place of a table, one row a place.
NodeTable part_nodes(const Candidates& arcs, const std::string& table) {
  const auto fill = [](Index count, std::size_t width, auto each) {
    auto* rows = new std::int32_t[count * width];
    each([&](Index place, const auto& nodes) { std::copy(nodes.begin(), nodes.end(), rows + place * width); });
    return NodeTable(rows, {static_cast<std::size_t>(count), width}, owner_of(rows));
  };
  if (table == "arcs")
    return fill(arcs.arcs(), 2, [&](auto visit) {
      for (int arc = 0; arc < arcs.arcs(); ++arc) visit(arc, std::array{arcs.head(arc), arcs.modifier(arc)});
    });
  if (table == "siblings")
    return fill(arcs.sibling_count(), 3, [&](auto visit) { each_sibling(arcs, visit); });
  if (table == "tri_siblings")
    return fill(arcs.tri_sibling_count(), 4, [&](auto visit) { each_tri_sibling(arcs, visit); });
  if (table == "grandchildren" || table == "outermost")
    return fill(arcs.grandchild_count(), 3, [&](auto visit) { each_grandchild(arcs, visit); });
  require(table == "grand_siblings", "there is no such table");
  return fill(arcs.grand_sibling_count(), 4, [&](auto visit) { each_grand_sibling(arcs, visit); });
}

// The place of each row of nodes, −1 where the mask excludes the part.
Places part_places(const Candidates& arcs, const std::string& table, const Nodes& nodes) {
  const std::size_t width = table == "tri_siblings" || table == "grand_siblings" ? 4 : 3;
  require(nodes.shape(1) == width, "wrong number of nodes in a part");
  auto* places = new std::int64_t[nodes.shape(0)];
  for (std::size_t k = 0; k < nodes.shape(0); ++k) {
    const auto* row = nodes.data() + k * width;
    if (table == "siblings")
      places[k] = place_of_sibling(arcs, row[0], row[1], row[2]);
    else if (table == "grandchildren" || table == "outermost")
      places[k] = place_of_grandchild(arcs, row[0], row[1], row[2]);
    else if (table == "tri_siblings")
      places[k] = place_of_tri_sibling(arcs, row[0], row[1], row[2], row[3]);
    else
      places[k] = place_of_grand_sibling(arcs, row[0], row[1], row[2], row[3]);
  }
  return Places(places, {nodes.shape(0)}, owner_of(places));
}

}  // namespace

void bind_candidates(nb::module_& module) {
  nb::class_<Candidates>(module, "Candidates")
      .def(nb::new_(&make_candidates), nb::arg("mask"))
      .def("part_nodes", part_nodes, nb::arg("table"))
      .def("part_places", part_places, nb::arg("table"), nb::arg("nodes"));
}

}  // namespace headwise::bind
