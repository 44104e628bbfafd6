// In what two trees differ: features, and the scores of what is learned beside them.
//
// A score that is a product of sums is linear in the weights of one factor when the others stand still. So the factors
// take turns, each with the features: (θ, U), (θ, V), (θ, W) of a tensor, a passive-aggressive step each (Lei et al.
// 2014, section 4). Their θ is scaled by γ where it is scored; the table of features holds γθ. So features count γ² in
// the norm of a difference, and move by γ² of a step.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>

#include "learning/row_difference.hpp"
#include "learning/sparse_difference.hpp"
#include "parsing/shape.hpp"

namespace headwise::learning {

class PartDifference final : public FeatureSink {
 public:
  // `share` is γ.
  PartDifference(const ParserShape& shape, double share)
      : PartDifference(shape.size_in_training(), !shape.learned_tables().empty(), share) {
    for (const auto& scorer : shape.scorers) factors_ = std::max(factors_, scorer->factors());
  }
  // Of weights some of which may be moved in rows.
  PartDifference(std::size_t size, bool has_rows, double share)
      : features_(size), rows_(has_rows ? size : 0), share_(share * share) {}

  // Which factor's turn it is.
  void choose_factor(std::uint64_t step) { factor_ = static_cast<int>(step % static_cast<std::uint64_t>(factors_)); }
  int factor() const override { return factor_; }

  void add(std::span<const std::uint32_t> indices, double amount) override { features_.add(indices, amount); }
  void add_row(std::uint32_t begin, std::span<const float> amounts) override { rows_.add(begin, amounts); }

  double squared_norm(const AveragedWeights& weights) const {
    return share_ * features_.squared_norm(weights) + rows_.squared_norm();
  }
  double dot(const float* weights) const { return features_.dot(weights) + rows_.dot(weights); }
  void apply(AveragedWeights& weights, double step) {
    features_.apply(weights, share_ * step);
    rows_.apply(weights, step);
  }

 private:
  SparseDifference features_;
  RowDifference rows_;
  double share_;
  int factors_ = 1, factor_ = 0;
};

}  // namespace headwise::learning
