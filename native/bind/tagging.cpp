// headwise._native.tagging: sequence models, their trainer, the tagger. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/parser.hpp"
#include "bind/weights.hpp"
#include "tagging/batch.hpp"
#include "tagging/sequence_trainer.hpp"
#include "tagging/tagger.hpp"
#include "base/index.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

SequenceTrainer::Learner learner_of(const std::string& name, double rate, double decay) {
  if (name == "perceptron") return Margins::perceptron();
  if (name == "mira") return Margins::mira(rate);
  if (name == "log-linear") return SequenceLogLinear{rate, decay};
  throw std::invalid_argument("no learner of sequences is called '" + name + "' (use perceptron, mira or log-linear)");
}

void add_example(SequenceTrainer& trainer, const Sentence& sentence, const std::vector<std::vector<int>>& candidates,
                 const std::vector<int>& gold, const std::vector<float>& forgetting) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (candidates.size() != n || gold.size() != n || forgetting.size() != n)
    throw std::invalid_argument("candidates, gold and forgetting: one entry a word");
  SequenceExample example;
  example.atoms = Atoms(trainer.shape().words);
  example.forgetting = forgetting;
  example.atoms.assign(sentence);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& word = candidates[i];
    const auto found = std::find(word.begin(), word.end(), gold[i]);
    if (found == word.end()) throw std::invalid_argument("gold: not among the candidates");
    for (const int label : word)
      if (label < 0 || label >= trainer.shape().templates.labels()) throw std::invalid_argument("candidates: out of range");
    example.candidates.add(word);
    example.gold.push_back(static_cast<int>(found - word.begin()));
  }
  trainer.add(std::move(example));
}

std::tuple<double, Array<std::uint32_t>, Array<double>> gradient(SequenceTrainer& trainer, std::size_t example) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  const double loss = trainer.gradient(example, [&](std::uint32_t f, double value) {
    indices.push_back(f);
    values.push_back(value);
  });
  return {loss, to_array(std::move(indices)), to_array(std::move(values))};
}

SequenceModel make_model(const SequenceShape& shape, const Lexicon& lexicon, const ArrayIn<float>& weights) {
  if (weights.size() != std::size_t{shape.mask} + 1) throw std::invalid_argument("weights: wrong table size");
  return {shape, lexicon, LargeTable<float>(weights.data(), weights.data() + weights.size())};
}

Column column_of(const std::string& name) {
  if (name == "upos") return Column::upos;
  if (name == "xpos") return Column::xpos;
  if (name == "feats") return Column::feats;
  throw std::invalid_argument("no column of tags is called '" + name + "'");
}

using ScoredLabels = std::vector<std::pair<std::vector<int>, double>>;

ScoredLabels scored_labels(std::vector<RankedSequence>&& ranked) {
  ScoredLabels labels;
  for (RankedSequence& sequence : ranked) labels.emplace_back(std::move(sequence.labels), sequence.score);
  return labels;
}

std::vector<ScoredLabels> detours(const Tagger& tagger, const Sentences& sentences, double margin, int most,
                                  int threads) {
  std::vector<ScoredLabels> found;
  for (auto& ranked : released(find_detours, tagger, sentences, margin, most, threads))
    found.push_back(scored_labels(std::move(ranked)));
  return found;
}

// The scored lattice of one sentence, for the operations that are asked of single sentences.
struct Lattice {
  Lattice(const Tagger& tagger, const Sentence& sentence) : choices(tagger), scorer(tagger.tags().shape) {
    tagger.find_choices(sentence, choices);
    scorer.assign(choices.atoms, choices.candidates);
    scored = &scorer.score(0, sentence.size(), tagger.tags().weights.data());
  }
  Tagger::Choices choices;
  SequenceScorer scorer;
  const ChainLattice* scored;
};

std::vector<std::pair<std::vector<int>, double>> top_k(const Tagger& tagger, const Sentence& sentence, int k) {
  const Lattice lattice(tagger, sentence);
  std::vector<std::pair<std::vector<int>, double>> sequences;
  for (const RankedSequence& ranked : k_best_sequences(*lattice.scored, k)) {
    std::vector<int> labels;
    for (int i = 0; i < sentence.size(); ++i)
      labels.push_back(lattice.scorer.label(i, ranked.labels[at(i)]));
    sequences.emplace_back(std::move(labels), ranked.score);
  }
  return sequences;
}

std::vector<std::vector<std::pair<int, double>>> marginals(const Tagger& tagger, const Sentence& sentence) {
  const Lattice lattice(tagger, sentence);
  ChainSums sums;
  sums.solve(*lattice.scored);
  std::vector<std::vector<std::pair<int, double>>> words;
  for (int i = 0; i < sentence.size(); ++i) {
    auto& word = words.emplace_back();
    for (int t = 0; t < lattice.scored->width(i); ++t) {
      double mass = 0;
      for (int u = 0; u < lattice.scored->width(i - 1); ++u) mass += sums.state(*lattice.scored, i, u, t);
      word.emplace_back(lattice.scorer.label(i, t), mass);
    }
  }
  return words;
}

// The candidates of each word, and the scores of all edges as `viterbi` takes them.
std::pair<std::vector<std::vector<int>>, Array<double>> scored_lattice(const Tagger& tagger, const Sentence& sentence) {
  const Lattice lattice(tagger, sentence);
  std::vector<std::vector<int>> labels;
  for (int i = 0; i < sentence.size(); ++i) {
    const auto word = lattice.choices.candidates.of(i);
    labels.emplace_back(word.begin(), word.end());
  }
  ChainLattice copy = *lattice.scored;
  return {std::move(labels), to_array(std::vector<double>(copy.scores().begin(), copy.scores().end()))};
}

// A lattice from plain numbers: the same algorithms without features, words and weights.
ChainLattice plain_lattice(const std::vector<int>& widths, const ArrayIn<double>& scores) {
  for (const int width : widths)
    if (width < 1) throw std::invalid_argument("widths: every word needs a candidate");
  ChainLattice lattice;
  lattice.assign(widths);
  if (scores.size() != lattice.scores().size()) throw std::invalid_argument("scores: one number an edge");
  std::copy(scores.data(), scores.data() + scores.size(), lattice.scores().begin());
  return lattice;
}

void bind_lexicon(nb::module_& module) {
  const auto signed_key = [](std::uint64_t key) { return static_cast<std::int64_t>(key); };
  nb::class_<Lexicon>(module, "Lexicon", "Which labels a word may have.")
      .def("__init__",
           [](Lexicon* self, ArrayIn<std::int64_t> keys, ArrayIn<std::int32_t> begins, ArrayIn<std::int32_t> labels,
              int label_count) { new (self) Lexicon(view(keys), view(begins), view(labels), label_count); },
           "keys"_a, "begins"_a, "labels"_a, "label_count"_a)
      .def("candidates",
           [](const Lexicon& self, std::string_view form, std::string_view word_context, std::string_view guess_context) {
             std::vector<int> out;
             self.candidates(form, word_context, guess_context, out);
             return out;
           },
           "form"_a, "word_context"_a = "", "guess_context"_a = "", "The labels seen with the word; else a guess.")
      .def("guess",
           [](const Lexicon& self, std::string_view form, std::string_view context) {
             std::vector<int> out;
             self.guess(form, context, out);
             return out;
           },
           "form"_a, "context"_a = "", "The labels of a word as if it was never seen.")
      .def_static("word_key",
                  [=](std::string_view form, std::string_view context) { return signed_key(Lexicon::word_key(form, context)); },
                  "form"_a, "context"_a = "")
      .def_static("shape_key",
                  [=](std::string_view form, std::string_view context) { return signed_key(Lexicon::shape_key(form, context)); },
                  "form"_a, "context"_a = "")
      .def_static("suffix_keys",
                  [=](std::string_view form, std::string_view context) {
                    std::vector<std::int64_t> keys;
                    Lexicon::for_each_suffix_key(form, context, [&](std::uint64_t key) {
                      keys.push_back(signed_key(key));
                      return true;
                    });
                    return keys;
                  },
                  "form"_a, "context"_a = "", "Of its endings, longest first.");
}

void bind_chains(nb::module_& module) {
  module.def("viterbi",
             [](const std::vector<int>& widths, const ArrayIn<double>& scores) {
               std::vector<int> best;
               const double score = ChainViterbi().solve(plain_lattice(widths, scores), best);
               return std::pair(best, score);
             },
             "widths"_a, "scores"_a,
             "The best sequence of a chain with widths[i] candidates at word i, and its score.\n\n"
             "scores holds s_i(v, u, t) word after word, t running fastest; one start candidate stands before the words.");
  module.def("k_best",
             [](const std::vector<int>& widths, const ArrayIn<double>& scores, int k) {
               return scored_labels(k_best_sequences(plain_lattice(widths, scores), k));
             },
             "widths"_a, "scores"_a, "k"_a, "The k best sequences of such a chain, best first.");
  module.def("best_through",
             [](const std::vector<int>& widths, const ArrayIn<double>& scores, int word, int candidate) {
               const ChainLattice lattice = plain_lattice(widths, scores);
               if (word < 0 || word >= lattice.words() || candidate < 0 || candidate >= lattice.width(word))
                 throw std::invalid_argument("there is no such candidate");
               ChainDetours detours;
               detours.solve(lattice);
               std::vector<int> sequence;
               detours.sequence(lattice, word, candidate, sequence);
               return std::pair(sequence, detours.score(lattice, word, candidate));
             },
             "widths"_a, "scores"_a, "word"_a, "candidate"_a,
             "The best sequence of such a chain in which a word has a candidate, and its score.");
  module.def("edge_marginals",
             [](const std::vector<int>& widths, const ArrayIn<double>& scores) {
               const ChainLattice lattice = plain_lattice(widths, scores);
               ChainSums sums;
               const double log_partition = sums.solve(lattice);
               std::vector<double> edges;
               for (int i = 0; i < lattice.words(); ++i)
                 lattice.for_each_edge(i, [&](int v, int u, int t, double) {
                   edges.push_back(sums.edge(lattice, i, v, u, t));
                 });
               return std::pair(log_partition, to_array(std::move(edges)));
             },
             "widths"_a, "scores"_a, "The log-partition of such a chain and the probability of each edge.");
}

}  // namespace

void tagging(nb::module_ module) {
  bind_lexicon(module);
  bind_chains(module);

  nb::class_<SequenceShape>(module, "SequenceShape", "The labels and features of a sequence model.")
      .def("__init__",
           [](SequenceShape* self, const Sentence& labels, const std::vector<std::string>& templates, int bits,
              std::shared_ptr<const WordView> words) {
             new (self) SequenceShape{SequenceTemplates(labels, templates), mask_of_bits(bits), std::move(words)};
           },
           "labels"_a, "templates"_a, "bits"_a, "words"_a.none() = nb::none());

  nb::class_<SequenceCounts>(module, "SequenceCounts", "What happened during a stretch of training.")
      .def_ro("words", &SequenceCounts::words)
      .def_ro("mistakes", &SequenceCounts::mistakes)
      .def_ro("loss", &SequenceCounts::loss);

  nb::class_<SequenceTrainer>(module, "SequenceTrainer", "Perceptron, MIRA and log-linear training of a sequence model.")
      .def("__init__",
           [](SequenceTrainer* self, const SequenceShape& shape, const std::string& learner, double rate, double decay) {
             new (self) SequenceTrainer(shape, learner_of(learner, rate, decay));
           },
           "shape"_a, "learner"_a, "rate"_a = 0.0, "decay"_a = 0.0)
      .def("add", &add_example, "sentence"_a, "candidates"_a, "gold"_a, "forgetting"_a)
      .def("train",
           [](SequenceTrainer& self, ArrayIn<std::int64_t> order, int) {
             const nb::gil_scoped_release release;
             return self.train(view(order));
           },
           "order"_a, "threads"_a = 1, "One pass over examples; each step needs the one before, whatever the threads.")
      .def("gradient", &gradient, "example"_a, "-log P(gold) of an example, and its gradient as (indices, values).")
      .def("averaged", [](SequenceTrainer& self) { return std::tuple(mean(self.weights())); })
      .def("state",
           [](SequenceTrainer& self) {
             nb::dict state;
             put_state(state, "sequence", self.weights());
             return state;
           })
      .def("restore", [](SequenceTrainer& self, const nb::dict& state) { take_state(state, "sequence", self.weights()); },
           "state"_a);

  nb::class_<Tagger>(module, "Tagger", "Tags and lemmas for sentences.")
      .def("__init__",
           [](Tagger* self, const SequenceShape& shape, const Lexicon& lexicon, const ArrayIn<float>& weights,
              const Sentence& labels, bool upos, bool xpos, bool feats) {
             new (self) Tagger(make_model(shape, lexicon, weights), TagSet{labels, upos, xpos, feats});
           },
           "shape"_a, "lexicon"_a, "weights"_a, "labels"_a, "upos"_a, "xpos"_a, "feats"_a)
      .def("add_lemmas",
           [](Tagger& self, const SequenceShape& shape, const Lexicon& lexicon, const ArrayIn<float>& weights,
              const std::vector<std::string>& scripts) { self.add_lemmas(make_model(shape, lexicon, weights), scripts); },
           "shape"_a, "lexicon"_a, "weights"_a, "scripts"_a)
      .def("use_network",
           [](Tagger& self, const ParserModel& parser, double weight) { self.use_network(network_of(parser, weight)); },
           "parser"_a, "weight"_a, nb::keep_alive<1, 2>(),
           "From now on tags are chosen with what the parser's network says of them, times a weight.")
      .def("tag",
           [](const Tagger& self, const Sentences& sentences, int threads) {
             return released(tag_batch, self, sentences, threads);
           },
           "sentences"_a, "threads"_a = 1)
      .def("probabilities",
           [](const Tagger& self, const Sentences& sentences, const std::string& column,
              const std::vector<double>& temperatures, int threads) {
             return to_array(released(tag_probabilities, self, sentences, column_of(column), temperatures, threads));
           },
           "sentences"_a, "column"_a, "temperatures"_a, "threads"_a = 1,
           "Of what each word has in a column, at each temperature: one number a word, temperature after temperature.")
      .def("with_labels",
           [](const Tagger& self, const Sentences& sentences, const LabelSequences& labels, int threads) {
             return released(with_labels, self, sentences, labels, threads);
           },
           "sentences"_a, "labels"_a, "threads"_a = 1,
           "The sentences with these tags, and with lemmas of them.")
      .def("detours", &detours, "sentences"_a, "margin"_a, "most"_a, "threads"_a = 1,
           "Of each sentence the best labels and, for other labels of single words, the best sequences with them.")
      .def("score_labels",
           [](const Tagger& self, const Sentences& sentences, const LabelSequences& labels, int threads) {
             return released(score_labels, self, sentences, labels, threads);
           },
           "sentences"_a, "labels"_a, "threads"_a = 1)
      .def("top_k", &top_k, "sentence"_a, "k"_a, "The k best label sequences and their scores.")
      .def("marginals", &marginals, "sentence"_a, "For each word, its candidate labels and their probabilities.")
      .def("lattice", &scored_lattice, "sentence"_a, "The candidates of each word, and the scores that `viterbi` takes.");

  module.def("apply_lemma_script",
             [](std::string_view script, std::string_view form) { return LemmaScript(script).apply(form); },
             "script"_a, "form"_a);
}

}  // namespace headwise::bind
