// Probabilities for batches of sentences: flat arrays in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "base/index.hpp"
#include "bind/arrays.hpp"
#include "bind/batches.hpp"
#include "bind/parser.hpp"
#include "confidence/judge.hpp"

namespace headwise::bind {

// Heads, labels and scores of trees; the probability of each arc, of each label, the entropy of each head; the
// log-probability of each tree; whether a limit decided.
using Judgements = std::tuple<Array<int>, Array<int>, Array<double>, Array<double>, Array<double>, Array<double>,
                              Array<double>, Array<std::uint8_t>>;

// Trees of a batch laid end to end, checked to belong to the sentences.
class GivenWords {
 public:
  GivenWords(const std::optional<ArrayIn<int>>& values, const std::vector<std::size_t>& begin, const char* name,
             const Sentences& sentences, int least) {
    if (!values) return;
    given_ = view(*values);
    if (given_.size() != begin.back())
      throw std::invalid_argument(std::string(name) + " must have one entry for each of the " +
                                  std::to_string(begin.back()) + " words");
    for (std::size_t i = 0; i < sentences.size(); ++i)
      for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
        if (given_[k] < least || (least == 0 && given_[k] > sentences[i]->size()))
          throw std::invalid_argument(std::string(name) + ": " + std::to_string(given_[k]) + " is out of range");
  }
  explicit operator bool() const { return !given_.empty(); }
  std::span<const int> of(std::size_t begin, std::size_t end) const { return given_.subspan(begin, end - begin); }

 private:
  std::span<const int> given_;
};

// Probabilities are sums over all trees of the whole sentence, in tables of n² numbers.
inline constexpr int longest_judged = 2 * longest_whole;
inline void check_lengths(const Sentences& sentences) {
  for (const Sentence* s : sentences)
    if (s->size() > longest_judged)
      throw std::invalid_argument(*s->source().file + ":" + std::to_string(s->source().line) + ": a sentence of " +
                                  std::to_string(s->size()) + " words is too long for probabilities (" +
                                  std::to_string(longest_judged) + " at most); split it");
}

// answer(judge, i) for each sentence, once the judge has read it. Each thread has a judge of its own.
template <class Answer>
void for_each_judged(const BoundParser& parser, const Sentences& sentences, int threads, const BatchWishes& wishes,
                     Answer answer) {
  check_lengths(sentences);
  const int label_count = parser.shape().labels.count;
  wishes.check(sentences, label_count);
  const nanobind::gil_scoped_release release;
  struct Scratch {
    Atoms atoms;
    std::optional<Judge> judge;
    const Sentence* read = nullptr;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
  parallel_for(sentences.size(), threads, [&](std::size_t i, int thread) {
    Scratch& mine = scratch[at(thread)];
    if (!mine.judge) {
      mine.judge.emplace(parser.shape(), parser.tables());
      mine.atoms = Atoms(parser.shape().words);
    }
    if (mine.read != sentences[i] || wishes.any(i)) {  // several trees of one sentence stand together
      mine.atoms.assign(*sentences[i]);
      mine.judge->read(mine.atoms, wishes.of(i, label_count));
      mine.read = wishes.any(i) ? nullptr : sentences[i];  // under other wishes it is another problem
    }
    answer(*mine.judge, i);
  });
}

// The parses of the sentences, or the trees given (with labels given, or found for these trees), judged.
inline Judgements judge_batch(const BoundParser& parser, const Sentences& sentences,
                              const std::optional<ArrayIn<int>>& heads, const std::optional<ArrayIn<int>>& labels,
                              const ConfidenceScale& scale, int threads, const BatchWishes& wishes) {
  const std::vector<std::size_t> begin = word_offsets(sentences);
  const GivenWords given_heads(heads, begin, "heads", sentences, 0), given_labels(labels, begin, "labels", sentences, -1);
  if (given_labels && !given_heads) throw std::invalid_argument("labels are judged together with heads");
  std::vector<int> all_heads(begin.back()), all_labels(begin.back());
  std::vector<double> arcs(begin.back()), label_probabilities(begin.back()), entropies(begin.back());
  std::vector<double> scores(sentences.size()), log_probabilities(sentences.size());
  std::vector<std::uint8_t> limited(sentences.size());
  for_each_judged(parser, sentences, threads, wishes, [&](Judge& judge, std::size_t i) {
    thread_local ParseResult tree;
    thread_local TreeConfidence confidence;
    tree = judge.result();
    if (given_heads) {
      const auto own = given_heads.of(begin[i], begin[i + 1]);
      tree.heads.assign(own.begin(), own.end());
      if (given_labels) {
        const auto own_labels = given_labels.of(begin[i], begin[i + 1]);
        tree.labels.assign(own_labels.begin(), own_labels.end());
      } else {
        judge.find_labels(tree.heads, tree.labels);
      }
      tree.score = judge.score(tree.heads);
    }
    judge.judge(tree.heads, tree.labels, scale, confidence);
    const auto at = static_cast<std::ptrdiff_t>(begin[i]);
    std::copy(tree.heads.begin(), tree.heads.end(), all_heads.begin() + at);
    std::copy(tree.labels.begin(), tree.labels.end(), all_labels.begin() + at);
    std::copy(confidence.arcs.begin(), confidence.arcs.end(), arcs.begin() + at);
    std::copy(confidence.labels.begin(), confidence.labels.end(), label_probabilities.begin() + at);
    std::copy(confidence.entropies.begin(), confidence.entropies.end(), entropies.begin() + at);
    scores[i] = tree.score;
    log_probabilities[i] = confidence.log_probability;
    limited[i] = tree.limited;
  });
  return {to_array(std::move(all_heads)), to_array(std::move(all_labels)), to_array(std::move(scores)),
          to_array(std::move(arcs)), to_array(std::move(label_probabilities)), to_array(std::move(entropies)),
          to_array(std::move(log_probabilities)), to_array(std::move(limited))};
}

// The probabilities of all arcs, [h * (n + 1) + m] for one sentence after the other.
inline Array<double> arc_probabilities_batch(const BoundParser& parser, const Sentences& sentences,
                                             const ConfidenceScale& scale, int threads, const BatchWishes& wishes) {
  check_lengths(sentences);
  std::vector<std::size_t> begin(1, 0);
  for (const Sentence* s : sentences) {
    const auto nodes = static_cast<std::size_t>(s->size()) + 1;
    begin.push_back(begin.back() + nodes * nodes);
  }
  std::vector<double> all(begin.back());
  for_each_judged(parser, sentences, threads, wishes, [&](Judge& judge, std::size_t i) {
    const std::vector<double>& table = judge.arc_probabilities(scale);
    std::copy(table.begin(), table.end(), all.begin() + static_cast<std::ptrdiff_t>(begin[i]));
  });
  return to_array(std::move(all));
}

// For fitting a scale: probabilities of the arcs and labels of given trees at several temperatures, one row a
// temperature, and the background's probabilities of these arcs. Arcs are those of the scores alone.
using FittingTable = std::tuple<Array<double>, Array<double>, Array<double>>;

inline FittingTable probabilities_at(const BoundParser& parser, const Sentences& sentences, const ArrayIn<int>& heads,
                                     const ArrayIn<int>& labels, const std::vector<double>& temperatures,
                                     const std::vector<double>& label_temperatures, int threads) {
  const std::vector<std::size_t> begin = word_offsets(sentences);
  const GivenWords given(heads, begin, "heads", sentences, 0), given_labels(labels, begin, "labels", sentences, -1);
  const std::size_t words = begin.back();
  std::vector<double> arcs(temperatures.size() * words), label_rows(label_temperatures.size() * words), coarse(words);
  for_each_judged(parser, sentences, threads, {}, [&](Judge& judge, std::size_t i) {
    thread_local std::vector<double> table;
    const auto tree = given.of(begin[i], begin[i + 1]);
    const std::size_t nodes = tree.size() + 1;
    const auto pick = [&](const std::vector<double>& from, double* into) {
      for (std::size_t m = 1; m < nodes; ++m) into[m - 1] = from[at(tree[m - 1]) * nodes + m];
    };
    pick(judge.background_probabilities(), coarse.data() + begin[i]);
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      judge.sum(temperatures[t], table);
      pick(table, arcs.data() + t * words + begin[i]);
    }
    for (std::size_t t = 0; t < label_temperatures.size(); ++t) {
      judge.label_probabilities(tree, given_labels.of(begin[i], begin[i + 1]), label_temperatures[t], table);
      std::copy(table.begin(), table.end(), label_rows.begin() + static_cast<std::ptrdiff_t>(t * words + begin[i]));
    }
  });
  return {to_array(std::move(arcs)), to_array(std::move(label_rows)), to_array(std::move(coarse))};
}

inline Adjustment adjustment_of(const std::vector<double>& numbers) {
  if (numbers.size() != 4)
    throw std::invalid_argument("adjustment takes 4 numbers: intercept, slope, context, context_slope");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

// The three of them as methods of a bound parser.
inline void bind_confidence(nanobind::class_<BoundParser>& parser) {
  namespace nb = nanobind;
  using namespace nb::literals;
  using Numbers = std::vector<double>;
  parser
      .def("judge",
           [](const BoundParser& self, const Sentences& sentences, const std::optional<ArrayIn<int>>& heads,
              const std::optional<ArrayIn<int>>& labels, double temperature, double label_temperature,
              double background, const Numbers& adjustment, double label_background, int threads,
              const BatchWishes* wishes) {
             const ConfidenceScale scale{temperature, label_temperature, background, label_background,
                                         adjustment_of(adjustment)};
             return judge_batch(self, sentences, heads, labels, scale, threads, wishes ? *wishes : BatchWishes{});
           },
           "sentences"_a, "heads"_a.none() = nb::none(), "labels"_a.none() = nb::none(), nb::kw_only(), "temperature"_a,
           "label_temperature"_a, "background"_a, "adjustment"_a, "label_background"_a = 0.0, "threads"_a = 1,
           "wishes"_a.none() = nb::none(), "Parses, or the trees given, with the probabilities of their arcs and labels.")
      .def("arc_probabilities",
           [](const BoundParser& self, const Sentences& sentences, double temperature, double background,
              const Numbers& adjustment, int threads, const BatchWishes* wishes) {
             const ConfidenceScale scale{temperature, 1.0, background, 0.0, adjustment_of(adjustment)};
             return arc_probabilities_batch(self, sentences, scale, threads, wishes ? *wishes : BatchWishes{});
           },
           "sentences"_a, nb::kw_only(), "temperature"_a, "background"_a, "adjustment"_a, "threads"_a = 1,
           "wishes"_a.none() = nb::none(),
           "The probability of every arc, [h * (n + 1) + m], one sentence after the other.")
      .def("probabilities_at", &probabilities_at, "sentences"_a, "heads"_a, "labels"_a, nb::kw_only(), "temperatures"_a,
           "label_temperatures"_a, "threads"_a = 1,
           "Arcs and labels of given trees at several temperatures, and the arcs under the background.");
}

}  // namespace headwise::bind
