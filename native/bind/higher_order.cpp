// Bindings of the pruner, the higher-order parser and its trainer. No algorithms here.
#include "parsing/higher_order_parser.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/batches.hpp"
#include "bind/confidence.hpp"
#include "bind/pruning.hpp"
#include "bind/roles.hpp"
#include "bind/modules.hpp"
#include "bind/training.hpp"
#include "confidence/higher_order_judge.hpp"
#include "learning/global_trainer.hpp"
#include "learning/higher_order_trainer.hpp"
#include "learning/log_linear_trainer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Lines = std::vector<std::string>;

Rival rival_of(const std::string& name) {
  if (name == "tree") return Rival::tree;
  if (name == "relaxed") return Rival::relaxed;
  if (name == "samples") return Rival::samples;
  throw std::invalid_argument("rival is '" + name + "', must be one of tree, relaxed, samples");
}

class BoundParser {
 public:
  BoundParser(HigherOrderShape shape, const ArrayIn<float>& arcs, const ArrayIn<float>& labels,
              const ArrayIn<float>& pruner, const ArrayIn<float>& global, const ArrayIn<float>& roles,
              const ArrayIn<float>& network, const ArrayIn<float>& vectors)
      : shape_(std::move(shape)),
        arcs_(checked_table(view(arcs), shape_.base.arc_table_size(), "arc")),
        labels_(checked_table(view(labels), shape_.base.label_table_size(), "label")),
        pruner_(checked_table(view(pruner), std::size_t{shape_.pruner.mask} + 1, "pruner")),
        global_(checked_table(view(global), shape_.global_table_size(), "global")),
        roles_(checked_table(view(roles), shape_.roles.table_size(), "role")),
        network_(checked_table(view(network), opinion_size(network_weight_count(shape_.opinion.network)), "network")),
        vectors_(checked_table(view(vectors), opinion_size(shape_.opinion.network.vector_count()), "vector")) {}

  Parses parse(const std::vector<const Sentence*>& sentences, int threads, Decoder decoder, int iterations,
               std::uint64_t seed) const {
    if (iterations < 1) throw std::invalid_argument("iterations must be at least 1");
    if ((decoder == Decoder::climb || decoder == Decoder::sample) && shape_.base.projective)
      throw std::invalid_argument("climbing and sampling are for trees whose arcs may cross");
    if (decoder == Decoder::max_z) throw std::invalid_argument("max-z is for latent labels");
    if (decoder == Decoder::minimum_risk && !shape_.base.projective)
      throw std::invalid_argument("non-projective trees of higher order have no exact probabilities");
    return parse_batch(
        sentences, shape_.base.single_root, threads,
        [&] { return std::make_unique<HigherOrderParser>(shape_, iterations, seed); },
        [&](HigherOrderParser& parser, const Atoms& atoms, ParseResult& result) {
          parser.parse(atoms, weights(), pruner_.data(), decoder, result);
        },
        [&](HigherOrderParser& parser, const Atoms& atoms, ParseResult& result) {
          parser.label(atoms, weights(), result);
        });
  }

  // The labels of a tree that was found elsewhere.
  Array<int> label_tree(const Sentence& sentence, const ArrayIn<int>& heads) const {
    if (heads.size() != static_cast<std::size_t>(sentence.size())) throw std::invalid_argument("one head a word");
    for (const int head : view(heads))
      if (head < -1 || head > sentence.size()) throw std::invalid_argument("heads: out of range");
    Atoms atoms;
    atoms.assign(sentence);
    HigherOrderParser parser(shape_);
    ParseResult result;
    result.heads.assign(heads.data(), heads.data() + heads.size());
    result.labels.assign(heads.size(), -1);
    parser.label(atoms, weights(), result);
    return to_array(std::move(result.labels));
  }

  std::unique_ptr<HigherOrderJudge> make_judge() const {
    return std::make_unique<HigherOrderJudge>(shape_, weights(), pruner_.data());
  }

  // The scores of arcs [h * (n + 1) + m]; −inf for those that were pruned.
  Array<double> arc_scores(const Sentence& sentence) const {
    HigherOrderParser parser(shape_);
    (void)parse_one(parser, sentence);
    return to_array(std::vector<double>(parser.arc_scores()));
  }

  // Arc scores [h * (n + 1) + m] that the tree's score is expanded to around the parse.
  Array<double> expansion(const Sentence& sentence) const {
    HigherOrderParser parser(shape_);
    const ParseResult result = parse_one(parser, sentence);
    std::vector<double> scores;
    expand_around(parser, result.heads, scores);
    return to_array(std::move(scores));
  }

  // The higher-order tables of a sentence, as (places' words, scores) by kind of part.
  nb::dict part_scores(const Sentence& sentence) const {
    HigherOrderParser parser(shape_);
    (void)parse_one(parser, sentence);
    nb::dict parts;
    PartKinds::each([&]<class Kind>(Kind kind) {
      const std::vector<double>& table = parser.tables()[kind];
      if (table.empty()) return;
      std::vector<int> words;
      std::vector<double> scores;
      const auto put = [&](Index place, const auto& nodes) {
        if (nodes[0] < 0) return;  // above the root there are no parts
        words.insert(words.end(), nodes.begin(), nodes.end());
        scores.push_back(table[static_cast<std::size_t>(place)]);
      };
      each_place<Kind>(
          parser.candidates(),
          [&](Index place, const auto& nodes) {
            // [g, h, g] names the absence of a modifier; the arcs g → h → g, which no tree has, are left out.
            if (!Kind::has_empty_places || nodes[2] != nodes[0]) put(place, nodes);
          },
          [&](Index place, const auto& nodes) {
            if (Kind::has_empty_sides) put(place, nodes);
          });
      if (!scores.empty())
        parts[std::string(Kind::table).c_str()] =
            nb::make_tuple(to_array(std::move(words)), to_array(std::move(scores)));
    });
    return parts;
  }

 private:
  // Other threads of Python may go on meanwhile.
  ParseResult parse_one(HigherOrderParser& parser, const Sentence& sentence) const {
    const nb::gil_scoped_release release;
    Atoms atoms;
    atoms.assign(sentence);
    ParseResult result;
    parser.parse(atoms, weights(), pruner_.data(), Decoder::map, result);
    return result;
  }
  Weights weights() const {
    NetworkTables network;
    if (shape_.opinion.any()) network = {network_.data(), vectors_.data()};
    return {arcs_.data(), labels_.data(), global_.data(), shape_.roles.any() ? roles_.data() : nullptr, network};
  }
  std::size_t opinion_size(std::size_t size) const { return shape_.opinion.any() ? size : 0; }

  HigherOrderShape shape_;
  LargeTable<float> arcs_, labels_, pruner_, global_, roles_, network_, vectors_;
};

}  // namespace

void higher_order(nb::module_ module) {
  global_features(module);
  network(module);
  bind_roles(module);
  nb::class_<PrunerShape>(module, "PrunerShape", "What a pruner computes, without its weights.")
      .def("__init__",
           [](PrunerShape* self, const Lines& tags, const std::vector<int>& arc_limits, const Lines& templates, int bits,
              bool projective, bool single_root, double threshold, int most_heads) {
             if (bits < 4 || bits > 30) throw std::invalid_argument("bits must be from 4 to 30");
             new (self) PrunerShape{ArcFilter(tags, arc_limits), ArcTemplates(templates),
                                    (std::uint32_t{1} << bits) - 1, projective, single_root, {threshold, most_heads}};
           },
           nb::kw_only(), "tags"_a, "arc_limits"_a, "templates"_a, "bits"_a, "projective"_a, "single_root"_a, "threshold"_a,
           "most_heads"_a);

  nb::class_<BoundPruner>(module, "Pruner", "Drops the arcs that a first-order log-linear model finds unlikely.")
      .def(nb::init<PrunerShape, const ArrayIn<float>&>(), "shape"_a, "weights"_a)
      .def("prune", &BoundPruner::prune, "sentence"_a)
      .def("marginals", &BoundPruner::marginals, "sentence"_a);

  nb::class_<LogLinearTrainer>(module, "LogLinearTrainer", "Conditional likelihood of first-order trees.")
      .def(nb::init<PrunerShape, double>(), "shape"_a, "step"_a)
      .def("train",
           [](LogLinearTrainer& self, const std::vector<const TrainingExample*>& examples) {
             const nb::gil_scoped_release release;
             return self.train(examples);
           },
           "examples"_a)
      .def("averaged", [](LogLinearTrainer& self) { return mean(self.weights()); });

  nb::class_<HigherOrderShape>(module, "HigherOrderShape", "A factorization, its templates and its pruner.")
      .def("__init__",
           [](HigherOrderShape* self, const ParserShape& base, const std::string& factorization,
              const HigherOrderTemplates::Lines& part_templates, const PrunerShape& pruner, const GlobalShape* global,
              int global_bits, int global_restarts, const RoleShape* roles, const NetworkShape* network,
              double network_weight) {
             if (base.labels_in_search())
               throw std::invalid_argument("joint and latent labels need the factorization 'arc'");
             if (network && network->label_count != base.labels.count)
               throw std::invalid_argument("the network knows other labels than the parser");
             if (!(network_weight >= 0 && std::isfinite(network_weight)))
               throw std::invalid_argument("network_weight must be a number that is not negative");
             new (self) HigherOrderShape{base, factorization_of(factorization),
                                         HigherOrderTemplates(part_templates), pruner, global ? *global : GlobalShape{},
                                         mask_of_bits(global_bits), global_restarts, roles ? *roles : RoleShape{},
                                         network ? OpinionShape{*network, network_weight} : OpinionShape{}};
           },
           "base"_a, nb::kw_only(), "factorization"_a, "part_templates"_a, "pruner"_a,
           "global_features"_a.none() = nb::none(), "global_bits"_a = 4, "global_restarts"_a = 0,
           "roles"_a.none() = nb::none(), "network"_a.none() = nb::none(), "network_weight"_a = 0.0);

  nb::class_<GlobalTrainer>(module, "GlobalTrainer",
                            "Learning features of whole trees on top of parsers that have not seen the example.")
      .def("__init__",
           [](GlobalTrainer* self, const HigherOrderShape& shape, double aggressiveness) {
             if (!shape.global.any()) throw std::invalid_argument("there are no features of whole trees to learn");
             new (self) GlobalTrainer(shape, {aggressiveness});
           },
           "shape"_a, nb::kw_only(), "aggressiveness"_a)
      .def("add_parser", [](GlobalTrainer& self, const ArrayIn<float>& weights) { self.add_parser(view(weights)); },
           "arc_weights"_a)
      .def("add",
           [](GlobalTrainer& self, const TrainingExample& example, const BoundPruner& pruner, int parser) {
             if (parser < 0 || static_cast<std::size_t>(parser) >= self.parsers())
               throw std::invalid_argument("parser: no such parser was added");
             self.add(example, with_gold(example, pruner.flags(example)).flags, parser);
           },
           "example"_a, "pruner"_a, "parser"_a)
      .def("train",
           [](GlobalTrainer& self, const ArrayIn<std::int64_t>& order, int) {
             const nb::gil_scoped_release release;
             return self.train(view(order));
           },
           "order"_a, "threads"_a = 1)
      .def("averaged", [](GlobalTrainer& self) { return std::tuple(mean(self.weights())); })
      .def("state",
           [](GlobalTrainer& self) {
             nb::dict state;
             put_state(state, "global", self.weights());
             return state;
           })
      .def("restore", [](GlobalTrainer& self, const nb::dict& state) { take_state(state, "global", self.weights()); },
           "state"_a);

  nb::class_<BoundParser> parser(module, "HigherOrderParser", "A higher-order shape and its weights.");
  parser.def(nb::init<HigherOrderShape, const ArrayIn<float>&, const ArrayIn<float>&, const ArrayIn<float>&,
                      const ArrayIn<float>&, const ArrayIn<float>&, const ArrayIn<float>&, const ArrayIn<float>&>(),
           "shape"_a, "arc_weights"_a, "label_weights"_a, "pruner_weights"_a, "global_weights"_a, "role_weights"_a,
           "network_weights"_a, "vectors"_a)
      .def("parse", &BoundParser::parse, "sentences"_a, "threads"_a = 1, "decoder"_a = Decoder::map,
           "iterations"_a = default_iterations, "seed"_a = default_seed)
      .def("label_tree", &BoundParser::label_tree, "sentence"_a, "heads"_a)
      .def("arc_scores", &BoundParser::arc_scores, "sentence"_a)
      .def("part_scores", &BoundParser::part_scores, "sentence"_a)
      .def("expansion", &BoundParser::expansion, "sentence"_a);
  bind_confidence(parser);

  nb::class_<HigherOrderTrainer> trainer(module, "HigherOrderTrainer",
                                         "Training of a higher-order parser, one example after the other.");
  trainer
      .def("__init__",
           [](HigherOrderTrainer* self, const HigherOrderShape& shape, const Learner& learner, const std::string& rival,
              int samples_a_word, bool pairs, bool gold) {
             new (self) HigherOrderTrainer(shape, learner.rule(), rival_of(rival), {samples_a_word, pairs, gold});
           },
           "shape"_a, "learner"_a, "rival"_a = "tree", "samples_a_word"_a = 1, "pairs"_a = true, "gold"_a = true)
      .def("add",
           [](HigherOrderTrainer& self, const TrainingExample& example, const BoundPruner& pruner) {
             return self.add(example, pruner.flags(example));
           },
           "example"_a, "pruner"_a, "Add an example; returns how many arcs survived, and how many of them gold.");
  bind_trainer<HigherOrderTrainer>(trainer);
  dual_training(module);
}

}  // namespace headwise::bind
