#include "scoring/network/network_scorer.hpp"

#include <algorithm>
#include <vector>

#include "scoring/network/byte_network.hpp"
#include "scoring/network/network.hpp"

namespace headwise::scoring {
namespace {

// A network in floats, or in bytes, and its tables.
struct InFloats {
  using Reader = Network;
  static NetworkTables tables(const WeightTables& tables) { return {tables["network"], tables["vectors"]}; }
  static void score_labels(Reader& reader, int sentence, std::span<const int> heads, Matrix& scores) {
    reader.score_labels(sentence, heads, nullptr, scores);
  }
};
struct InBytes {
  using Reader = ByteNetwork;
  static ByteTables tables(const WeightTables& tables) {
    return {tables.bytes("network"), tables["network_scales"], tables.bytes("vectors"), tables["vector_scales"]};
  }
  static void score_labels(Reader& reader, int sentence, std::span<const int> heads, Matrix& scores) {
    reader.score_labels(sentence, heads, scores);
  }
};

template <class Numbers>
class NetworkScorer final : public Scorer {
 public:
  explicit NetworkScorer(const NetworkScorerShape& shape)
      : shape_(&shape), network_(shape.network()), together_(shape.network()) {}

  // Layers are wider than caches, so a position of several sentences takes hardly longer than that of one.
  void expect(std::span<const Atoms> sentences, const WeightTables& tables) override {
    expected_.clear();
    for (const Atoms& atoms : sentences)
      if (atoms.words() > 0 && atoms.words() < longest_expected)
        shape_->network().vocabulary.list(atoms, expected_.emplace_back());
    if (expected_.size() < 2) return expected_.clear();
    std::stable_sort(expected_.begin(), expected_.end(),
                     [](const auto& a, const auto& b) { return a.positions() > b.positions(); });
    pieces_.clear();
    for (const KnownSentence& known : expected_) pieces_.push_back({&known, 0, known.positions()});
    together_.read(pieces_, Numbers::tables(tables));
  }

  // What is known of the words decides which of the expected sentences this is: others may have annotated it since.
  void read(const Atoms& atoms, const WeightTables& tables) override {
    shape_->network().vocabulary.list(atoms, known_);
    if (const auto found = std::find(expected_.begin(), expected_.end(), known_); found != expected_.end()) {
      read_ = &together_;
      sentence_ = static_cast<int>(found - expected_.begin());
    } else {
      read_alone(known_.positions(), 0, tables);
    }
  }
  // A sentence of any length: in pieces that know nothing of each other.
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) override {
    if (!has_labels()) return;
    shape_->network().vocabulary.list(atoms, known_);
    read_alone(longest_piece, PackedSentences::joined, tables);
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
    Numbers::score_labels(*read_, sentence_, heads, labels_);
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
  void read_alone(int piece, int sentence, const WeightTables& tables) {
    pieces_.clear();
    for (int begin = 0; begin < known_.positions(); begin += piece)
      pieces_.push_back({&known_, begin, std::min(piece, known_.positions() - begin)});
    network_.read(pieces_, Numbers::tables(tables));
    read_ = &network_;
    sentence_ = sentence;
  }

  const NetworkScorerShape* shape_;
  typename Numbers::Reader network_, together_;
  typename Numbers::Reader* read_ = &network_;  // which of them has read the sentence, and which of its sentences it is
  int sentence_ = 0;
  std::vector<KnownSentence> expected_;  // in the order of `together_`
  KnownSentence known_;
  std::vector<KnownPiece> pieces_;
  Matrix arcs_, labels_;
};

}  // namespace

std::vector<TableSize> NetworkScorerShape::tables() const {
  if (!in_bytes_) return {{"network", network_weight_count(network_)}, {"vectors", network_.vector_count()}};
  const ByteWeights sizes(network_, nullptr, nullptr);
  return {TableSize::of_bytes("network", sizes.byte_count()),
          {"network_scales", sizes.float_count()},
          TableSize::of_bytes("vectors", network_.vector_count()),
          {"vector_scales", static_cast<std::size_t>(network_.vocabulary.size())}};
}

std::unique_ptr<Scorer> NetworkScorerShape::make() const {
  if (in_bytes_) return std::make_unique<NetworkScorer<InBytes>>(*this);
  return std::make_unique<NetworkScorer<InFloats>>(*this);
}

}  // namespace headwise::scoring
