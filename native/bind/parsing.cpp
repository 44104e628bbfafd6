// Bindings of the parser and its pruner. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>

#include "base/index.hpp"
#include "bind/arrays.hpp"
#include "bind/confidence.hpp"
#include "bind/modules.hpp"
#include "bind/parser.hpp"
#include "bind/pruning.hpp"
#include "bind/weights.hpp"
#include "bind/trees_arrays.hpp"
#include "confidence/expansion.hpp"
#include "parsing/sense_parts.hpp"
#include "trees/factorizations/part_indices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Lines = std::vector<std::string>;

LabelMode label_mode_of(const std::string& name) {
  if (name == "none") return LabelMode::none;
  if (name == "separate") return LabelMode::separate;
  if (name == "joint") return LabelMode::joint;
  if (name == "latent") return LabelMode::latent;
  throw std::invalid_argument("label_mode is '" + name + "', must be one of none, separate, joint, latent");
}

// A sentence that is parsed for what is found out about it on the way. Other threads of Python may go on meanwhile.
class OneParse {
 public:
  OneParse(const ParserModel& model, const Sentence& sentence, const BatchConditions* given)
      : parser_(model.shape(), model.tables()) {
    const Sentences sentences = {&sentence};
    const std::vector<Conditions> conditions = conditions_of(given, sentences, model);
    parsing::check(conditions, sentences, model.shape().labels.count);
    const nb::gil_scoped_release release;
    Atoms atoms(model.shape().words);
    atoms.assign(sentence);
    parser_.parse(atoms, Decoder::map, result_, conditions.empty() ? Conditions{} : conditions[0]);
  }
  SentenceTrees& trees() { return parser_.trees(); }
  const std::vector<int>& heads() const { return result_.heads; }

 private:
  Parser parser_;
  ParseResult result_;
};

// The scores of arcs [h * (n + 1) + m]; −inf for those that are not considered.
Array<double> arc_scores(const ParserModel& self, const Sentence& sentence, const BatchConditions* conditions) {
  OneParse parse(self, sentence, conditions);
  std::vector<double> dense;
  parse.trees().copy_arcs(parse.trees().scores().arcs, kImpossible, dense);
  return to_array(std::move(dense));
}

// The higher-order tables of a sentence, as (places' words, scores) by kind of part.
nb::dict part_scores(const ParserModel& self, const Sentence& sentence, const BatchConditions* conditions) {
  OneParse parse(self, sentence, conditions);
  nb::dict parts;
  if (!parse.trees().candidates()) return parts;
  PartKinds::each([&]<class Kind>(Kind kind) {
    const std::vector<double>& table = parse.trees().scores()[kind];
    if (table.empty()) return;
    std::vector<int> words;
    std::vector<double> scores;
    const auto put = [&](Index place, const auto& nodes) {
      if (nodes[0] < 0) return;  // above the root there are no parts
      words.insert(words.end(), nodes.begin(), nodes.end());
      scores.push_back(table[at(place)]);
    };
    each_place<Kind>(
        *parse.trees().candidates(),
        [&](Index place, const auto& nodes) {
          // [g, h, g] names the absence of a modifier; the arcs g → h → g, which no tree has, are left out.
          if (!Kind::has_empty_places || nodes[2] != nodes[0]) put(place, nodes);
        },
        [&](Index place, const auto& nodes) {
          if (Kind::has_empty_sides) put(place, nodes);
        });
    if (!scores.empty())
      parts[std::string(Kind::table).c_str()] = nb::make_tuple(to_array(std::move(words)), to_array(std::move(scores)));
  });
  return parts;
}

// The candidates and compact tables of a sentence in several readings: see SenseParts.
std::pair<Candidates, std::map<std::string, Array<double>>> sense_parts(const ParserModel& self,
                                                                        const Sentences& readings,
                                                                        const std::vector<int>& retagged) {
  if (readings.size() != retagged.size() + 1) throw std::invalid_argument("one word for each reading but the first");
  std::vector<Atoms> atoms(readings.size(), Atoms(self.shape().words));
  for (std::size_t k = 0; k < readings.size(); ++k) {
    if (readings[k]->size() != readings[0]->size() || readings[k]->size() == 0)
      throw std::invalid_argument("readings must be of the same words");
    atoms[k].assign(*readings[k]);
  }
  SenseParts parts(self.shape(), self.tables());
  {
    const nb::gil_scoped_release release;
    parts.score(atoms, retagged);
  }
  std::map<std::string, Array<double>> tables;
  tables.emplace("arcs", to_array(std::vector<double>(parts.scores().arcs)));
  PartKinds::each([&]<class Kind>(Kind kind) {
    if (const auto& table = parts.scores()[kind]; !table.empty())
      tables.emplace(Kind::table, to_array(std::vector<double>(table)));
  });
  return {parts.candidates(), std::move(tables)};
}

// The labels of a tree that was found elsewhere.
Array<int> label_tree(const ParserModel& self, const Sentence& sentence, const ArrayIn<int>& heads) {
  if (heads.size() != static_cast<std::size_t>(sentence.size())) throw std::invalid_argument("one head a word");
  for (const int head : view(heads))
    if (head < -1 || head > sentence.size()) throw std::invalid_argument("heads: out of range");
  Atoms atoms(self.shape().words);
  atoms.assign(sentence);
  Parser parser(self.shape(), self.tables());
  ParseResult result;
  result.heads.assign(heads.data(), heads.data() + heads.size());
  parser.label(atoms, result);
  return to_array(std::move(result.labels));
}

// The score of every label of every arc of a tree, [word, label]; −inf for those that are no candidates.
Array<double> label_scores(const ParserModel& self, const Sentence& sentence, const ArrayIn<int>& heads) {
  if (heads.size() != static_cast<std::size_t>(sentence.size())) throw std::invalid_argument("one head a word");
  for (const int head : view(heads))
    if (head < 0 || head > sentence.size()) throw std::invalid_argument("heads: out of range");
  Atoms atoms(self.shape().words);
  atoms.assign(sentence);
  Parser parser(self.shape(), self.tables());
  parser.trees().scorers().read_for_labels(atoms, self.tables());
  TreeLabeler& labeler = parser.labeler_of(atoms, view(heads));
  const auto count = static_cast<std::size_t>(self.shape().labels.count);
  std::vector<double> scores(heads.size() * count, kImpossible);
  for (int m = 1; m <= sentence.size(); ++m) {
    const float* sums = labeler.sums(self.tables()["labels"], m);
    for (const int l : labeler.candidates(m).labels)
      scores[at(m - 1) * count + at(l)] = sums[l];
  }
  return to_array(std::move(scores));
}

// The indices of one arc's features in the weight table.
Array<std::uint32_t> arc_features(const ParserModel& self, const Sentence& sentence, int head, int modifier) {
  if (head < 0 || head > sentence.size() || modifier < 1 || modifier > sentence.size() || head == modifier)
    throw std::invalid_argument("no such arc in a sentence of " + std::to_string(sentence.size()) + " words");
  Atoms atoms(self.shape().words);
  atoms.assign(sentence);
  ArcFeatures features(self.shape().arc_templates);
  features.assign(atoms);
  std::vector<std::uint32_t> indices;
  features.for_each(head, modifier, self.shape().arc_mask, [&](std::uint32_t f) { indices.push_back(f); });
  return to_array(std::move(indices));
}

}  // namespace

void parsing(nb::module_ module) {
  module.attr("LABEL_ROW_PADDING") = label_row_padding;

  nb::class_<PrunerShape>(module, "PrunerShape", "A model of arcs alone, and how unlikely an arc must be to be dropped.")
      .def("__init__",
           [](PrunerShape* self, const ParserShape& model, double threshold, int most_heads) {
             PrunerShape shape{model, {threshold, most_heads}};
             check(shape);
             new (self) PrunerShape(std::move(shape));
           },
           "model"_a, nb::kw_only(), "threshold"_a, "most_heads"_a)
      .def_ro("model", &PrunerShape::model);

  nb::class_<ParserShape>(module, "ParserShape", "What a parser computes, without its weights.")
      .def("__init__",
           [](ParserShape* self, const Lines& tags, const std::vector<int>& arc_limits, const Lines& arc_templates,
              const Lines& label_templates, int label_count, const std::vector<int>& label_arcs,
              const std::string& label_mode, bool projective, bool single_root, int arc_bits, int label_bits,
              const std::string& factorization, const HigherOrderTemplates::Lines& part_templates,
              const std::optional<PrunerShape>& pruner, const ScorerShapes& scorers,
              std::shared_ptr<const WordView> words, std::shared_ptr<const LabelRules> rules) {
             ParserShape shape{ArcFilter(tags, arc_limits),
                               ArcTemplates(arc_templates),
                               LabelTemplates(label_templates),
                               LabelSet(label_count, static_cast<int>(tags.size()), label_arcs),
                               label_mode_of(label_mode),
                               projective,
                               single_root,
                               mask_of_bits(arc_bits),
                               mask_of_bits(label_bits),
                               factorization_of(factorization),
                               HigherOrderTemplates(part_templates),
                               pruner ? std::make_shared<const PrunerShape>(*pruner) : nullptr,
                               scorers,
                               std::move(words),
                               std::move(rules)};
             check(shape);
             new (self) ParserShape(std::move(shape));
           },
           nb::kw_only(), "tags"_a, "arc_limits"_a, "arc_templates"_a, "label_templates"_a = Lines{}, "label_count"_a = 0,
           "label_arcs"_a = std::vector<int>{}, "label_mode"_a = "none", "projective"_a, "single_root"_a, "arc_bits"_a,
           "label_bits"_a = 4, "factorization"_a = "arc", "part_templates"_a = HigherOrderTemplates::Lines{},
           "pruner"_a.none() = nb::none(), "scorers"_a = ScorerShapes{}, "words"_a.none() = nb::none(),
           "rules"_a.none() = nb::none())
      .def_prop_ro(
          "learned_tables",
          [](const ParserShape& self) {
            std::vector<std::pair<std::string, std::size_t>> tables = {{"arcs", self.arc_table_size()}};
            for (const LearnedTable& table : self.learned_tables()) tables.emplace_back(table.name, table.size);
            return tables;
          },
          "The tables that are learned together with that of arcs: names and sizes, as they lie one after the other.")
      .def_prop_ro(
          "learned_label_tables",
          [](const ParserShape& self) {
            std::vector<std::pair<std::string, std::size_t>> tables = {{"labels", self.label_table_size()}};
            for (const LearnedTable& table : self.learned_label_tables()) tables.emplace_back(table.name, table.size);
            return tables;
          },
          "The same of labels.");

  nb::class_<BatchConditions>(module, "Conditions",
                          "What a caller wants of sentences: allowed arcs, known labels, scores to be added.")
      .def("__init__",
           [](BatchConditions* self, BatchConditions::Lists<std::uint8_t> allowed, BatchConditions::Lists<int> labels,
              BatchConditions::Lists<double> arc_scores, BatchConditions::Lists<double> label_scores) {
             new (self) BatchConditions{std::move(allowed), std::move(labels), std::move(arc_scores),
                                    std::move(label_scores)};
           },
           nb::kw_only(), "allowed"_a = BatchConditions::Lists<std::uint8_t>{}, "labels"_a = BatchConditions::Lists<int>{},
           "arc_scores"_a = BatchConditions::Lists<double>{}, "label_scores"_a = BatchConditions::Lists<double>{});

  nb::class_<ParserModel> parser(module, "Parser", "A shape and its weight tables, by name.");
  parser
      .def("__init__",
           [](ParserModel* self, ParserShape shape, const nb::dict& given) {
             // The arrays stay as long as they are copied from.
             std::vector<ArrayIn<float>> floats;
             std::vector<ArrayIn<std::uint8_t>> bytes;
             TableViews views;
             for (const TableSize& table : shape.tables()) {
               const char* name = table.name.c_str();
               if (!given.contains(name)) continue;
               if (table.in_bytes)
                 views[table.name] = view(bytes.emplace_back(nb::cast<ArrayIn<std::uint8_t>>(given[name])));
               else
                 views[table.name] = view(floats.emplace_back(nb::cast<ArrayIn<float>>(given[name])));
             }
             new (self) ParserModel(std::move(shape), views);
           },
           "shape"_a, "tables"_a)
      .def("parse",
           [](const ParserModel& self, const Sentences& sentences, int threads, const std::string& decoder,
              int iterations, std::uint64_t seed, const BatchConditions* conditions,
              const std::optional<trees::dual::BranchLimits>& agreement) {
             if (iterations < 1) throw std::invalid_argument("iterations must be at least 1");
             const BatchOptions options{threads, decoder_of(decoder), {iterations, seed, agreement}};
             Parses parses =
                 released(parse_batch, self, sentences, options, conditions_of(conditions, sentences, self));
             return std::tuple(to_array(std::move(parses.heads)), to_array(std::move(parses.labels)),
                               to_array(std::move(parses.scores)), to_array(std::move(parses.gaps)),
                               to_array(std::move(parses.exact)), to_array(std::move(parses.limited)));
           },
           "sentences"_a, "threads"_a = 1, "decoder"_a = "map", "iterations"_a = default_iterations,
           "seed"_a = default_seed, "conditions"_a.none() = nb::none(), "agreement"_a.none() = nb::none())
      .def("label_tree", &label_tree, "sentence"_a, "heads"_a)
      .def("label_scores", &label_scores, "sentence"_a, "heads"_a)
      .def("arc_scores", &arc_scores, "sentence"_a, "conditions"_a.none() = nb::none())
      .def("part_scores", &part_scores, "sentence"_a, "conditions"_a.none() = nb::none())
      .def("sense_parts", &sense_parts, "readings"_a, "retagged"_a)
      .def("expansion",
           [](const ParserModel& self, const Sentence& sentence, const BatchConditions* conditions) {
             OneParse parse(self, sentence, conditions);
             std::vector<double> scores;
             expand_around(parse.trees(), parse.heads(), scores);
             return to_array(std::move(scores));
           },
           "sentence"_a, "conditions"_a.none() = nb::none())
      .def("arc_features", &arc_features, "sentence"_a, "head"_a, "modifier"_a);
  bind_confidence(parser);

  nb::class_<BoundPruner>(module, "Pruner", "Drops the arcs that a first-order log-linear model finds unlikely.")
      .def(nb::init<PrunerShape, const ArrayIn<float>&>(), "shape"_a, "weights"_a)
      .def("prune", &BoundPruner::prune, "sentence"_a)
      .def("marginals", &BoundPruner::marginals, "sentence"_a);
}

}  // namespace headwise::bind
