// Trees scored by larger parts, the label of an arc told apart inside the chart: it may ask for the outermost modifiers
// of the arc's modifier too (Carreras 2007: w1, wh, wmi and wmo of every label). Projective trees of siblings and
// outermost grandchildren. Given the tree, every label is chosen by itself.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <span>
#include <vector>

#include "parsing/part_trees.hpp"
#include "trees/factorizations/labelled_arcs.hpp"

namespace headwise::parsing {

class LabelledPartTrees final : public PartTrees {
 public:
  using PartTrees::PartTrees;

  const LabelledArcs* labelled_arcs() const override { return &*labelled_; }
  double tree_score(std::span<const int> heads) override;
  double log_weight(std::span<const int> heads, double temperature) override;
  double shortfall(const LabelledTree& gold, double rival_score) override;
  void labels_in_search(std::span<const int> heads, std::vector<int>& labels) override;
  void fix_labels(std::span<const int> heads, std::span<const int> labels, CandidateTables& scores) override;
  double list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                             const CandidateTables& wanted, const CandidateTables& actual, double negligible,
                             FeatureSink& labels) override;

 private:
  void add_labels(const Atoms& atoms, const Reading& reading) override;
  const LabelCandidates& candidates(const ArcRelatives& arc);
  // visit(arc, candidates, sums) for the arcs of a tree.
  template <class Visit>
  void each_arc(std::span<const int> heads, Visit visit);
  // visit(factor, relatives, table, place) for all that the labels of an arc are scored by: the words, which templates
  // look at them, and where place(labelled arc) is the score of a label.
  template <class Visit>
  void each_factor(int arc, Visit visit) const;
  double score_without_labels(std::span<const int> heads) { return PartTrees::tree_score(heads); }

  std::optional<LabelledArcs> labelled_;
  OverLabels over_labels_ = OverLabels::best;
  std::vector<int> known_, gold_;  // labels of words: the only candidates; those that cost nothing. Empty: not given
};

}  // namespace headwise::parsing
