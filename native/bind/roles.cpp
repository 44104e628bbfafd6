// Bindings of what guesses the roles of words. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/shared_ptr.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/weights.hpp"
#include "base/huge_pages.hpp"
#include "learning/role_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

class BoundRoles {
 public:
  BoundRoles(RoleShape shape, const ArrayIn<float>& weights)
      : shape_(std::move(shape)), weights_(checked_table(view(weights), shape_.table_size(), "role")) {}
  Array<int> guess(const TrainingExample& example) const {
    return to_array(std::vector<int>(RoleReader(shape_).guess(example.atoms, weights_.data())));
  }

 private:
  RoleShape shape_;
  LargeTable<float> weights_;
};

std::vector<int> checked_roles(const TrainingExample& example, const ArrayIn<int>& roles, int count) {
  if (roles.size() != example.heads.size()) throw std::invalid_argument("roles: one a word");
  for (const int role : view(roles))
    if (role < -1 || role >= count) throw std::invalid_argument("roles: out of range");
  return {roles.data(), roles.data() + roles.size()};
}

}  // namespace

void role_scoring(nb::module_ module) {
  nb::class_<RoleShape, ScorerShape>(module, "RoleShape", "The roles that words may have, and the features that choose them.")
      .def("__init__",
           [](RoleShape* self, const std::vector<std::string>& tags, const std::vector<int>& arc_limits, int role_count,
              const std::vector<int>& role_arcs, const std::vector<std::string>& templates, int bits) {
             new (self) RoleShape(ArcFilter(tags, arc_limits), LabelTemplates(templates),
                                  LabelSet(role_count, static_cast<int>(tags.size()), role_arcs), bits);
           },
           nb::kw_only(), "tags"_a, "arc_limits"_a, "role_count"_a, "role_arcs"_a, "templates"_a, "bits"_a);
}

void role_learning(nb::module_ module) {
  nb::class_<RoleTrainer>(module, "RoleTrainer", "Learning what roles words have, by MIRA.")
      .def(nb::init<const RoleShape&, double>(), "shape"_a, nb::kw_only(), "aggressiveness"_a)
      .def("add",
           [](RoleTrainer& self, const TrainingExample& example, const ArrayIn<int>& roles) {
             self.add(example.atoms, checked_roles(example, roles, self.roles()));
           },
           "example"_a, "roles"_a, "-1 stands for a role that is not known.")
      .def("train",
           [](RoleTrainer& self, const ArrayIn<std::int64_t>& order) {
             const nb::gil_scoped_release release;
             return self.train(view(order));
           },
           "order"_a)
      .def("averaged", [](RoleTrainer& self) { return mean(self.weights()); });

  nb::class_<BoundRoles>(module, "Roles", "Guesses the roles of words.")
      .def(nb::init<RoleShape, const ArrayIn<float>&>(), "shape"_a, "weights"_a)
      .def("guess", &BoundRoles::guess, "example"_a);
}

}  // namespace headwise::bind
