// Model 0: all grandchildren.
#include "bind/trees_compact.hpp"
#include "trees/factorizations/model0.hpp"

namespace headwise::bind {

void bind_model0(nb::module_& module) {
  module.def("model0", make_compact<Model0>, nb::arg("arcs"), nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
