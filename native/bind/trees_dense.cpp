// The factorizations over dense charts: first order and adjacent siblings.
#include "bind/trees_arrays.hpp"
#include "factorizations/first_order.hpp"
#include "factorizations/sibling.hpp"
#include "projective.hpp"

namespace headwise::bind {
namespace {

template <class Factorization>
OwningDistribution* make(const ScoreArrays& arrays, bool single_root) {
  const auto& labels = arrays.labels.value();
  require(labels.ndim() == 3 && labels.shape(0) == labels.shape(1) && labels.shape(0) >= 2,
          "labels must have shape (n+1, n+1, L)");
  const std::size_t nodes = labels.shape(0);
  require(!arrays.siblings || arrays.siblings->size() == nodes * nodes * nodes,
          "siblings must have shape (n+1, n+1, n+1)");
  require(!arrays.positions || arrays.positions->size() == arrays.positions->shape(0) * nodes * nodes,
          "positions must have shape (2, n+1, n+1)");
  std::vector<double> copy(labels.data(), labels.data() + labels.size());
  return new OwningDistribution{
      std::make_unique<ProjectiveDistribution<Factorization>>(
          Factorization(static_cast<int>(nodes) - 1, single_root), arrays.tables(), std::move(copy)),
      arrays};
}

}  // namespace

void bind_dense(nb::module_& module) {
  module.def("first_order", make<FirstOrder>, nb::arg("scores"), nb::arg("single_root"));
  module.def("sibling", make<Sibling>, nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
