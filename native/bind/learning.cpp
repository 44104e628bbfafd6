// Bindings of what learns parsers: examples, trainers, their states. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/fields.hpp"
#include "bind/modules.hpp"
#include "bind/pruning.hpp"
#include "bind/weights.hpp"
#include "learning/batch_gradient.hpp"
#include "learning/eg_trainer.hpp"
#include "learning/trainer.hpp"
#include "learning/whole_tree_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Example = std::shared_ptr<TrainingExample>;
using Order = ArrayIn<std::int64_t>;

// A learner by its name, and what is chosen about it.
struct NamedLearner {
  std::string name;
  LearnerSettings settings;

  UpdateRule rule() const { return update_rule(name, settings); }
};

// Labels are checked where the parser has any. A word without a head (-1) has no label either.
TrainingExample make_example(const Sentence& sentence, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
                             const ParserShape& shape) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (heads.size() != n || labels.size() != n) throw std::invalid_argument("heads and labels: one entry a word");
  TrainingExample example{Atoms(shape.words), {}, {}};
  example.atoms.assign(sentence);
  for (std::size_t i = 0; i < n; ++i) {
    const int h = heads.data()[i], l = labels.data()[i];
    if (h < -1 || h > sentence.size() || h == static_cast<int>(i) + 1) throw std::invalid_argument("heads: out of range");
    if (shape.labels_are_given() && h >= 0 && (l < 0 || l >= shape.labels.count))
      throw std::invalid_argument("labels: out of range");
    example.heads.push_back(h);
    example.labels.push_back(shape.labels_are_given() && h >= 0 ? l : -1);
  }
  return example;
}

// Adds an example; returns how many arcs survived pruning, and how many of them gold.
template <class Add>
std::pair<int, int> add_example(const ParserShape& shape, const Example& example, const BoundPruner* pruner, Add add) {
  if (shape.has_larger_parts() != (pruner != nullptr))
    throw std::invalid_argument("examples of larger parts need a pruner, and those of arcs alone have none");
  if (!pruner) {
    add({example});
    return {0, 0};
  }
  GoldFlags kept = pruner->flags(*example);
  add({example, std::move(kept.flags)});
  return {kept.survived, kept.gold};
}

// The weights that the examples touch at all, of arcs (and larger parts) and of labels.
std::tuple<Array<std::uint32_t>, Array<std::uint32_t>> touched_weights(Trainer& trainer, const NamedLearner& learner) {
  TouchedWeights arcs(trainer.arcs().size()), labels(trainer.labels().size());
  {
    const nb::gil_scoped_release release;
    const LargeTable<float> zeros(std::max(trainer.arcs().size(), trainer.labels().size()), 0.0f);
    const LogLinear rule{learner.settings.sizes(), learner.settings.label_sizes(), 0.0, 0.0};
    trainer.gather(rule, trainer.shape().tables_in_training(zeros.data(), zeros.data()), arcs, labels);
  }
  return {to_array(arcs.indices()), to_array(labels.indices())};
}

// The loss of all examples at the given weights and its gradient, both over touched weights.
std::tuple<double, Array<double>, Array<double>> objective(Trainer& trainer, const NamedLearner& learner,
                                                           const ArrayIn<std::uint32_t>& arcs,
                                                           const ArrayIn<double>& arc_weights,
                                                           const ArrayIn<std::uint32_t>& labels,
                                                           const ArrayIn<double>& label_weights) {
  if (arcs.size() != arc_weights.size() || labels.size() != label_weights.size())
    throw std::invalid_argument("objective: one weight for each index");
  const std::size_t arc_size = trainer.arcs().size(), label_size = trainer.labels().size();
  RestrictedGradient arc_gradient(arc_size, view(arcs)), label_gradient(label_size, view(labels));
  double loss = 0;
  {
    const nb::gil_scoped_release release;
    const LargeTable<float> arc_table = spread_weights(arc_size, view(arcs), view(arc_weights));
    const LargeTable<float> label_table = spread_weights(label_size, view(labels), view(label_weights));
    const WeightTables tables = trainer.shape().tables_in_training(arc_table.data(), label_table.data());
    loss = std::visit(
        [&](const auto& rule) -> double {
          if constexpr (rule.follows_gradient) return trainer.gather(rule, tables, arc_gradient, label_gradient).loss;
          throw std::invalid_argument("this learner has no objective to follow; use log-linear or max-margin");
        },
        learner.rule());
  }
  // What the sinks gather is the direction in which the loss falls.
  for (auto* gradient : {&arc_gradient, &label_gradient})
    for (double& x : gradient->sums()) x = -x;
  return {loss, to_array(std::move(arc_gradient.sums())), to_array(std::move(label_gradient.sums()))};
}

void bind_examples(nb::module_& module) {
  nb::class_<TrainingExample>(module, "TrainingExample", "A sentence and its tree, ready to be learned from.")
      .def("__init__",
           [](TrainingExample* self, const Sentence& sentence, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
              const ParserShape& shape) { new (self) TrainingExample(make_example(sentence, heads, labels, shape)); },
           "sentence"_a, "heads"_a, "labels"_a, "shape"_a)
      .def_prop_ro("heads", [](const TrainingExample& self) { return to_array(std::vector<int>(self.heads)); },
                   nb::rv_policy::move)
      .def_prop_ro("labels", [](const TrainingExample& self) { return to_array(std::vector<int>(self.labels)); },
                   nb::rv_policy::move)
      .def("set_roles",
           [](TrainingExample& self, const ArrayIn<int>& roles) {
             if (roles.size() != self.heads.size()) throw std::invalid_argument("roles: one a word");
             self.atoms.set_roles(view(roles));
           },
           "roles"_a, "What each word is taken to be, for templates that ask for it.");

  nb::class_<TrainingCounts>(module, "TrainingCounts", "What happened during a stretch of training.")
      .def_ro("words", &TrainingCounts::words)
      .def_ro("mistakes", &TrainingCounts::wrong_heads, "Words that got a wrong head.")
      .def_ro("wrong_heads", &TrainingCounts::wrong_heads)
      .def_ro("wrong_labels", &TrainingCounts::wrong_labels)
      .def_ro("loss", &TrainingCounts::loss)
      .def_ro("guessing", &TrainingCounts::guessing, "The loss of guessing, at most; 0 where losses do not compare.");
}

void bind_trainer(nb::module_& module) {
  nb::class_<NamedLearner>(module, "Learner", "What a user chooses about a learner.")
      .def("__init__",
           [](NamedLearner* self, std::string name, const nb::kwargs& settings) {
             const NamedLearner made{std::move(name), struct_of<LearnerSettings>(settings)};
             (void)made.rule();
             new (self) NamedLearner(made);
           },
           "name"_a, "settings"_a, nb::sig(constructor_of<LearnerSettings>("name: str, ").c_str()));

  nb::class_<Trainer>(module, "Trainer", "Training of a parser, one example after the other.")
      .def("__init__",
           [](Trainer* self, const ParserShape& shape, const NamedLearner& learner, const nb::kwargs& rivals) {
             new (self) Trainer(shape, learner.rule(), struct_of<Rivals>(rivals));
           },
           "shape"_a, "learner"_a, "rivals"_a,
           nb::sig(constructor_of<Rivals>("shape: headwise._native.parsing.ParserShape, learner: Learner, ").c_str()))
      .def("add",
           [](Trainer& self, const Example& example, const BoundPruner* pruner) {
             return add_example(self.shape(), example, pruner, [&](Lesson lesson) { self.add(std::move(lesson)); });
           },
           "example"_a, "pruner"_a.none() = nb::none(),
           "Add an example; returns how many arcs survived pruning, and how many of them gold.")
      .def("freeze_rare",
           [](Trainer& self, int least) {
             const nb::gil_scoped_release release;
             self.freeze_rare(least);
           },
           "least"_a, "Features of trees that occur less often than this in the gold trees are not learned.")
      .def("start",
           [](Trainer& self, const std::string& table, const ArrayIn<float>& weights) {
             const std::span<float> own = self.table(table);
             if (weights.size() != own.size()) throw std::invalid_argument("start: wrong size of the table " + table);
             std::copy(weights.data(), weights.data() + weights.size(), own.begin());
           },
           "table"_a, "weights"_a, "The weights of a table to start from, instead of zeros.")
      .def("train",
           [](Trainer& self, const Order& order, int threads) {
             const nb::gil_scoped_release release;
             return self.train(view(order), threads);
           },
           "order"_a, "threads"_a = 1)
      .def("averaged", [](Trainer& self) { return std::tuple(mean(self.arcs()), mean(self.labels())); })
      .def("state",
           [](Trainer& self) {
             nb::dict state;
             put_state(state, "arcs", self.arcs());
             put_state(state, "labels", self.labels());
             put_steps(state, "arcs", self.arc_steps());
             put_steps(state, "labels", self.label_steps());
             if (std::vector<int> chains; self.copy_chains(chains)) state["chains"] = to_array(std::move(chains));
             return state;
           })
      .def("restore",
           [](Trainer& self, const nb::dict& state) {
             if (state.contains("chains")) self.restore_chains(view(nb::cast<ArrayIn<int>>(state["chains"])));
             take_state(state, "arcs", self.arcs());
             take_state(state, "labels", self.labels());
             take_steps(state, "arcs", self.arc_steps());
             take_steps(state, "labels", self.label_steps());
           },
           "state"_a)
      .def("touched_weights", &touched_weights, "learner"_a)
      .def("objective", &objective, "learner"_a, "arcs"_a, "arc_weights"_a, "labels"_a, "label_weights"_a);
}

void bind_eg_trainer(nb::module_& module) {
  nb::class_<EgTrainer>(module, "EgTrainer", "Training of a parser by exponentiated gradient.")
      .def("__init__",
           [](EgTrainer* self, const ParserShape& shape, const std::string& objective, double regularization,
              double start, double rate, double negligible, const NamedLearner& labels) {
             if (objective != "log-linear" && objective != "max-margin")
               throw std::invalid_argument("objective is '" + objective + "', must be log-linear or max-margin");
             if (!(regularization > 0)) throw std::invalid_argument("regularization must be positive");
             const auto chosen = objective == "log-linear" ? EgObjective::log_linear : EgObjective::max_margin;
             new (self) EgTrainer(shape, {chosen, regularization, start, rate, negligible}, labels.settings.label_sizes());
           },
           "shape"_a, nb::kw_only(), "objective"_a, "regularization"_a, "start"_a, "rate"_a, "negligible"_a, "labels"_a)
      .def("add",
           [](EgTrainer& self, const Example& example, const BoundPruner* pruner) {
             if (example->is_partial())
               throw std::invalid_argument("exponentiated gradient learns from whole trees only");
             return add_example(self.shape(), example, pruner, [&](Lesson lesson) { self.add(std::move(lesson)); });
           },
           "example"_a, "pruner"_a.none() = nb::none(),
           "Add an example; returns how many arcs survived pruning, and how many of them gold.")
      .def("train",
           [](EgTrainer& self, const Order& order, int threads, bool online) {
             const nb::gil_scoped_release release;
             return self.train(view(order), threads, online);
           },
           "order"_a, "threads"_a = 1, "online"_a = true)
      .def("batch_step",
           [](EgTrainer& self) {
             const nb::gil_scoped_release release;
             return self.trees().batch();
           },
           "One step of all sentences at once; False where it failed, was taken back and the rate halved.")
      .def("objectives",
           [](EgTrainer& self) {
             const nb::gil_scoped_release release;
             self.trees().settle_everything();
             return std::pair(self.trees().primal_objective(), self.trees().dual_objective());
           },
           "The primal f(w) and the dual Q(α), both to be minimized; their sum is the gap.")
      .def_prop_ro("rate", [](EgTrainer& self) { return self.trees().rate(); }, "Of batch steps.")
      .def_prop_ro("mean_rate", [](EgTrainer& self) { return self.trees().mean_rate(); }, "Of the single sentences.")
      .def("averaged",
           [](EgTrainer& self) { return std::tuple(to_array(self.trees().average()), mean(self.labels())); },
           "The weights of arcs, averaged over single steps since start_averaging(), and those of labels.")
      .def("start_averaging", [](EgTrainer& self) { self.trees().start_averaging(); })
      .def("state",
           [](EgTrainer& self) {
             nb::dict state;
             const auto& weights = self.trees().exact_weights();
             state["duals"] = to_array(self.trees().duals());
             state["weights"] = to_array(std::vector<double>(weights.begin(), weights.end()));
             state["rate"] = to_array(std::vector<double>{self.trees().rate()});
             put_state(state, "labels", self.labels());
             put_steps(state, "labels", &self.label_steps());
             return state;
           })
      .def("restore",
           [](EgTrainer& self, const nb::dict& state) {
             const auto duals = nb::cast<ArrayIn<double>>(state["duals"]);
             const auto weights = nb::cast<ArrayIn<double>>(state["weights"]);
             const auto rate = nb::cast<ArrayIn<double>>(state["rate"]);
             if (!self.trees().restore(view(duals), view(weights)) || rate.size() != 1)
               throw std::invalid_argument("the training state is of another model");
             self.trees().set_rate(rate.data()[0]);
             take_state(state, "labels", self.labels());
             take_steps(state, "labels", &self.label_steps());
           },
           "state"_a);
}

void bind_whole_tree_trainer(nb::module_& module) {
  nb::class_<WholeTreeTrainer>(module, "WholeTreeTrainer",
                               "Learning features of whole trees on top of parsers that have not seen the example.")
      .def("__init__",
           [](WholeTreeTrainer* self, const ParserShape& shape, double aggressiveness) {
             new (self) WholeTreeTrainer(shape, Margins::mira(aggressiveness));
           },
           "shape"_a, nb::kw_only(), "aggressiveness"_a)
      .def("add_parser", [](WholeTreeTrainer& self, const ArrayIn<float>& weights) { self.add_parser(view(weights)); },
           "arc_weights"_a)
      .def("add",
           [](WholeTreeTrainer& self, const Example& example, const BoundPruner& pruner, int parser) {
             if (parser < 0 || static_cast<std::size_t>(parser) >= self.parsers())
               throw std::invalid_argument("parser: no such parser was added");
             self.add({example, pruner.flags(*example).flags}, parser);
           },
           "example"_a, "pruner"_a, "parser"_a)
      .def("train",
           [](WholeTreeTrainer& self, const Order& order, int) {
             const nb::gil_scoped_release release;
             return self.train(view(order));
           },
           "order"_a, "threads"_a = 1)
      .def("averaged", [](WholeTreeTrainer& self) { return std::tuple(mean(self.weights())); })
      .def("state",
           [](WholeTreeTrainer& self) {
             nb::dict state;
             put_state(state, "whole_tree", self.weights());
             return state;
           })
      .def("restore",
           [](WholeTreeTrainer& self, const nb::dict& state) { take_state(state, "whole_tree", self.weights()); },
           "state"_a);
}

}  // namespace

void learning(nb::module_ module) {
  nb::exception<Diverged>(module, "DivergedError", PyExc_ArithmeticError);
  bind_examples(module);
  bind_trainer(module);
  bind_eg_trainer(module);
  bind_whole_tree_trainer(module);
  role_learning(module);
  tensor_learning(module);
  network_learning(module);
}

}  // namespace headwise::bind
