// Carreras' second order.
#include "bind/trees_compact.hpp"
#include "trees/factorizations/carreras.hpp"

namespace headwise::bind {

void bind_carreras(nb::module_& module) {
  module.def("carreras", make_compact<Carreras>, nb::arg("arcs"), nb::arg("scores"), nb::arg("single_root"));
}

}  // namespace headwise::bind
