// Trees scored arc by arc, in a dense table; labels may be part of the search.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "parsing/sentence_trees.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/labeler.hpp"

namespace headwise::parsing {

class ArcTrees final : public SentenceTrees {
 public:
  ArcTrees(const ParserShape& shape, Scorers::Which which)
      : SentenceTrees(shape, which), arc_features_(shape.arc_templates), label_features_(shape.label_templates) {}

  void score(const Reading& reading) override;
  void copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const override;
  void arcs_into(int m, std::vector<ArcInto>& arcs) const override;
  double shortfall(const LabelledTree& gold, double rival_score) override;
  void add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) override;
  void labels_in_search(std::span<const int> heads, std::vector<int>& labels) override;
  void list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const override;
  void list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
                       FeatureSink& labels) override;
  double list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                             const CandidateTables& wanted, const CandidateTables& actual, double negligible,
                             FeatureSink& labels) override;

  // Places of the features of one arc.
  void list_arc(int h, int m, std::vector<std::uint32_t>& indices) const {
    arc_features_.for_each(h, m, shape_->arc_mask, [&](std::uint32_t f) { indices.push_back(f); });
  }

 private:
  std::size_t arc(int h, int m) const { return at(h) * at(words_ + 1) + at(m); }
  const LabelCandidates& label_candidates(int h, int m) const { return shape_->labels.candidates(tags_, h, m); }
  // The weights of each candidate label of an arc.
  const float* sum_label_weights(int h, int m);
  void add_labels(const Reading& reading);
  double sum_label(int h, int m, int label);
  void list_label(int h, int m, int label, std::vector<std::uint32_t>& indices) const;

  ArcFeatures arc_features_;
  LabelFeatures label_features_;
  LabelSums label_sums_;
  const float* label_weights_ = nullptr;
  std::vector<int> tags_, arc_label_;
  std::vector<double> unlabelled_;  // the scores of arcs before those of labels were added
  std::vector<double> shares_;
  mutable std::vector<std::uint32_t> indices_;
};

}  // namespace headwise::parsing
