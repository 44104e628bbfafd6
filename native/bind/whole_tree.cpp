// Bindings of features of whole trees. No algorithms here.
#include "scoring/whole_tree/scorer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/weights.hpp"
#include "trees/local_search/movable_tree.hpp"
#include "trees/local_search/moves.hpp"
#include "treebank/tree_check.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Lines = std::vector<std::string>;

// Features of what is no tree are not defined.
void check_is_tree(std::span<const int> heads) {
  if (const auto problems = check_tree(heads, {}); !problems.empty())
    throw std::invalid_argument("heads must form a tree: " + problems.front().explanation);
}

WholeTreeFamilies families_of(const Lines& names) {
  WholeTreeFamilies families;
  const std::map<std::string, bool WholeTreeFamilies::*> known = {
      {"span_length", &WholeTreeFamilies::span_length}, {"neighbours", &WholeTreeFamilies::neighbours},
      {"valency", &WholeTreeFamilies::valency},         {"crossing", &WholeTreeFamilies::crossing},
      {"coordination", &WholeTreeFamilies::coordination}, {"attachment", &WholeTreeFamilies::attachment},
      {"branching", &WholeTreeFamilies::branching}};
  for (const std::string& name : names) {
    const auto found = known.find(name);
    if (found == known.end()) throw std::invalid_argument("no features of whole trees are called '" + name + "'");
    families.*(found->second) = true;
  }
  return families;
}

// A sentence with all arcs and a tree of it that is scored by features of the whole tree alone.
class WholeTree {
 public:
  WholeTree(WholeTreeFeatures shape, const Sentence& sentence, const ArrayIn<float>& weights)
      : shape_(std::move(shape)),
        weights_(weights.data(), weights.data() + weights.size()),
        arcs_(sentence.size(), [](int, int) { return true; }),
        zeros_(static_cast<std::size_t>(arcs_.arcs())),
        whole_(shape_),
        tree_(arcs_, scores(), Factorization::arc, &whole_) {
    if ((weights_.size() & (weights_.size() - 1)) != 0 || weights_.size() < 16)
      throw std::invalid_argument("the number of weights must be a power of two, and at least 16");
    Atoms atoms;
    atoms.assign(sentence);
    whole_.read(atoms, weights_.data(), static_cast<std::uint32_t>(weights_.size() - 1));
  }
  WholeTree(const WholeTree&) = delete;
  WholeTree& operator=(const WholeTree&) = delete;

  void assign(const ArrayIn<int>& heads) {
    check(heads);
    tree_.assign(view(heads));
  }
  double score() const { return tree_.score(); }
  bool can_move(int m, int h, bool projective) {
    if (m < 1 || m > tree_.words()) throw std::invalid_argument("m must be a word");
    Moves moves(tree_, false, projective);
    moves.look_at(m);
    const int before = tree_.arc(m);
    bool found = false;
    tree_.detach(m);
    moves.each(m, [&](int arc) { found |= arcs_.head(arc) == h; });
    tree_.attach(before);
    return found;
  }
  // What was said that the move would gain.
  double move(int m, int h) {
    if (!can_move(m, h, false)) throw std::invalid_argument("this move leaves no tree");
    const double lost = tree_.detach(m), gained = tree_.attachment(arcs_.find(h, m));
    tree_.attach(arcs_.find(h, m));
    return gained - lost;
  }

  Array<std::uint64_t> hashes(const ArrayIn<int>& heads) {
    std::vector<std::uint64_t> all;
    whole_.for_each_hash(linked(heads), [&](std::uint64_t hash) { all.push_back(hash); });
    return to_array(std::move(all));
  }
  Array<std::uint32_t> features(const ArrayIn<int>& heads) {
    std::vector<std::uint32_t> all;
    whole_.for_each_feature(linked(heads), [&](std::uint32_t index) { all.push_back(index); });
    return to_array(std::move(all));
  }

  using Words = std::tuple<int, int, int, int, int>;
  std::vector<Words> kin(const ArrayIn<int>& heads) {
    std::vector<Words> all;
    for_each_kin(linked(heads), [&](Kin kind, int a, int b, int c, int d) {
      all.emplace_back(static_cast<int>(kind), a, b, c, d);
    });
    return all;
  }

 private:
  PartScores scores() const {
    PartScores scores;
    scores.labels = zeros_.data();
    return scores;
  }
  void check(const ArrayIn<int>& heads) const {
    if (static_cast<int>(heads.size()) != arcs_.words()) throw std::invalid_argument("one head a word");
    check_is_tree(view(heads));
  }
  LinkedTree linked(const ArrayIn<int>& heads) const {
    check(heads);
    LinkedTree tree;
    tree.assign(view(heads));
    return tree;
  }

  WholeTreeFeatures shape_;
  std::vector<float> weights_;
  Candidates arcs_;
  std::vector<double> zeros_;
  WholeTreeScore whole_;
  MovableTree tree_;
};

// The features of several trees of a sentence, laid end to end; where those of each begin, and where the last end.
std::tuple<Array<std::uint32_t>, Array<std::int64_t>> features_of_trees(const WholeTreeFeatures& shape, const Sentence& sentence,
                                                                        const ArrayIn<int>& heads, int bits) {
  const auto n = static_cast<std::size_t>(sentence.size());
  if (n == 0 || heads.size() % n != 0) throw std::invalid_argument("heads: whole trees, one after the other");
  Atoms atoms;
  atoms.assign(sentence);
  WholeTreeScore whole(shape);
  whole.read(atoms, nullptr, mask_of_bits(bits));
  LinkedTree tree;
  std::vector<std::uint32_t> all;
  std::vector<std::int64_t> begins(1, 0);
  for (std::size_t begin = 0; begin < heads.size(); begin += n) {
    check_is_tree(view(heads).subspan(begin, n));
    tree.assign(view(heads).subspan(begin, n));
    whole.for_each_feature(tree, [&](std::uint32_t index) { all.push_back(index); });
    begins.push_back(static_cast<std::int64_t>(all.size()));
  }
  return {to_array(std::move(all)), to_array(std::move(begins))};
}

}  // namespace

void whole_tree_scoring(nb::module_ module) {
  nb::class_<WholeTreeFeatures>(module, "WholeTreeFeatures", "Which features of whole trees are scored.")
      .def("__init__",
           [](WholeTreeFeatures* self, const Lines& families, const std::string& coarse, const std::string& fine,
              const std::string& word, const Lines& conjunctions, const Lines& adpositions,
              const std::vector<Lines>& kin) {
             new (self) WholeTreeFeatures{families_of(families),
                                    {attribute_named(coarse), attribute_named(fine), attribute_named(word),
                                     WordKinds::hashes(conjunctions), WordKinds::hashes(adpositions)},
                                    KinTemplates(kin)};
           },
           nb::kw_only(), "families"_a, "coarse"_a, "fine"_a, "word"_a, "conjunctions"_a, "adpositions"_a, "kin"_a);

  nb::class_<WholeTreeShape, ScorerShape>(module, "WholeTreeShape", "Features of whole trees as a scorer.")
      .def("__init__",
           [](WholeTreeShape* self, const WholeTreeFeatures& features, int bits, int restarts) {
             new (self) WholeTreeShape(features, bits, restarts);
           },
           "features"_a, nb::kw_only(), "bits"_a, "restarts"_a);

  module.def("features_of_trees", &features_of_trees, "shape"_a, "sentence"_a, "heads"_a, "bits"_a,
             "Weights of the features of several trees, one after the other, and where those of each tree begin.");

  nb::class_<WholeTree>(module, "WholeTree", "A tree scored by features of the whole tree alone.")
      .def(nb::init<WholeTreeFeatures, const Sentence&, const ArrayIn<float>&>(), "shape"_a, "sentence"_a, "weights"_a)
      .def("assign", &WholeTree::assign, "heads"_a)
      .def("score", &WholeTree::score)
      .def("can_move", &WholeTree::can_move, "m"_a, "h"_a, "projective"_a = false)
      .def("move", &WholeTree::move, "m"_a, "h"_a)
      .def("hashes", &WholeTree::hashes, "heads"_a, "Features but for kin, by their 64-bit hashes.")
      .def("features", &WholeTree::features, "heads"_a, "Indices of the weights of all features.")
      .def("kin", &WholeTree::kin, "heads"_a, "(kind, words …) of the parts of kin.hpp.");
}

}  // namespace headwise::bind
