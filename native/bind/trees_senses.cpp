// Projective trees whose words have senses.
#include "bind/trees_arrays.hpp"
#include "trees/factorizations/senses.hpp"
#include "trees/projective.hpp"

namespace headwise::bind {
namespace {

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

void bind_senses(nb::module_& module) {
  module.def("senses", make_senses, nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
