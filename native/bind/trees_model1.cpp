// Model 1: grand-siblings.
#include "bind/trees_compact.hpp"
#include "trees/factorizations/model1.hpp"

namespace headwise::bind {

void bind_model1(nb::module_& module) {
  module.def("model1", make_compact<Model1>, nb::arg("arcs"), nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
