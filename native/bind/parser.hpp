// What Python gives a parser and takes from it.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "parsing/batch.hpp"
#include "treebank/sentence.hpp"

namespace headwise::bind {

using Sentences = std::vector<const Sentence*>;

// A function of the core, called while other threads of Python go on.
template <class Function, class... Arguments>
auto released(Function function, const Arguments&... arguments) {
  const nanobind::gil_scoped_release release;
  return function(arguments...);
}

// What a caller wants of each sentence of a batch; an empty list wants nothing of any, and None nothing of one.
struct BatchConditions {
  template <class T>
  using Lists = std::vector<std::optional<ArrayIn<T>>>;
  Lists<std::uint8_t> allowed;
  Lists<int> labels;
  Lists<double> arc_scores, label_scores;

  // Valid as long as the arrays are.
  std::vector<Conditions> of(const Sentences& sentences, int label_count) const {
    std::vector<Conditions> conditions;
    const auto each = [&](const auto& list, const char* name, auto take) {
      if (list.empty()) return;
      if (list.size() != sentences.size()) throw std::invalid_argument(std::string(name) + ": one entry a sentence");
      conditions.resize(sentences.size());
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i]) take(conditions[i]) = view(*list[i]);
    };
    each(allowed, "allowed", [](Conditions& own) -> auto& { return own.allowed; });
    each(labels, "labels", [](Conditions& own) -> auto& { return own.labels; });
    each(arc_scores, "arc_scores", [](Conditions& own) -> auto& { return own.scores.arcs; });
    each(label_scores, "label_scores", [](Conditions& own) -> auto& { return own.scores.labels; });
    for (Conditions& own : conditions) own.scores.label_count = label_count;
    return conditions;
  }
};

inline std::vector<Conditions> conditions_of(const BatchConditions* conditions, const Sentences& sentences, const ParserModel& model) {
  return conditions ? conditions->of(sentences, model.shape().labels.count) : std::vector<Conditions>{};
}

}  // namespace headwise::bind
