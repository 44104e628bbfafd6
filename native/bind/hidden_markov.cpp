// headwise._native.clusters: hidden Markov models of lines of words. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "clusters/best_states.hpp"
#include "clusters/expectation.hpp"
#include "clusters/plain_words.hpp"
#include "clusters/split_merge.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using namespace headwise::clusters;
using Model = HiddenMarkovModel;

// Rows as they are stored, without the zeros at their ends; and back.
Array<float> without_padding(const Floats& rows, std::size_t count, std::size_t columns, std::size_t width) {
  std::vector<float> flat;
  flat.reserve(count * columns);
  for (std::size_t r = 0; r < count; ++r) flat.insert(flat.end(), rows.data() + r * width, rows.data() + r * width + columns);
  return to_array(std::move(flat));
}
void fill(Floats& rows, std::size_t count, std::size_t columns, std::size_t width, const ArrayIn<float>& from, const char* name) {
  if (from.size() != count * columns) throw std::invalid_argument(std::string(name) + " has the wrong size");
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!(from.data()[i] >= 0 && from.data()[i] <= 1)) throw std::invalid_argument(std::string(name) + " has numbers that are no probabilities");
    rows[i / columns * width + i % columns] = from.data()[i];
  }
}

std::shared_ptr<Model> make_model(std::size_t states, std::size_t words, const ArrayIn<float>& start, const ArrayIn<float>& stop,
                                  const ArrayIn<float>& transitions, const ArrayIn<float>& emissions,
                                  const ArrayIn<double>& mass) {
  auto model = std::make_shared<Model>(states, words);
  fill(model->start, 1, states, model->width, start, "start");
  fill(model->stop, 1, states, model->width, stop, "stop");
  fill(model->transitions, states, states, model->width, transitions, "transitions");
  fill(model->emissions, words, states, model->width, emissions, "emissions");
  if (mass.size() != states) throw std::invalid_argument("mass has the wrong size");
  model->mass.assign(mass.data(), mass.data() + mass.size());
  return model;
}

std::vector<std::uint32_t> checked_line(const Model& model, const ArrayIn<std::uint32_t>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.data()[i] >= model.words) throw std::invalid_argument("there is no word of that number");
  return {words.data(), words.data() + words.size()};
}

Array<float> posteriors(const Model& model, const ArrayIn<std::uint32_t>& words) {
  const std::vector<std::uint32_t> line = checked_line(model, words);
  std::vector<float> result;
  if (!line.empty()) {
    const nb::gil_scoped_release release;
    const PreparedModel prepared(model);
    LineBlock block;
    const LineBlock::Line lines[] = {line};
    block.run(prepared, lines);
    for (std::size_t t = 0; t < line.size(); ++t) {
      const float* row = block.posterior(block.row_of(0, t));
      result.insert(result.end(), row, row + model.states);
    }
  }
  return to_array(std::move(result));
}

// Keeps what it works on.
class BoundExpectation {
 public:
  BoundExpectation(std::shared_ptr<const Model> model, std::shared_ptr<const WordLines> lines, int threads, bool merge_losses)
      : model_(std::move(model)),
        lines_(std::move(lines)),
        step_(*model_, *lines_, threads, merge_losses ? Wanted::merge_losses : Wanted::counts) {}

  bool advance() {
    if (done_) return false;
    const nb::gil_scoped_release release;
    done_ = !step_.advance();
    return !done_;
  }
  double progress() const { return step_.progress(); }
  double log_likelihood() const { return finished().log_likelihood(); }
  std::shared_ptr<Model> most_likely(double smoothing) const {
    const StateCounts& counts = finished().counts();
    if (!counts.words) throw std::invalid_argument("counts were not asked for");
    const nb::gil_scoped_release release;
    return std::make_shared<Model>(most_likely_model(counts, smoothing));
  }
  // Of equally frequent states the first.
  Array<std::int32_t> state_of_words() const {
    const StateCounts& counts = finished().counts();
    std::vector<std::int32_t> states;
    for (std::size_t w = 0; w < counts.words; ++w) {
      const double* row = counts.emissions.data() + w * counts.states;
      states.push_back(static_cast<std::int32_t>(std::max_element(row, row + counts.states) - row));
    }
    return to_array(std::move(states));
  }
  Array<double> merge_losses() const { return to_array(std::vector<double>(finished().merge_losses())); }

 private:
  const ExpectationStep& finished() const {
    if (!done_) throw std::logic_error("the step is not done yet");
    return step_;
  }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const WordLines> lines_;
  ExpectationStep step_;
  bool done_ = false;
};

}  // namespace

void hidden_markov_clusters(nb::module_ module) {
  nb::class_<WordLines>(module, "WordLines", "A text as lines of numbers of words.")
      .def_ro("words", &WordLines::words, "By falling frequency.")
      .def_ro("counts", &WordLines::counts, "Of these words, and then of all that are too rare, which are one.")
      .def_prop_ro("lines", &WordLines::lines)
      .def_prop_ro("running", [](const WordLines& self) { return self.running.size(); }, "Running words.")
      .def("numbers",
           [](const WordLines& self) {
             return to_array(std::vector<std::int32_t>(self.running.begin(), self.running.end()));
           },
           "The text: numbers of words, and len(words) for one that is too rare.")
      .def("begins",
           [](const WordLines& self) {
             return to_array(std::vector<std::int64_t>(self.begin.begin(), self.begin.end()));
           },
           "Where each line begins in it, and where the last ends.");

  nb::class_<WordLineCollector>(module, "WordLineCollector", "Collects lines of words.")
      .def(nb::init<>())
      .def("add",
           [](WordLineCollector& self, const nb::bytes& lines, char separator) {
             const std::string_view text(lines.c_str(), lines.size());
             const nb::gil_scoped_release release;
             self.add(text, separator);
           },
           "lines"_a, "separator"_a = ' ')
      .def("add_text",
           [](WordLineCollector& self, const nb::bytes& text) {
             const std::string_view given(text.c_str(), text.size());
             const nb::gil_scoped_release release;
             self.add(plain_words(given), ' ');
           },
           "text"_a, "Running text, whose words are found by a plain rule.")
      .def_prop_ro("words", [](const WordLineCollector& self) { return self.vocabulary().running(); }, "Running words so far.")
      .def_prop_ro("vocabulary", [](const WordLineCollector& self) { return self.vocabulary().size(); }, "Different words so far.")
      .def("lines",
           [](const WordLineCollector& self, std::uint64_t least) {
             const nb::gil_scoped_release release;
             return std::make_shared<WordLines>(self.lines(least));
           },
           "least"_a, "Words that occur less often than this are one.");

  nb::class_<Model>(module, "HiddenMarkovModel", "Probabilities of states and words. It does not change.")
      .def_static("of_arrays", &make_model, "states"_a, "words"_a, "start"_a, "stop"_a, "transitions"_a, "emissions"_a, "mass"_a)
      .def_static("of_groups",
                  [](const WordLines& lines, const ArrayIn<std::int32_t>& groups, std::size_t count, double spread, double smoothing) {
                    const nb::gil_scoped_release release;
                    return std::make_shared<Model>(model_of_groups(lines, view(groups), count, spread, smoothing));
                  },
                  "lines"_a, "groups"_a, "count"_a, "spread"_a, "smoothing"_a,
                  "As if every word were in the state of its group (−1: in all), but for a share that is spread evenly.")
      .def_ro("states", &Model::states)
      .def_ro("words", &Model::words, "With the word for all that are too rare.")
      .def_prop_ro("start", [](const Model& m) { return without_padding(m.start, 1, m.states, m.width); }, nb::rv_policy::move)
      .def_prop_ro("stop", [](const Model& m) { return without_padding(m.stop, 1, m.states, m.width); }, nb::rv_policy::move)
      .def_prop_ro("transitions", [](const Model& m) { return without_padding(m.transitions, m.states, m.states, m.width); },
                   nb::rv_policy::move, "From × to.")
      .def_prop_ro("emissions", [](const Model& m) { return without_padding(m.emissions, m.words, m.states, m.width); },
                   nb::rv_policy::move, "Words × states.")
      .def_prop_ro("mass", [](const Model& m) { return to_array(std::vector<double>(m.mass)); },
                   nb::rv_policy::move, "How often each state is expected in the text that the model was learned from.")
      .def("split",
           [](const Model& self, double noise, std::uint64_t seed) {
             const nb::gil_scoped_release release;
             return std::make_shared<Model>(split_states(self, noise, seed));
           },
           "noise"_a, "seed"_a, "State s becomes 2 s and 2 s + 1.")
      .def("merged",
           [](const Model& self, const ArrayIn<std::int32_t>& target, std::size_t states) {
             const nb::gil_scoped_release release;
             return std::make_shared<Model>(merge_states(self, view(target), states));
           },
           "target"_a, "states"_a, "Each state becomes, or becomes a part of, that of the number given.")
      .def("posteriors", &posteriors, "line"_a, "Words × states.")
      .def("best_states",
           [](const Model& self, const ArrayIn<std::uint32_t>& line) { return to_array(best_states(self, checked_line(self, line))); },
           "line"_a, "The most probable sequence of states.");

  nb::class_<BoundExpectation>(module, "ExpectationStep", "What is expected in a text under a model.")
      .def(nb::init<std::shared_ptr<const Model>, std::shared_ptr<const WordLines>, int, bool>(), "model"_a, "lines"_a,
           "threads"_a = 1, "merge_losses"_a = false)
      .def("advance", &BoundExpectation::advance, "Some lines more; False when all are done.")
      .def_prop_ro("progress", &BoundExpectation::progress, "Between 0 and 1.")
      .def_prop_ro("log_likelihood", &BoundExpectation::log_likelihood, "Of the text under the model, in nats.")
      .def("most_likely", &BoundExpectation::most_likely, "smoothing"_a, "The model that the expected counts make.")
      .def("state_of_words", &BoundExpectation::state_of_words, "The state that each word is most often expected in.")
      .def("merge_losses", &BoundExpectation::merge_losses,
           "What merging states 2 k and 2 k + 1 would lose, roughly and in nats.");
}

}  // namespace headwise::bind
