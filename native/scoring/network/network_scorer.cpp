#include "scoring/network/network_scorer.hpp"

#include "scoring/network/network.hpp"

namespace headwise::scoring {
namespace {

class NetworkScorer final : public Scorer {
 public:
  explicit NetworkScorer(const NetworkScorerShape& shape) : shape_(&shape), network_(shape.network()) {}

  void read(const Atoms& atoms, const WeightTables& tables) override {
    network_.read(atoms, {tables["network"], tables["vectors"]});
  }
  void read_for_labels(const Atoms& atoms, const WeightTables& tables) override {
    if (has_labels()) network_.read_for_labels(atoms, {tables["network"], tables["vectors"]});
  }

  void add_arcs(std::span<double> scores) override {
    network_.score_arcs(0, arcs_);
    const int nodes = arcs_.rows();
    for (int m = 1; m < nodes; ++m)
      for (int h = 0; h < nodes; ++h)
        if (h != m)
          scores[static_cast<std::size_t>(h * nodes + m)] += shape_->weight() * static_cast<double>(arcs_.row(m)[h]);
  }

  void read_tree(std::span<const int> heads) override {
    if (!has_labels()) return;
    network_.score_labels(0, heads, nullptr, labels_);
    for (int m = 0; m < labels_.rows(); ++m)
      for (int l = 0; l < labels_.columns(); ++l) labels_.row(m)[l] *= static_cast<float>(shape_->weight());
  }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) override {
    if (!has_labels()) return;
    for (const int l : candidates.labels) scores[l] += labels_.row(m - 1)[l];
  }

 private:
  bool has_labels() const { return shape_->network().label_count > 0; }

  const NetworkScorerShape* shape_;
  Network network_;
  Matrix arcs_, labels_;
};

}  // namespace

std::unique_ptr<Scorer> NetworkScorerShape::make() const { return std::make_unique<NetworkScorer>(*this); }

}  // namespace headwise::scoring
