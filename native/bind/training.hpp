// What the bindings of all trainers of parsers share: examples in, averaged weights and states out.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "bind/arrays.hpp"
#include "bind/weights.hpp"
#include "learning/batch_gradient.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parsing/parser_shape.hpp"
#include "treebank/sentence.hpp"

namespace headwise::bind {

// What a user chooses about a learner.
struct Learner {
  std::string name;
  double aggressiveness, cost, negligible;
  StepSizes sizes, label_sizes;

  UpdateRule rule() const {
    if (name == "perceptron") return Perceptron{};
    if (name == "mira") return Mira{aggressiveness};
    if (name == "log-linear") return LogLinear{sizes, label_sizes, cost, negligible};
    if (name == "max-margin") return MaxMargin{sizes, label_sizes};
    throw std::invalid_argument("no learner is called '" + name + "' (use perceptron, mira, log-linear or max-margin)");
  }
};

// Labels are checked where the parser has any. A word without a head (-1) has no label either.
inline TrainingExample make_example(const Sentence& sentence, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
                                    const ParserShape& shape) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (heads.size() != n || labels.size() != n) throw std::invalid_argument("heads and labels: one entry a word");
  TrainingExample example;
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

template <class Trainer>
std::tuple<Array<float>, Array<float>> averaged(Trainer& trainer) {
  return {mean(trainer.arcs()), mean(trainer.labels())};
}

template <class Trainer>
nanobind::dict trainer_state(Trainer& trainer) {
  nanobind::dict state;
  put_state(state, "arcs", trainer.arcs());
  put_state(state, "labels", trainer.labels());
  put_steps(state, "arcs", trainer.arc_steps());
  put_steps(state, "labels", trainer.label_steps());
  return state;
}

template <class Trainer>
void restore_state(Trainer& trainer, const nanobind::dict& state) {
  take_state(state, "arcs", trainer.arcs());
  take_state(state, "labels", trainer.labels());
  take_steps(state, "arcs", trainer.arc_steps());
  take_steps(state, "labels", trainer.label_steps());
}

// The weights that the examples touch at all, of arcs (and larger parts) and of labels.
template <class Trainer>
std::tuple<Array<std::uint32_t>, Array<std::uint32_t>> touched_weights(Trainer& trainer, const Learner& learner) {
  TouchedWeights arcs(trainer.arcs().size()), labels(trainer.labels().size());
  {
    const nanobind::gil_scoped_release release;
    const LargeTable<float> zeros(std::max(trainer.arcs().size(), trainer.labels().size()), 0.0f);
    LogLinear rule{learner.sizes, learner.label_sizes, 0.0, 0.0};
    trainer.gather(rule, Weights{zeros.data(), zeros.data()}, arcs, labels);
  }
  return {to_array(arcs.indices()), to_array(labels.indices())};
}

// The loss of all examples at the given weights and its gradient, both over touched weights.
template <class Trainer>
std::tuple<double, Array<double>, Array<double>> objective(
    Trainer& trainer, const Learner& learner, const ArrayIn<std::uint32_t>& arcs, const ArrayIn<double>& arc_weights,
    const ArrayIn<std::uint32_t>& labels, const ArrayIn<double>& label_weights) {
  if (arcs.size() != arc_weights.size() || labels.size() != label_weights.size())
    throw std::invalid_argument("objective: one weight for each index");
  const std::size_t arc_size = trainer.arcs().size(), label_size = trainer.labels().size();
  RestrictedGradient arc_gradient(arc_size, view(arcs)), label_gradient(label_size, view(labels));
  double loss = 0;
  {
    const nanobind::gil_scoped_release release;
    const LargeTable<float> arc_table = spread_weights(arc_size, view(arcs), view(arc_weights));
    const LargeTable<float> label_table = spread_weights(label_size, view(labels), view(label_weights));
    const Weights weights{arc_table.data(), label_table.data()};
    loss = std::visit(
        [&](const auto& rule) -> double {
          if constexpr (rule.follows_gradient) return trainer.gather(rule, weights, arc_gradient, label_gradient).loss;
          throw std::invalid_argument("this learner has no objective to follow; use log-linear or max-margin");
        },
        learner.rule());
  }
  // What the sinks gather is the direction in which the loss falls.
  for (auto* gradient : {&arc_gradient, &label_gradient})
    for (double& x : gradient->sums()) x = -x;
  return {loss, to_array(std::move(arc_gradient.sums())), to_array(std::move(label_gradient.sums()))};
}

// The methods that every trainer of a parser has.
template <class Trainer, class Class>
void bind_trainer(Class& cls) {
  using namespace nanobind::literals;
  cls.def(
         "train",
         [](Trainer& self, const ArrayIn<std::int64_t>& order, int threads) {
           const nanobind::gil_scoped_release release;
           return self.train(view(order), threads);
         },
         "order"_a, "threads"_a = 1)
      .def("averaged", &averaged<Trainer>)
      .def("state", &trainer_state<Trainer>)
      .def("restore", &restore_state<Trainer>, "state"_a)
      .def("touched_weights", &touched_weights<Trainer>, "learner"_a)
      .def("objective", &objective<Trainer>, "learner"_a, "arcs"_a, "arc_weights"_a, "labels"_a, "label_weights"_a);
}

}  // namespace headwise::bind
