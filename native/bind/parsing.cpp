// Bindings of the parser and its trainer. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "parsing/arc_parser.hpp"
#include "bind/arrays.hpp"
#include "bind/batches.hpp"
#include "bind/confidence.hpp"
#include "bind/modules.hpp"
#include "bind/training.hpp"
#include "confidence/arc_judge.hpp"
#include "learning/online_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

LabelMode label_mode_of(const std::string& name) {
  if (name == "none") return LabelMode::none;
  if (name == "separate") return LabelMode::separate;
  if (name == "joint") return LabelMode::joint;
  if (name == "latent") return LabelMode::latent;
  throw std::invalid_argument("label_mode is '" + name + "', must be one of none, separate, joint, latent");
}

ParserShape make_shape(const std::vector<std::string>& tags, const std::vector<int>& arc_limits, const std::vector<std::string>& arc_templates, const std::vector<std::string>& label_templates,
                       int label_count, const std::vector<int>& label_arcs,
                       const std::string& label_mode, bool projective, bool single_root, int arc_bits, int label_bits) {
  if (label_count < 0 || static_cast<std::size_t>(label_count + label_block) > label_row_padding)
    throw std::invalid_argument("a parser takes at most " + std::to_string(label_row_padding - label_block) + " labels");
  ParserShape shape{ArcFilter(tags, arc_limits),
                    ArcTemplates(arc_templates),
                    LabelTemplates(label_templates),
                    LabelSet(label_count, static_cast<int>(tags.size()), label_arcs),
                    label_mode_of(label_mode),
                    projective,
                    single_root,
                    mask_of_bits(arc_bits),
                    mask_of_bits(label_bits)};
  if (shape.labels_in_search() && shape.label_templates.needs_tree)
    throw std::invalid_argument("label templates that name relatives (g, s, l, r, c) need label_mode 'separate'");
  return shape;
}

// A shape and its weights, copied from the (memory-mapped) arrays of the model file onto huge pages.
class Parser {
 public:
  Parser(ParserShape shape, const ArrayIn<float>& arcs, const ArrayIn<float>& labels)
      : shape_(std::move(shape)),
        arcs_(checked_table(view(arcs), shape_.arc_table_size(), "arc")),
        labels_(checked_table(view(labels), shape_.label_table_size(), "label")) {}

  Parses parse(const std::vector<const Sentence*>& sentences, int threads, Decoder decoder) const {
    return parse_batch(
        sentences, shape_.single_root, threads, [&] { return std::make_unique<ArcParser>(shape_); },
        [&](ArcParser& parser, const Atoms& atoms, ParseResult& result) {
          parser.parse(atoms, weights(), decoder, result);
        },
        [&](ArcParser& parser, const Atoms& atoms, ParseResult& result) { parser.label(atoms, weights(), result); });
  }

  // The table of arc scores, [h * (n + 1) + m], as the decoder sees it.
  Array<double> arc_scores(const Sentence& sentence) const {
    std::vector<double> scores;
    {
      const nb::gil_scoped_release release;
      Atoms atoms;
      atoms.assign(sentence);
      ArcParser parser(shape_);
      ParseResult result;
      parser.parse(atoms, weights(), Decoder::map, result);
      scores.assign(parser.scores().begin(), parser.scores().end());
    }
    return to_array(std::move(scores));
  }

  std::unique_ptr<ArcJudge> make_judge() const { return std::make_unique<ArcJudge>(shape_, weights()); }

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

}  // namespace

void parsing(nb::module_ module) {
  module.attr("LABEL_ROW_PADDING") = label_row_padding;

  nb::enum_<Decoder>(module, "Decoder", "Which tree is given.")
      .value("map", Decoder::map)
      .value("minimum_risk", Decoder::minimum_risk)
      .value("dual", Decoder::dual)
      .value("max_z", Decoder::max_z)
      .value("climb", Decoder::climb)
      .value("sample", Decoder::sample);

  nb::class_<ParserShape>(module, "ParserShape", "What a parser computes, without its weights.")
      .def("__init__",
           [](ParserShape* self, const std::vector<std::string>& tags, const std::vector<int>& arc_limits,
              const std::vector<std::string>& arc_templates,
              const std::vector<std::string>& label_templates, int label_count,
              const std::vector<int>& label_arcs, const std::string& label_mode, bool projective,
              bool single_root, int arc_bits, int label_bits) {
             new (self) ParserShape(make_shape(tags, arc_limits, arc_templates, label_templates, label_count, label_arcs, label_mode,
                                               projective, single_root, arc_bits, label_bits));
           },
           nb::kw_only(), "tags"_a, "arc_limits"_a, "arc_templates"_a, "label_templates"_a, "label_count"_a, "label_arcs"_a, "label_mode"_a,
           "projective"_a, "single_root"_a, "arc_bits"_a, "label_bits"_a);

  nb::class_<Parser> parser(module, "Parser", "A shape and its weights.");
  parser.def(nb::init<ParserShape, const ArrayIn<float>&, const ArrayIn<float>&>(), "shape"_a, "arc_weights"_a, "label_weights"_a)
      .def("parse", &Parser::parse, "sentences"_a, "threads"_a = 1, "decoder"_a = Decoder::map)
      .def("arc_scores", &Parser::arc_scores, "sentence"_a)
      .def("arc_features", &Parser::arc_features, "sentence"_a, "head"_a, "modifier"_a);
  bind_confidence(parser);

  nb::class_<TrainingExample>(module, "TrainingExample", "A sentence and its tree, ready to be learned from.")
      .def("__init__",
           [](TrainingExample* self, const Sentence& sentence, const ArrayIn<int>& heads, const ArrayIn<int>& labels,
              const ParserShape& shape) { new (self) TrainingExample(make_example(sentence, heads, labels, shape)); },
           "sentence"_a, "heads"_a, "labels"_a, "shape"_a)
      .def("set_roles",
           [](TrainingExample& self, const ArrayIn<int>& roles) {
             if (roles.size() != self.heads.size()) throw std::invalid_argument("roles: one a word");
             self.atoms.set_roles(view(roles));
           },
           "roles"_a, "What each word is taken to be, for templates that ask for it.");

  nb::class_<TrainingCounts>(module, "TrainingCounts", "What happened during a stretch of training.")
      .def_ro("words", &TrainingCounts::words)
      .def_ro("mistakes", &TrainingCounts::wrong_heads, "Words that got a wrong head.")
      .def_ro("wrong_heads", &TrainingCounts::wrong_heads)
      .def_ro("wrong_labels", &TrainingCounts::wrong_labels)
      .def_ro("loss", &TrainingCounts::loss)
      .def_ro("guessing", &TrainingCounts::guessing, "The loss of guessing, at most; 0 where losses do not compare.");

  nb::exception<Diverged>(module, "DivergedError", PyExc_ArithmeticError);

  nb::class_<Learner>(module, "Learner", "What a user chooses about a learner.")
      .def("__init__",
           [](Learner* self, const std::string& name, double aggressiveness, double step, double damping,
              double label_step, double label_damping, double l2, double cost, double negligible) {
             new (self) Learner{
                 name, aggressiveness, cost, negligible, {step, damping, l2}, {label_step, label_damping, l2}};
             (void)self->rule();
           },
           "name"_a, nb::kw_only(), "aggressiveness"_a, "step"_a, "damping"_a, "label_step"_a, "label_damping"_a,
           "l2"_a, "cost"_a, "negligible"_a);

  nb::class_<OnlineTrainer> trainer(module, "OnlineTrainer", "Training of a first-order parser, one example after the other.");
  trainer
      .def("__init__",
           [](OnlineTrainer* self, const ParserShape& shape, const Learner& learner) {
             new (self) OnlineTrainer(shape, learner.rule());
           },
           "shape"_a, "learner"_a)
      .def("add",
           [](OnlineTrainer& self, const TrainingExample& example) { self.add(example); }, "example"_a)
      .def("start_labels",
           [](OnlineTrainer& self, const ArrayIn<float>& weights) {
             auto& table = self.labels().weights();
             if (weights.size() != table.size()) throw std::invalid_argument("start_labels: wrong table size");
             std::copy(weights.data(), weights.data() + weights.size(), table.begin());
           },
           "weights"_a, "The weights of labels to start from, instead of zeros.");
  bind_trainer<OnlineTrainer>(trainer);
  higher_order(module);
}

}  // namespace headwise::bind
