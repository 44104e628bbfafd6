// What the bindings of all trainers of parsers share: examples in, averaged weights and states out.
#pragma once
#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "averaged_weights.hpp"
#include "bind/arrays.hpp"
#include "bind/weights.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parser_shape.hpp"
#include "sentence.hpp"

namespace headwise::bind {

inline std::variant<Perceptron, Mira> rule_of(const std::string& learner, double aggressiveness) {
  if (learner == "perceptron") return Perceptron{};
  if (learner == "mira") return Mira{aggressiveness};
  throw std::invalid_argument("no online learner is called '" + learner + "' (use perceptron or mira)");
}

// Labels are checked where the parser has any.
inline TrainingExample make_example(const Sentence& sentence, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
                                    const ParserShape& shape) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (heads.size() != n || labels.size() != n) throw std::invalid_argument("heads and labels: one entry a word");
  TrainingExample example;
  example.atoms.assign(sentence);
  for (std::size_t i = 0; i < n; ++i) {
    const int h = heads.data()[i], l = labels.data()[i];
    if (h < 0 || h > sentence.size() || h == static_cast<int>(i) + 1) throw std::invalid_argument("heads: out of range");
    if (shape.label_mode != LabelMode::none && (l < 0 || l >= shape.labels.count)) throw std::invalid_argument("labels: out of range");
    example.heads.push_back(h);
    example.labels.push_back(l);
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
  return state;
}

template <class Trainer>
void restore_state(Trainer& trainer, const nanobind::dict& state) {
  take_state(state, "arcs", trainer.arcs());
  take_state(state, "labels", trainer.labels());
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
      .def("restore", &restore_state<Trainer>, "state"_a);
}

}  // namespace headwise::bind
