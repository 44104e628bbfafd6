// Model 2: grand-siblings and tri-siblings.
#include "bind/trees_compact.hpp"
#include "trees/factorizations/model2.hpp"

namespace headwise::bind {

void bind_model2(nb::module_& module) {
  module.def("model2", make_compact<Model2>, nb::arg("arcs"), nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
