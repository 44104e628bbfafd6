// Bindings of exponentiated-gradient training. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "bind/pruning.hpp"
#include "bind/modules.hpp"
#include "bind/training.hpp"
#include "learning/dual_trainer.hpp"
#include "learning/higher_order_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

template <class Sums>
nb::class_<DualTrainer<Sums>> bind_dual(nb::module_ module, const char* name, const char* doc) {
  using Trainer = DualTrainer<Sums>;
  return nb::class_<Trainer>(module, name, doc)
      .def("__init__",
           [](Trainer* self, const typename Sums::Shape& shape, const std::string& objective, double regularization,
              double start, double rate, double negligible, const Learner& labels) {
             if (objective != "log-linear" && objective != "max-margin")
               throw std::invalid_argument("objective is '" + objective + "', must be log-linear or max-margin");
             if (!(regularization > 0)) throw std::invalid_argument("regularization must be positive");
             const auto dual = objective == "log-linear" ? DualObjective::log_linear : DualObjective::max_margin;
             new (self) Trainer(shape, {dual, regularization, start, rate, negligible}, labels.label_sizes);
           },
           "shape"_a, nb::kw_only(), "objective"_a, "regularization"_a, "start"_a, "rate"_a, "negligible"_a, "labels"_a)
      .def("train",
           [](Trainer& self, const ArrayIn<std::int64_t>& order, int threads, bool online) {
             const nb::gil_scoped_release release;
             return self.train(view(order), threads, online);
           },
           "order"_a, "threads"_a = 1, "online"_a = true)
      .def("batch_step",
           [](Trainer& self) {
             const nb::gil_scoped_release release;
             return self.dual().batch();
           },
           "One step of all sentences at once; False where it failed, was taken back and the rate halved.")
      .def("objectives",
           [](Trainer& self) {
             const nb::gil_scoped_release release;
             return std::pair(self.dual().primal_objective(), self.dual().dual_objective());
           },
           "The primal f(w) and the dual Q(α), both to be minimized; their sum is the gap.")
      .def_prop_ro("rate", [](Trainer& self) { return self.dual().rate(); }, "Of batch steps.")
      .def_prop_ro("mean_rate", [](Trainer& self) { return self.dual().mean_rate(); }, "Of the single sentences.")
      .def("averaged",
           [](Trainer& self) {
             return std::tuple(to_array(self.dual().average()), mean(self.labels()));
           },
           "The weights of arcs, averaged over single steps since start_averaging(), and those of labels.")
      .def("start_averaging", [](Trainer& self) { self.dual().start_averaging(); })
      .def("state",
           [](Trainer& self) {
             nb::dict state;
             const auto& weights = self.dual().exact_weights();
             state["duals"] = to_array(self.dual().duals());
             state["weights"] = to_array(std::vector<double>(weights.begin(), weights.end()));
             state["rate"] = to_array(std::vector<double>{self.dual().rate()});
             put_state(state, "labels", self.labels());
             put_steps(state, "labels", self.label_steps());
             return state;
           })
      .def("restore",
           [](Trainer& self, const nb::dict& state) {
             const auto duals = nb::cast<ArrayIn<double>>(state["duals"]);
             const auto weights = nb::cast<ArrayIn<double>>(state["weights"]);
             const auto rate = nb::cast<ArrayIn<double>>(state["rate"]);
             if (!self.dual().restore(view(duals), view(weights)) || rate.size() != 1)
               throw std::invalid_argument("the training state is of another model");
             self.dual().set_rate(rate.data()[0]);
             take_state(state, "labels", self.labels());
             take_steps(state, "labels", self.label_steps());
           },
           "state"_a);
}

void check_complete(const TrainingExample& example) {
  if (example.is_partial()) throw std::invalid_argument("exponentiated gradient learns from whole trees only");
}

}  // namespace

void dual_training(nb::module_ module) {
  bind_dual<ArcSums>(module, "DualArcTrainer", "Exponentiated gradient for a first-order parser.")
      .def("add",
           [](DualTrainer<ArcSums>& self, const TrainingExample& example) {
             check_complete(example);
             self.add(example);
           },
           "example"_a);
  bind_dual<PartSums>(module, "DualPartTrainer", "Exponentiated gradient for a higher-order parser.")
      .def("add",
           [](DualTrainer<PartSums>& self, const TrainingExample& example, const BoundPruner& pruner) {
             check_complete(example);
             GoldFlags kept = with_gold(example, pruner.flags(example));
             self.add({example, std::move(kept.flags)});
             return std::pair(kept.survived, kept.gold);
           },
           "example"_a, "pruner"_a, "Add an example; returns how many arcs survived, and how many of them gold.");
}

}  // namespace headwise::bind
