// headwise._native.clusters: words clustered by the company they keep. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "clusters/brown.hpp"
#include "clusters/cluster_bigrams.hpp"
#include "clusters/exchange.hpp"
#include "clusters/plain_words.hpp"
#include "clusters/windows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using namespace headwise::clusters;

class BoundBrown {
 public:
  BoundBrown(std::shared_ptr<const Bigrams> bigrams, std::size_t clusters)
      : bigrams_(std::move(bigrams)), clusters_(*bigrams_, clusters) {}

  bool add_words(std::size_t count) {
    const nb::gil_scoped_release release;
    bool more = true;
    while (count-- && (more = clusters_.add_word())) {
    }
    return more;
  }
  bool join(std::size_t count) {
    const nb::gil_scoped_release release;
    bool more = true;
    while (count-- && (more = clusters_.join())) {
    }
    return more;
  }
  // [kept, absorbed], one after the other.
  Array<std::int64_t> mergers() const {
    std::vector<std::int64_t> flat;
    for (const Merger& m : clusters_.mergers()) flat.insert(flat.end(), {m.kept, m.absorbed});
    return to_array(std::move(flat));
  }
  Array<double> losses() const {
    std::vector<double> losses;
    for (const Merger& m : clusters_.mergers()) losses.push_back(m.loss);
    return to_array(std::move(losses));
  }
  std::size_t words_done() const { return clusters_.words_done(); }
  std::size_t active() const { return clusters_.active(); }

 private:
  std::shared_ptr<const Bigrams> bigrams_;
  BrownClusters clusters_;
};

class BoundExchange {
 public:
  BoundExchange(std::shared_ptr<const Bigrams> bigrams, std::size_t clusters)
      : bigrams_(std::move(bigrams)), clusters_(*bigrams_, clusters) {}

  void begin_with(const ArrayIn<std::uint32_t>& of_words) { clusters_.begin_with(view(of_words)); }
  bool place_words(std::size_t count) {
    const nb::gil_scoped_release release;
    while (count--)
      if (clusters_.place_word()) return false;
    return true;
  }
  std::size_t moved() { return clusters_.moved(); }
  std::size_t words_done() const { return clusters_.words_done(); }
  Array<std::uint32_t> of_words() const { return to_array(clusters_.cluster_of_words()); }

 private:
  std::shared_ptr<const Bigrams> bigrams_;
  ExchangeClusters clusters_;
};

// (first, second, count), one after the other.
Array<std::int64_t> pairs_of(const Bigrams& bigrams) {
  std::vector<std::int64_t> flat;
  for (std::size_t word = 0; word < bigrams.words.size(); ++word)
    for (const auto& [other, count] : bigrams.after(word))
      flat.insert(flat.end(), {static_cast<std::int64_t>(word), std::int64_t{other}, std::int64_t{count}});
  return to_array(std::move(flat));
}

// What all that read lines of words have in common.
template <class Counter>
nb::class_<Counter> bind_counter(nb::module_& module, const char* name, const char* doc) {
  return nb::class_<Counter>(module, name, doc)
      .def("add",
           [](Counter& self, const nb::bytes& lines, char separator) {
             const std::string_view text(lines.c_str(), lines.size());
             const nb::gil_scoped_release release;
             self.add(text, separator);
           },
           "lines"_a, "separator"_a = ' ', "Lines of words.")
      .def("add_text",
           [](Counter& self, const nb::bytes& text) {
             const std::string_view given(text.c_str(), text.size());
             const nb::gil_scoped_release release;
             self.add(plain_words(given), ' ');
           },
           "text"_a, "Running text, whose words are found by a plain rule.")
      .def_prop_ro("words", [](const Counter& self) { return self.vocabulary().running(); }, "Running words so far.");
}

}  // namespace

void clusters(nb::module_ module) {
  module.def("plain_words",
             [](const nb::bytes& text) {
               const std::string words = plain_words({text.c_str(), text.size()});
               return nb::bytes(words.data(), words.size());
             },
             "text"_a, "Running text with a space between any two words, found by a plain rule.");

  nb::class_<Bigrams>(module, "Bigrams", "Words by falling frequency, and how often each follows each.")
      .def_ro("words", &Bigrams::words)
      .def_ro("counts", &Bigrams::counts)
      .def_prop_ro("total", &Bigrams::total, "The number of bigrams that were counted.")
      .def("pairs", &pairs_of, "(first, second, count), one after the other.");

  bind_counter<BigramCounter>(module, "BigramCounter", "Counts words and bigrams of lines of words.")
      .def(nb::init<bool>(), "across_lines"_a = false, "Whether the first word of a line follows the last one before.")
      .def("add_counts", [](BigramCounter& self, const BigramCounter& other) { self.add(other); }, "other"_a,
           "What another counted.")
      .def("add_table",
           [](BigramCounter& self, const std::vector<std::string>& words, const ArrayIn<std::int64_t>& counts,
              const ArrayIn<std::uint32_t>& pairs) {
             const nb::gil_scoped_release release;
             self.add(words, view(counts), view(pairs));
           },
           "words"_a, "counts"_a, "pairs"_a, "Words, how often each came, and (first, second, count) one after the other.")
      .def_prop_ro("vocabulary", [](const BigramCounter& self) { return self.vocabulary().size(); }, "Different words so far.")
      .def("bigrams",
           [](const BigramCounter& self, std::uint64_t least) {
             const nb::gil_scoped_release release;
             return std::make_shared<Bigrams>(self.bigrams(least));
           },
           "least"_a, "Without words that occur less often than this.");

  nb::class_<WindowCounts>(module, "WindowCounts", "How often words have which frequent words near them, row by row.")
      .def_ro("words", &WindowCounts::words)
      .def_ro("counts", &WindowCounts::counts)
      .def_ro("columns", &WindowCounts::columns)
      .def("rows",
           [](const WindowCounts& self) {
             return std::tuple(to_array(std::vector(self.begin)), to_array(std::vector(self.column)),
                               to_array(std::vector(self.weight)));
           },
           "Where rows begin, the columns and the numbers, as SciPy's sparse matrices have them.");

  bind_counter<WindowCounter>(module, "WindowCounter", "Counts what stands near what in lines of words.")
      .def(nb::init<>())
      .def("counts",
           [](const WindowCounter& self, std::uint64_t least, std::size_t contexts, std::size_t reach) {
             const nb::gil_scoped_release release;
             return self.counts(least, contexts, reach);
           },
           "least"_a, "contexts"_a, "reach"_a, "Of words that occur so often, near the most frequent ones.");

  nb::class_<BoundBrown>(module, "BrownClusters", "Brown's algorithm, word by word and then merger by merger.")
      .def(nb::init<std::shared_ptr<const Bigrams>, std::size_t>(), "bigrams"_a, "clusters"_a)
      .def("add_words", &BoundBrown::add_words, "count"_a, "Bring in more words; False when all are in.")
      .def("join", &BoundBrown::join, "count"_a, "After all words, merge what is left; False when there is one.")
      .def_prop_ro("words_done", &BoundBrown::words_done)
      .def_prop_ro("active", &BoundBrown::active, "Clusters that are there now.")
      .def("mergers", &BoundBrown::mergers, "(kept, absorbed), one after the other.")
      .def("losses", &BoundBrown::losses, "The information that each merger lost, in bits of all bigrams together.");

  nb::class_<BoundExchange>(module, "ExchangeClusters", "Words go, one after the other, where they gain most.")
      .def(nb::init<std::shared_ptr<const Bigrams>, std::size_t>(), "bigrams"_a, "clusters"_a)
      .def("begin_with", &BoundExchange::begin_with, "of_words"_a,
           "Before the first sweep: clusters of all words that were found elsewhere; none may be empty.")
      .def("place_words", &BoundExchange::place_words, "count"_a, "More words find a place; False at the end of a sweep.")
      .def("moved", &BoundExchange::moved, "Words that have moved since this was last asked.")
      .def_prop_ro("words_done", &BoundExchange::words_done, "In this sweep.")
      .def("of_words", &BoundExchange::of_words, "The cluster of every word, numbered by most frequent words.");
  module.def(
      "cluster_bigrams",
      [](const Bigrams& bigrams, const ArrayIn<std::uint32_t>& of_words) {
        const nb::gil_scoped_release release;
        return std::make_shared<Bigrams>(cluster_bigrams(bigrams, view(of_words)));
      },
      "bigrams"_a, "of_words"_a, "Clusters as words: which stand beside which. Numbered by their most frequent words.");

  hidden_markov_clusters(module);
}

}  // namespace headwise::bind
