// Tables of scores on their way in, tables of marginals on their way out.
#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/factorizations/sibling_table.hpp"
#include "trees/score_check.hpp"

namespace headwise::bind {
namespace {

using Table = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Triples = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

bool are_scores(const Table& table, double largest) {
  return simd::are_scores(table.data(), table.size(), largest);
}

Array<double> pack_siblings(const Table& triples) {
  const std::size_t nodes = triples.ndim() == 3 ? triples.shape(0) : 0;
  require(nodes >= 2 && triples.size() == nodes * nodes * nodes, "siblings must have shape (n+1, n+1, n+1)");
  const auto count = static_cast<std::size_t>(sibling_count(static_cast<int>(nodes)));
  auto* packed = new double[count];
  nb::capsule owner(packed, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  each_sibling_run(static_cast<int>(nodes), [&](Index place, Index triple, Index run) {
    std::copy_n(triples.data() + triple, run, packed + place);
  });
  return Array<double>(packed, {count}, owner);
}

void unpack_siblings(const Table& packed, const Triples& triples) {
  const int nodes = static_cast<int>(triples.shape(0));
  require(nodes >= 2 && triples.size() == static_cast<std::size_t>(nodes) * nodes * nodes &&
              static_cast<Index>(packed.size()) == sibling_count(nodes),
          "siblings must have shape (n+1, n+1, n+1)");
  each_sibling_run(nodes, [&](Index place, Index triple, Index run) {
    std::copy_n(packed.data() + place, run, triples.data() + triple);
  });
}

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("are_scores", are_scores, nb::arg("table"), nb::arg("largest"));
  module.def("sibling_count", sibling_count, nb::arg("nodes"));
  module.def("pack_siblings", pack_siblings, nb::arg("triples"));
  module.def("unpack_siblings", unpack_siblings, nb::arg("packed"), nb::arg("triples"));
}

}  // namespace headwise::bind
