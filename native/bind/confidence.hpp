// Bindings of how sure a parser is.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/parser.hpp"
#include "confidence/batch.hpp"

namespace headwise::bind {

inline Adjustment adjustment_of(const std::vector<double>& numbers) {
  if (numbers.size() != 4)
    throw std::invalid_argument("adjustment takes 4 numbers: intercept, slope, context, context_slope");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

inline void bind_confidence(nanobind::class_<ParserModel>& parser) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using Numbers = std::vector<double>;
  parser
      .def("judge",
           [](const ParserModel& self, const Sentences& sentences, const std::optional<ArrayIn<int>>& heads,
              const std::optional<ArrayIn<int>>& labels, double temperature, double label_temperature,
              double background, const Numbers& adjustment, double label_background, int threads,
              const BatchConditions* conditions) {
             const ConfidenceScale scale{temperature, label_temperature, background, label_background,
                                         adjustment_of(adjustment)};
             const auto given_in = [](const std::optional<ArrayIn<int>>& array) {
               return array ? view(*array) : std::span<const int>{};
             };
             Judgements all = released(judge_batch, self, sentences, GivenTrees{given_in(heads), given_in(labels)}, scale,
                                       threads, conditions_of(conditions, sentences, self));
             return std::tuple(to_array(std::move(all.heads)), to_array(std::move(all.labels)),
                               to_array(std::move(all.scores)), to_array(std::move(all.arcs)),
                               to_array(std::move(all.label_probabilities)), to_array(std::move(all.entropies)),
                               to_array(std::move(all.log_probabilities)), to_array(std::move(all.limited)));
           },
           "sentences"_a, "heads"_a.none() = nb::none(), "labels"_a.none() = nb::none(), nb::kw_only(), "temperature"_a,
           "label_temperature"_a, "background"_a, "adjustment"_a, "label_background"_a = 0.0, "threads"_a = 1,
           "conditions"_a.none() = nb::none(), "Parses, or the trees given, with the probabilities of their arcs and labels.")
      .def("arc_probabilities",
           [](const ParserModel& self, const Sentences& sentences, double temperature, double background,
              const Numbers& adjustment, int threads, const BatchConditions* conditions) {
             const ConfidenceScale scale{temperature, 1.0, background, 0.0, adjustment_of(adjustment)};
             return to_array(released(arc_probabilities_batch, self, sentences, scale, threads,
                                      conditions_of(conditions, sentences, self)));
           },
           "sentences"_a, nb::kw_only(), "temperature"_a, "background"_a, "adjustment"_a, "threads"_a = 1,
           "conditions"_a.none() = nb::none(),
           "The probability of every arc, [h * (n + 1) + m], one sentence after the other.")
      .def("probabilities_at",
           [](const ParserModel& self, const Sentences& sentences, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
              const Numbers& temperatures, const Numbers& label_temperatures, int threads) {
             FittingTable table = released(probabilities_at, self, sentences, GivenTrees{view(heads), view(labels)},
                                           temperatures, label_temperatures, threads);
             return std::tuple(to_array(std::move(table.arcs)), to_array(std::move(table.labels)),
                               to_array(std::move(table.background)));
           },
           "sentences"_a, "heads"_a, "labels"_a, nb::kw_only(), "temperatures"_a,
           "label_temperatures"_a, "threads"_a = 1,
           "Arcs and labels of given trees at several temperatures, and the arcs under the background.");
}

}  // namespace headwise::bind
