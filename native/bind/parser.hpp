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
struct BatchWishes {
  template <class T>
  using Lists = std::vector<std::optional<ArrayIn<T>>>;
  Lists<std::uint8_t> allowed;
  Lists<int> labels;
  Lists<double> arc_scores, label_scores;

  // Valid as long as the arrays are.
  std::vector<Wishes> of(const Sentences& sentences, int label_count) const {
    std::vector<Wishes> wishes;
    const auto each = [&](const auto& list, const char* name, auto take) {
      if (list.empty()) return;
      if (list.size() != sentences.size()) throw std::invalid_argument(std::string(name) + ": one entry a sentence");
      wishes.resize(sentences.size());
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i]) take(wishes[i]) = view(*list[i]);
    };
    each(allowed, "allowed", [](Wishes& own) -> auto& { return own.allowed; });
    each(labels, "labels", [](Wishes& own) -> auto& { return own.labels; });
    each(arc_scores, "arc_scores", [](Wishes& own) -> auto& { return own.scores.arcs; });
    each(label_scores, "label_scores", [](Wishes& own) -> auto& { return own.scores.labels; });
    for (Wishes& own : wishes) own.scores.label_count = label_count;
    return wishes;
  }
};

inline std::vector<Wishes> wishes_of(const BatchWishes* wishes, const Sentences& sentences, const ParserModel& model) {
  return wishes ? wishes->of(sentences, model.shape().labels.count) : std::vector<Wishes>{};
}

}  // namespace headwise::bind
