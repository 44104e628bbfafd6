#include "scoring/network/network_scorer.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scoring/network/network.hpp"

namespace headwise::scoring {
namespace {

class NetworkScorer final : public Scorer {
 public:
  explicit NetworkScorer(const NetworkScorerShape& shape)
      : shape_(&shape), network_(shape.network()), together_(shape.network()) {}

  // Layers are wider than caches, so a position of several sentences takes hardly longer than that of one.
  void expect(std::span<const Atoms> sentences, const WeightTables& tables) override {
    expected_.clear();
    std::vector<const Atoms*> chosen;
    for (const Atoms& atoms : sentences)
      if (atoms.words() > 0 && atoms.words() < longest_expected) chosen.push_back(&atoms);
    if (chosen.size() < 2) return;
    std::stable_sort(chosen.begin(), chosen.end(), [](auto* a, auto* b) { return a->words() > b->words(); });
    together_.read(chosen, tables_of(tables));
    for (const Atoms* atoms : chosen) shape_->network().vocabulary.list(*atoms, expected_.emplace_back());
  }

  // What is known of the words decides which of the expected sentences this is: others may have annotated it since.
  void read(const Atoms& atoms, const WeightTables& tables) override {
    if (!expected_.empty()) {
      shape_->network().vocabulary.list(atoms, known_);
      if (const auto found = std::find(expected_.begin(), expected_.end(), known_); found != expected_.end()) {
        read_ = &together_;
        sentence_ = static_cast<int>(found - expected_.begin());
        return;
      }
    }
    network_.read(atoms, tables_of(tables));
    set_read_alone();
  }
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) override {
    if (!has_labels()) return;
    network_.read_for_labels(atoms, tables_of(tables));
    set_read_alone();
  }

  void add_arcs(std::span<double> scores) override {
    read_->score_arcs(sentence_, arcs_);
    const int nodes = arcs_.rows();
    for (int m = 1; m < nodes; ++m)
      for (int h = 0; h < nodes; ++h)
        if (h != m)
          scores[static_cast<std::size_t>(h * nodes + m)] += shape_->weight() * static_cast<double>(arcs_.row(m)[h]);
  }

  void read_tree(std::span<const int> heads) override {
    if (!has_labels()) return;
    read_->score_labels(sentence_, heads, nullptr, labels_);
    for (int m = 0; m < labels_.rows(); ++m)
      for (int l = 0; l < labels_.columns(); ++l) labels_.row(m)[l] *= static_cast<float>(shape_->weight());
  }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) override {
    if (!has_labels()) return;
    for (const int l : candidates.labels) scores[l] += labels_.row(m - 1)[l];
  }

 private:
  static constexpr int longest_expected = 200;  // words: longer sentences are quick enough alone

  bool has_labels() const { return shape_->network().label_count > 0; }
  static NetworkTables tables_of(const WeightTables& tables) { return {tables["network"], tables["vectors"]}; }
  void set_read_alone() {
    read_ = &network_;
    sentence_ = 0;
  }

  const NetworkScorerShape* shape_;
  Network network_, together_;
  Network* read_ = &network_;  // which of them has read the sentence, and which of its sentences it is
  int sentence_ = 0;
  std::vector<std::vector<std::uint64_t>> expected_;  // what is known of each, in the order of `together_`
  std::vector<std::uint64_t> known_;
  Matrix arcs_, labels_;
};

}  // namespace

std::unique_ptr<Scorer> NetworkScorerShape::make() const { return std::make_unique<NetworkScorer>(*this); }

}  // namespace headwise::scoring
