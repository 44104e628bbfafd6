// Tables of scores on their way in, tables of marginals on their way out.
#include <limits>

#include "bind/arrays.hpp"
#include "bind/trees_arrays.hpp"
#include "factorizations/sibling_table.hpp"

namespace headwise::bind {
namespace {

using Table = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// Whether every entry is −inf or lies between −largest and largest: one pass over what may be a large table.
bool are_scores(const Table& table, double largest) {
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  const double* values = table.data();
  std::int64_t others = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const double x = values[k];
    others += static_cast<int>(!(x <= largest)) | ((x < -largest) & (x != impossible));
  }
  return others == 0;
}

Array<double> pack_siblings(const Table& triples) {
  const std::size_t nodes = triples.ndim() == 3 ? triples.shape(0) : 0;
  require(nodes >= 2 && triples.size() == nodes * nodes * nodes, "siblings must have shape (n+1, n+1, n+1)");
  std::vector<double> packed(sibling_count(static_cast<int>(nodes)));
  const double* from = triples.data();
  each_sibling_place(static_cast<int>(nodes), [&](Index place, Index triple) { packed[place] = from[triple]; });
  return to_array(std::move(packed));
}

void unpack_siblings(const Table& packed, const nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& triples) {
  const int nodes = static_cast<int>(triples.shape(0));
  require(nodes >= 2 && triples.size() == static_cast<std::size_t>(nodes) * nodes * nodes &&
              static_cast<Index>(packed.size()) == sibling_count(nodes),
          "siblings must have shape (n+1, n+1, n+1)");
  each_sibling_place(nodes, [&, to = triples.data(), from = packed.data()](Index place, Index triple) {
    to[triple] = from[place];
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
