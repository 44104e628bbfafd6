// Bindings of the rules that labels of a tree obey together.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "bind/modules.hpp"
#include "scoring/label_rules.hpp"
#include "treebank/sentence.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Numbers = std::vector<int>;
using Options = std::vector<std::vector<std::pair<int, double>>>;

RuledWords words_of(const LabelRules& rules, const Sentence& sentence) {
  Atoms atoms;
  atoms.assign(sentence);
  RuledWords words;
  rules.read(atoms, words);
  return words;
}

void check_labels(const LabelRules& rules, const Sentence& sentence, const Numbers& labels) {
  if (labels.size() != static_cast<std::size_t>(sentence.size())) throw std::invalid_argument("one label a word");
  for (const int label : labels)
    if (label < -1 || label >= rules.label_count()) throw std::invalid_argument("labels: a number is out of range");
}

// Of the tree that the sentence has.
Numbers count_broken(const LabelRules& rules, const Sentence& sentence, const Numbers& labels) {
  check_labels(rules, sentence, labels);
  Numbers counts(static_cast<std::size_t>(rules.rule_count()) + 1, 0);
  rules.count_broken(words_of(rules, sentence), sentence.heads(), labels, counts);
  return {counts.begin() + 1, counts.end()};
}

Numbers choose(const LabelRules& rules, const Sentence& sentence, const Options& options) {
  if (options.size() != static_cast<std::size_t>(sentence.size())) throw std::invalid_argument("options for every word");
  for (const int head : sentence.heads())
    if (head < 0 || head > sentence.size()) throw std::invalid_argument("the sentence has no tree");
  std::vector<std::vector<LabelChoice>> choices;
  for (const auto& own : options) {
    if (own.empty()) throw std::invalid_argument("a word has no options");
    choices.emplace_back();
    for (const auto& [label, score] : own) {
      if (label < 0 || label >= rules.label_count()) throw std::invalid_argument("labels: a number is out of range");
      choices.back().push_back({label, score});
    }
  }
  Numbers labels(choices.size(), -1);
  rules.choose(words_of(rules, sentence), sentence.heads(), choices, labels);
  return labels;
}

}  // namespace

void label_rules(nb::module_ module) {
  nb::class_<LabelRules>(module, "LabelRules", "Rules that the labels of a tree obey together, as tables.")
      .def("__init__",
           [](LabelRules* self, int label_count, int rule_count, const std::vector<std::string>& tags,
              const Numbers& by_tag, const Numbers& by_parent, const Numbers& excuses, const Numbers& head_on_left,
              const Numbers& kinds, const Numbers& nominal, int one_subject, int one_object, int no_oblique,
              int goeswith, int leaf_tag) {
             new (self) LabelRules({tags, by_tag, by_parent, excuses, head_on_left, kinds, nominal, one_subject, one_object,
                                    no_oblique, goeswith, leaf_tag, rule_count},
                                   label_count);
           },
           nb::kw_only(), "label_count"_a, "rule_count"_a, "tags"_a, "by_tag"_a, "by_parent"_a, "excuses"_a,
           "head_on_left"_a, "kinds"_a, "nominal"_a, "one_subject"_a, "one_object"_a, "no_oblique"_a, "goeswith"_a,
           "leaf_tag"_a)
      .def("count_broken", &count_broken, "sentence"_a, "labels"_a,
           "How often labels of the sentence's tree break each rule; −1 is no label.")
      .def("choose", &choose, "sentence"_a, "options"_a,
           "The best labels of its tree that break the fewest rules, from labels and scores of each word.");
}

}  // namespace headwise::bind
