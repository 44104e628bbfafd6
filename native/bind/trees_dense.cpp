// Distributions over all arcs: first order, adjacent siblings and senses, and spanning trees.
#include "bind/trees_arrays.hpp"
#include "factorizations/first_order.hpp"
#include "factorizations/senses.hpp"
#include "factorizations/sibling.hpp"
#include "projective.hpp"
#include "spanning.hpp"

namespace headwise::bind {
namespace {

std::size_t nodes_of(const ScoreArrays& arrays) {
  const auto& labels = arrays.labels.value();
  require(labels.ndim() == 3 && labels.shape(0) == labels.shape(1) && labels.shape(0) >= 2,
          "labels must have shape (n+1, n+1, L)");
  return labels.shape(0);
}

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

OwningDistribution* make_spanning(const ScoreArrays& arrays, bool single_root) {
  const auto words = static_cast<int>(nodes_of(arrays)) - 1;
  const auto& labels = *arrays.labels;
  return new OwningDistribution{
      std::make_unique<SpanningDistribution>(words, static_cast<int>(labels.shape(2)), single_root,
                                             std::vector<double>(labels.data(), labels.data() + labels.size())),
      arrays};
}

// labels: [head, sense of head, modifier, sense of modifier, label]
OwningDistribution* make_senses(const ScoreArrays& arrays, bool single_root) {
  const auto& labels = arrays.labels.value();
  require(labels.ndim() == 5 && labels.shape(0) >= 2 && labels.shape(0) == labels.shape(2) &&
              labels.shape(1) >= 1 && labels.shape(1) == labels.shape(3),
          "labels must have shape (n+1, K, n+1, K, L)");
  const Senses trees(static_cast<int>(labels.shape(0)) - 1, static_cast<int>(labels.shape(1)), single_root);
  return new OwningDistribution{
      std::make_unique<ProjectiveDistribution<Senses>>(trees, arrays.tables()), arrays};
}

}  // namespace

void bind_dense(nb::module_& module) {
  module.def("first_order", make<FirstOrder>, nb::arg("scores"), nb::arg("single_root"));
  module.def("spanning", make_spanning, nb::arg("scores"), nb::arg("single_root"));
  module.def("senses", make_senses, nb::arg("scores"), nb::arg("single_root"));
  module.def("sibling", make<Sibling>, nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
