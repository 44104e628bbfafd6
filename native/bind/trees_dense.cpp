// Distributions over all arcs: first order and adjacent siblings.
#include "bind/trees_arrays.hpp"
#include "trees/factorizations/first_order.hpp"
#include "trees/factorizations/sibling.hpp"
#include "trees/projective.hpp"

namespace headwise::bind {
namespace {

template <class Factorization>
OwningDistribution* make(const ScoreArrays& arrays, bool single_root) {
  const std::size_t nodes = nodes_of(arrays);
  require(!arrays.siblings || static_cast<Index>(arrays.siblings->size()) == sibling_count(static_cast<int>(nodes)),
          "siblings must be packed");
  require(!arrays.positions || arrays.positions->size() == arrays.positions->shape(0) * nodes * nodes,
          "positions must have shape (2, n+1, n+1)");
  return new OwningDistribution{
      std::make_unique<ProjectiveDistribution<Factorization>>(
          Factorization(static_cast<int>(nodes) - 1, single_root), arrays.tables()),
      arrays};
}

}  // namespace

void bind_dense(nb::module_& module) {
  module.def("first_order", make<FirstOrder>, nb::arg("scores"), nb::arg("single_root"));
  module.def("sibling", make<Sibling>, nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
