#include "scoring/network/network_scorer.hpp"

#include "base/index.hpp"
#include "scoring/network/byte_network.hpp"
#include "scoring/network/network.hpp"
#include "scoring/network/network_reader.hpp"

namespace headwise::scoring {
namespace {

// A network in floats, or in bytes, and its tables.
struct InFloats {
  using Network = scoring::Network;
  using Tables = NetworkTables;
  static Tables tables(const WeightTables& tables, const NetworkTableNames& names) {
    return {tables[names.network], tables[names.vectors]};
  }
  static const void* identity(const Tables& tables) { return tables.weights; }
  static void score_arcs(Network& network, Matrix& scores) { network.score_arcs(0, scores); }
  static void score_labels(Network& network, std::span<const int> heads, Matrix& scores) {
    network.score_labels(0, heads, nullptr, scores);
  }
};
struct InBytes {
  using Network = ByteNetwork;
  using Tables = ByteTables;
  static Tables tables(const WeightTables& tables, const NetworkTableNames& names) {
    return {tables.bytes(names.network), tables[names.network_scales], tables.bytes(names.vectors),
            tables[names.vector_scales]};
  }
  static const void* identity(const Tables& tables) { return tables.network; }
  static void score_arcs(Network& network, Matrix& scores) { network.score_arcs(scores); }
  static void score_labels(Network& network, std::span<const int> heads, Matrix& scores) {
    network.score_labels(heads, scores);
  }
};

template <class Numbers>
class NetworkScorer final : public Scorer {
 public:
  explicit NetworkScorer(const NetworkScorerShape& shape)
      : shape_(&shape), reader_(shape.network(), shape.encoded(), shape.pieces_of_words()), network_(shape.network()) {}

  void expect(std::span<const Atoms> sentences, const WeightTables& tables) override {
    reader_.expect(sentences, own(tables));
  }
  void read(const Atoms& atoms, const WeightTables& tables) override {
    states_ = reader_.read(atoms, own(tables));
    network_.look_at(*states_, own(tables));
  }
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) override {
    if (has_labels()) read(atoms, tables);
  }

  void add_arcs(std::span<double> scores) override {
    Numbers::score_arcs(network_, arcs_);
    const int nodes = arcs_.rows();
    for (int m = 1; m < nodes; ++m)
      for (int h = 0; h < nodes; ++h)
        if (h != m)
          scores[at(h * nodes + m)] += shape_->weight() * static_cast<double>(arcs_.row(m)[h]);
  }

  void read_tree(std::span<const int> heads) override {
    if (!has_labels()) return;
    Numbers::score_labels(network_, heads, labels_);
    for (int m = 0; m < labels_.rows(); ++m)
      for (int l = 0; l < labels_.columns(); ++l) labels_.row(m)[l] *= static_cast<float>(shape_->weight());
  }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) override {
    if (!has_labels()) return;
    for (const int l : candidates.labels) scores[l] += labels_.row(m - 1)[l];
  }

 private:
  bool has_labels() const { return shape_->network().widths.label_count > 0; }
  typename Numbers::Tables own(const WeightTables& tables) const { return Numbers::tables(tables, shape_->names()); }

  const NetworkScorerShape* shape_;
  NetworkReader<Numbers> reader_;
  typename NetworkReader<Numbers>::KeptStates states_;
  typename Numbers::Network network_;
  Matrix arcs_, labels_;
};

template <class Numbers>
class NetworkTagScorer final : public TagScorer {
 public:
  NetworkTagScorer(const NetworkScorerShape& shape, const WeightTables& tables)
      : tables_(Numbers::tables(tables, shape.names())),
        reader_(shape.network(), shape.encoded(), shape.pieces_of_words()),
        network_(shape.network()) {}

  void expect(std::span<const Atoms> sentences) override { reader_.expect(sentences, tables_); }
  const Matrix& read(const Atoms& atoms) override {
    network_.score_tags(*reader_.read(atoms, tables_), tables_, scores_);
    return scores_;
  }

 private:
  typename Numbers::Tables tables_;
  NetworkReader<Numbers> reader_;
  typename Numbers::Network network_;
  Matrix scores_;
};

}  // namespace

NetworkTableNames::NetworkTableNames(int member) {
  if (member < 2) return;
  for (std::string* name : {&network, &network_scales, &vectors, &vector_scales})
    name->append(".").append(std::to_string(member));
}

std::vector<TableSize> NetworkScorerShape::tables() const {
  if (!in_bytes_) return {{names_.network, network_weight_count(network_)}, {names_.vectors, network_.vector_count()}};
  const ByteWeights sizes(network_, nullptr, nullptr);
  return {TableSize::of_bytes(names_.network, sizes.byte_count()),
          {names_.network_scales, sizes.float_count()},
          TableSize::of_bytes(names_.vectors, network_.vector_count()),
          {names_.vector_scales, static_cast<std::size_t>(network_.vocabulary.size())}};
}

std::unique_ptr<Scorer> NetworkScorerShape::make() const {
  if (in_bytes_) return std::make_unique<NetworkScorer<InBytes>>(*this);
  return std::make_unique<NetworkScorer<InFloats>>(*this);
}

std::unique_ptr<TagScorer> NetworkScorerShape::make_tag_scorer(const WeightTables& tables) const {
  if (in_bytes_) return std::make_unique<NetworkTagScorer<InBytes>>(*this, tables);
  return std::make_unique<NetworkTagScorer<InFloats>>(*this, tables);
}

}  // namespace headwise::scoring
