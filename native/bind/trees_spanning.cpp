// Spanning trees, projective or not.
#include "bind/trees_arrays.hpp"
#include "trees/spanning/spanning.hpp"

namespace headwise::bind {
namespace {

OwningDistribution* make_spanning(const ScoreArrays& arrays, bool single_root) {
  const auto words = static_cast<int>(nodes_of(arrays)) - 1;
  const auto& labels = *arrays.labels;
  return new OwningDistribution{
      std::make_unique<SpanningDistribution>(words, static_cast<int>(labels.shape(2)), single_root,
                                             std::vector<double>(labels.data(), labels.data() + labels.size())),
      arrays};
}

}  // namespace

void bind_spanning(nb::module_& module) {
  module.def("spanning", make_spanning, nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
