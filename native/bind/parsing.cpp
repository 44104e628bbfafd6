// Bindings of the parser and its trainer. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "arc_parser.hpp"
#include "bind/arrays.hpp"
#include "bind/rooms.hpp"
#include "bind/weights.hpp"
#include "learning/online_trainer.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

LabelMode label_mode_of(const std::string& name) {
  if (name == "none") return LabelMode::none;
  if (name == "separate") return LabelMode::separate;
  if (name == "joint") return LabelMode::joint;
  throw std::invalid_argument("label_mode is '" + name + "', must be one of none, separate, joint");
}

ParserShape make_shape(const std::vector<std::string>& tags, const std::vector<int>& arc_limits, const std::vector<std::string>& arc_templates, const std::vector<std::string>& label_templates,
                       std::vector<std::uint8_t> root_labels, std::vector<std::uint8_t> word_labels,
                       const std::string& label_mode, bool projective, bool single_root, int arc_bits, int label_bits) {
  if (root_labels.size() != word_labels.size() || root_labels.size() > label_row_padding)
    throw std::invalid_argument("a parser takes at most " + std::to_string(label_row_padding) + " labels");
  ParserShape shape{ArcFilter(tags, arc_limits),
                    ArcTemplates(arc_templates),
                    LabelTemplates(label_templates),
                    {static_cast<int>(root_labels.size()), std::move(root_labels), std::move(word_labels)},
                    label_mode_of(label_mode),
                    projective,
                    single_root,
                    mask_of_bits(arc_bits),
                    mask_of_bits(label_bits)};
  if (shape.label_mode == LabelMode::joint && shape.label_templates.needs_tree)
    throw std::invalid_argument("label templates that name relatives (g, s, l, r, c) need label_mode 'separate'");
  return shape;
}

// A shape and its weights, copied from the (memory-mapped) arrays of the model file onto huge pages.
class Parser {
 public:
  Parser(ParserShape shape, const ArrayIn<float>& arcs, const ArrayIn<float>& labels)
      : shape_(std::move(shape)),
        arcs_(arcs.data(), arcs.data() + arcs.size()),
        labels_(labels.data(), labels.data() + labels.size()) {
    if (arcs_.size() != std::size_t{shape_.arc_mask} + 1) throw std::invalid_argument("arc weights: wrong table size");
    if (shape_.label_mode != LabelMode::none && labels_.size() != std::size_t{shape_.label_mask} + 1 + label_row_padding)
      throw std::invalid_argument("label weights: wrong table size");
  }

  // Heads and labels of all words of all sentences, one after the other, and a score a sentence.
  std::tuple<Array<int>, Array<int>, Array<double>> parse(const std::vector<const Sentence*>& sentences, int threads) const {
    std::vector<std::size_t> begin(1, 0);
    for (const Sentence* s : sentences) begin.push_back(begin.back() + static_cast<std::size_t>(s->size()));
    std::vector<int> heads(begin.back()), labels(begin.back());
    std::vector<double> scores(sentences.size());
    {
      const nb::gil_scoped_release release;
      struct Scratch {
        Atoms atoms;
        std::unique_ptr<ArcParser> parser;
        ParseResult result;
      };
      std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
      parallel_for(sentences.size(), threads, [&](std::size_t i, int thread) {
        Scratch& mine = scratch[static_cast<std::size_t>(thread)];
        if (!mine.parser) mine.parser = std::make_unique<ArcParser>(shape_);
        mine.atoms.assign(*sentences[i]);
        mine.parser->parse(mine.atoms, weights(), mine.result);
        std::copy(mine.result.heads.begin(), mine.result.heads.end(), heads.begin() + static_cast<std::ptrdiff_t>(begin[i]));
        std::copy(mine.result.labels.begin(), mine.result.labels.end(), labels.begin() + static_cast<std::ptrdiff_t>(begin[i]));
        scores[i] = mine.result.score;
      });
    }
    return {to_array(std::move(heads)), to_array(std::move(labels)), to_array(std::move(scores))};
  }

  // The table of arc scores, [h * (n + 1) + m], as the decoder sees it.
  Array<double> arc_scores(const Sentence& sentence) const {
    Atoms atoms;
    atoms.assign(sentence);
    ArcParser parser(shape_);
    ParseResult result;
    parser.parse(atoms, weights(), result);
    return to_array(std::vector<double>(parser.scores().begin(), parser.scores().end()));
  }

  // The indices of one arc's features in the weight table.
  Array<std::uint32_t> arc_features(const Sentence& sentence, int head, int modifier) const {
    if (head < 0 || head > sentence.size() || modifier < 1 || modifier > sentence.size() || head == modifier)
      throw std::invalid_argument("no such arc in a sentence of " + std::to_string(sentence.size()) + " words");
    Atoms atoms;
    atoms.assign(sentence);
    ArcFeatures features(shape_.arc_templates);
    features.assign(atoms);
    std::vector<std::uint32_t> indices;
    features.for_each(head, modifier, shape_.arc_mask, [&](std::uint32_t f) { indices.push_back(f); });
    return to_array(std::move(indices));
  }

 private:
  Weights weights() const { return {arcs_.data(), labels_.data()}; }

  ParserShape shape_;
  LargeTable<float> arcs_, labels_;
};

std::variant<Perceptron, Mira> rule_of(const std::string& learner, double aggressiveness) {
  if (learner == "perceptron") return Perceptron{};
  if (learner == "mira") return Mira{aggressiveness};
  throw std::invalid_argument("no online learner is called '" + learner + "' (use perceptron or mira)");
}

void add_example(OnlineTrainer& trainer, const Sentence& sentence, ArrayIn<int> heads, ArrayIn<int> labels) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (heads.size() != n || labels.size() != n) throw std::invalid_argument("heads and labels: one entry a word");
  TrainingExample example;
  example.atoms.assign(sentence);
  for (std::size_t i = 0; i < n; ++i) {
    const int h = heads.data()[i], l = labels.data()[i];
    if (h < 0 || h > sentence.size() || h == static_cast<int>(i) + 1) throw std::invalid_argument("heads: out of range");
    if (trainer.shape().label_mode != LabelMode::none && (l < 0 || l >= trainer.shape().labels.count))
      throw std::invalid_argument("labels: out of range");
    example.heads.push_back(h);
    example.labels.push_back(l);
  }
  trainer.add(std::move(example));
}

nb::dict trainer_state(OnlineTrainer& trainer) {
  nb::dict state;
  put_state(state, "arcs", trainer.arcs());
  put_state(state, "labels", trainer.labels());
  return state;
}

void restore_state(OnlineTrainer& trainer, const nb::dict& state) {
  take_state(state, "arcs", trainer.arcs());
  take_state(state, "labels", trainer.labels());
}

std::tuple<Array<float>, Array<float>> averaged(OnlineTrainer& trainer) {
  return {mean(trainer.arcs()), mean(trainer.labels())};
}

}  // namespace

void parsing(nb::module_ module) {
  module.attr("LABEL_ROW_PADDING") = label_row_padding;

  nb::class_<ParserShape>(module, "ParserShape", "What a parser computes, without its weights.")
      .def("__init__",
           [](ParserShape* self, const std::vector<std::string>& tags, const std::vector<int>& arc_limits,
              const std::vector<std::string>& arc_templates,
              const std::vector<std::string>& label_templates, const std::vector<std::uint8_t>& root_labels,
              const std::vector<std::uint8_t>& word_labels, const std::string& label_mode, bool projective,
              bool single_root, int arc_bits, int label_bits) {
             new (self) ParserShape(make_shape(tags, arc_limits, arc_templates, label_templates, root_labels, word_labels, label_mode,
                                               projective, single_root, arc_bits, label_bits));
           },
           nb::kw_only(), "tags"_a, "arc_limits"_a, "arc_templates"_a, "label_templates"_a, "root_labels"_a, "word_labels"_a, "label_mode"_a,
           "projective"_a, "single_root"_a, "arc_bits"_a, "label_bits"_a);

  nb::class_<Parser>(module, "Parser", "A shape and its weights.")
      .def(nb::init<ParserShape, const ArrayIn<float>&, const ArrayIn<float>&>(), "shape"_a, "arc_weights"_a, "label_weights"_a)
      .def("parse", &Parser::parse, "sentences"_a, "threads"_a = 1)
      .def("arc_scores", &Parser::arc_scores, "sentence"_a)
      .def("arc_features", &Parser::arc_features, "sentence"_a, "head"_a, "modifier"_a);

  nb::class_<TrainingCounts>(module, "TrainingCounts", "What happened during a stretch of training.")
      .def_ro("words", &TrainingCounts::words)
      .def_ro("mistakes", &TrainingCounts::wrong_heads, "Words that got a wrong head.")
      .def_ro("wrong_heads", &TrainingCounts::wrong_heads)
      .def_ro("wrong_labels", &TrainingCounts::wrong_labels)
      .def_ro("loss", &TrainingCounts::loss);

  nb::class_<OnlineTrainer>(module, "OnlineTrainer", "Perceptron and MIRA training of a first-order parser.")
      .def("__init__",
           [](OnlineTrainer* self, const ParserShape& shape, const std::string& learner, double aggressiveness) {
             new (self) OnlineTrainer(shape, rule_of(learner, aggressiveness));
           },
           "shape"_a, "learner"_a, "aggressiveness"_a)
      .def("add", &add_example, "sentence"_a, "heads"_a, "labels"_a)
      .def("train",
           [](OnlineTrainer& self, ArrayIn<std::int64_t> order, int threads) {
             const nb::gil_scoped_release release;
             return self.train(view(order), threads);
           },
           "order"_a, "threads"_a = 1)
      .def("averaged", &averaged)
      .def("state", &trainer_state)
      .def("restore", &restore_state, "state"_a);
}

}  // namespace headwise::bind
