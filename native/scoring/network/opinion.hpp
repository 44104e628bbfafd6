// What a network says of the arcs and labels of a sentence, on the scale of a parser's scores.
//
// Log-probabilities of a network and scores of features are added: where the two know different things, their sum knows
// more than either (a product of experts).
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <span>
#include <vector>

#include "scoring/network/network.hpp"

namespace headwise::scoring {

struct OpinionShape {
  NetworkShape network{};
  double weight = 0;  // what a log-probability is multiplied by

  bool any() const { return network.any(); }
};

class NetworkOpinion {
 public:
  explicit NetworkOpinion(const OpinionShape& shape) : shape_(&shape), network_(shape.network) {}

  void read(const Atoms& atoms, const NetworkTables& tables) { network_.read(atoms, tables); }
  void read_for_labels(const Atoms& atoms, const NetworkTables& tables) { network_.read_for_labels(atoms, tables); }

  // Of the sentence that was read: scores[h * (n + 1) + m] with those of the network. −inf stays what it is.
  void add_arcs(std::vector<double>& scores) {
    network_.score_arcs(0, arcs_);
    const int nodes = arcs_.rows();
    for (int m = 1; m < nodes; ++m)
      for (int h = 0; h < nodes; ++h)
        if (h != m)
          scores[static_cast<std::size_t>(h * nodes + m)] += shape_->weight * static_cast<double>(arcs_.row(m)[h]);
  }

  // Scores of labels by word (its number less one), given the heads.
  const Matrix& labels(std::span<const int> heads) {
    network_.score_labels(0, heads, nullptr, labels_);
    for (int m = 0; m < labels_.rows(); ++m)
      for (int l = 0; l < labels_.columns(); ++l) labels_.row(m)[l] *= static_cast<float>(shape_->weight);
    return labels_;
  }

 private:
  const OpinionShape* shape_;
  Network network_;
  Matrix arcs_, labels_;
};

}  // namespace headwise::scoring
