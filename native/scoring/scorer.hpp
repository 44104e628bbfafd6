// A scorer is one source of scores: it reads a sentence, and adds what it knows to the scores of arcs, of larger parts
// and of labels. A parser has a list of them beside its features; none knows of the others, nor of any search.
//
// A new scorer is a file with a ScorerShape (what it computes, without its weights, and which weight tables it has, by
// name) and the Scorer that the shape makes (one for each thread). The parser finds out all else from these two.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scoring/feature_sink.hpp"
#include "scoring/features/atoms.hpp"
#include "scoring/label_candidates.hpp"
#include "trees/local_search/whole_tree_scorer.hpp"

namespace headwise::scoring {

// Weight tables by name. They lie elsewhere, and must stay there.
class WeightTables {
 public:
  WeightTables() = default;
  WeightTables(std::initializer_list<std::pair<std::string_view, const float*>> tables) {
    for (const auto& [name, weights] : tables) set(name, weights);
  }
  void set(std::string_view name, const float* weights) {
    for (auto& [known, table] : tables_)
      if (known == name) {
        table = weights;
        return;
      }
    tables_.emplace_back(name, weights);
  }
  void set_bytes(std::string_view name, const std::uint8_t* bytes) { bytes_.emplace_back(name, bytes); }
  const float* operator[](std::string_view name) const { return find(tables_, name); }
  const std::uint8_t* bytes(std::string_view name) const { return find(bytes_, name); }

 private:
  template <class Number>
  using Named = std::vector<std::pair<std::string, const Number*>>;
  template <class Number>
  static const Number* find(const Named<Number>& tables, std::string_view name) {
    for (const auto& [known, table] : tables)
      if (known == name) return table;
    throw std::invalid_argument("there is no weight table '" + std::string(name) + "'");
  }
  Named<float> tables_;
  Named<std::uint8_t> bytes_;
};

struct TableSize {
  std::string name;
  std::size_t size;
  bool of_labels = false;  // of a scorer that is learned: together with the labels of finished trees, not with parts
  bool in_bytes = false;   // of floats otherwise

  static TableSize of_bytes(std::string name, std::size_t size) { return {std::move(name), size, false, true}; }
};

class Scorer {
 public:
  virtual ~Scorer() = default;

  // The sentence as all are to read it: with what this scorer finds out about its words.
  virtual const Atoms& annotate(const Atoms& atoms, const WeightTables&) { return atoms; }

  // Sentences that are about to be read, one after the other: what is cheaper for several at once may be done here.
  virtual void expect(std::span<const Atoms>, const WeightTables&) {}

  // Prepares for a sentence; what follows is about this one. For its labels alone, it may be of any length.
  virtual void read(const Atoms&, const WeightTables&) {}
  virtual void read_for_labels(const Atoms& atoms, const WeightTables& tables) { read(atoms, tables); }

  // Adds to scores[h * (n + 1) + m]. An arc that is not considered scores −inf, and stays there.
  virtual void add_arcs(std::span<double>) {}
  // The derivative of Σ amounts[arc] · score(arc) by the tables of a scorer that is learned, which lie one after the
  // other from `begin` on. Arcs with a negligible amount are left out.
  virtual void list_arc_gradient(std::span<const double> /*amounts*/, double /*negligible*/, std::uint32_t /*begin*/,
                                 FeatureSink&) {}

  // Prepares for a tree of the sentence; then adds to the scores of the labels of the arc into m, by label.
  virtual void read_tree(std::span<const int>) {}
  virtual void add_labels(int, const LabelCandidates&, float*) {}
  // The derivative of amount · score(label of the arc into m) by its tables of labels, which lie from `begin` on.
  virtual void list_label_gradient(int /*m*/, int /*label*/, double /*amount*/, std::uint32_t /*begin*/, FeatureSink&) {}

  // What it says of trees as a whole; nullptr for nothing.
  virtual WholeTreeScorer* whole_tree() { return nullptr; }
  // The features of a tree as a whole, as places in its weight table: those of a scorer that is learned.
  virtual void list_whole_tree_features(const LinkedTree&, std::vector<std::uint32_t>&) {}
};

class ScorerShape {
 public:
  virtual ~ScorerShape() = default;
  virtual std::vector<TableSize> tables() const = 0;
  virtual std::unique_ptr<Scorer> make() const = 0;
  // Whether it is learned beside the features, and so has its say in training; others are silent there.
  virtual bool is_learned() const { return false; }
  // Of how many tables its scores are a product: each is learned with the others as they stand.
  virtual int factors() const { return 1; }
  // How many sentences it would like to expect at once.
  virtual int expected_at_once() const { return 1; }
  // Throws std::invalid_argument where it does not fit a parser with so many labels.
  virtual void check(int /*label_count*/) const {}
};

using ScorerShapes = std::vector<std::shared_ptr<const ScorerShape>>;

// The scorers of one thread, asked one after the other.
class Scorers {
 public:
  enum class Which : std::uint8_t { all, learned };

  explicit Scorers(const ScorerShapes& shapes, Which which = Which::all) {
    std::uint32_t begin = 0, label_begin = 0;
    for (const auto& shape : shapes) {
      if (which == Which::all || shape->is_learned()) scorers_.push_back(shape->make());
      if (!shape->is_learned()) continue;
      learned_.push_back({scorers_.back().get(), begin, label_begin});
      for (const TableSize& table : shape->tables())
        (table.of_labels ? label_begin : begin) += static_cast<std::uint32_t>(table.size);
    }
  }

  void add(std::unique_ptr<Scorer> scorer) { scorers_.push_back(std::move(scorer)); }

  void expect(std::span<const Atoms> sentences, const WeightTables& tables) {
    for (const auto& scorer : scorers_) scorer->expect(sentences, tables);
  }
  const Atoms& read(const Atoms& given, const WeightTables& tables) {
    const Atoms* atoms = &given;
    for (const auto& scorer : scorers_) atoms = &scorer->annotate(*atoms, tables);
    for (const auto& scorer : scorers_) scorer->read(*atoms, tables);
    return *atoms;
  }
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) {
    for (const auto& scorer : scorers_) scorer->read_for_labels(atoms, tables);
  }
  void add_arcs(std::span<double> scores) {
    for (const auto& scorer : scorers_) scorer->add_arcs(scores);
  }
  // Of those that are learned, whose tables follow each other from `begin` on.
  void list_arc_gradient(std::span<const double> amounts, double negligible, std::uint32_t begin,
                         FeatureSink& sink) const {
    for (const Learned& own : learned_) own.scorer->list_arc_gradient(amounts, negligible, begin + own.begin, sink);
  }
  bool any_learned() const { return !learned_.empty(); }
  void read_tree(std::span<const int> heads) {
    for (const auto& scorer : scorers_) scorer->read_tree(heads);
  }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) {
    for (const auto& scorer : scorers_) scorer->add_labels(m, candidates, scores);
  }
  void list_label_gradient(int m, int label, double amount, std::uint32_t begin, FeatureSink& sink) const {
    for (const Learned& own : learned_) own.scorer->list_label_gradient(m, label, amount, begin + own.label_begin, sink);
  }
  WholeTreeScorer* whole_tree() {
    for (const auto& scorer : scorers_)
      if (WholeTreeScorer* whole = scorer->whole_tree()) return whole;
    return nullptr;
  }
  void list_whole_tree_features(const LinkedTree& tree, std::vector<std::uint32_t>& indices) {
    for (const auto& scorer : scorers_) scorer->list_whole_tree_features(tree, indices);
  }

 private:
  std::vector<std::unique_ptr<Scorer>> scorers_;
  struct Learned {
    Scorer* scorer;
    std::uint32_t begin, label_begin;  // of their tables of parts, and of labels
  };
  std::vector<Learned> learned_;
};

}  // namespace headwise::scoring
