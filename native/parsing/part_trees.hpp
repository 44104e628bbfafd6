// Trees scored by larger parts, over the arcs that survived pruning, in compact tables. Labels may be part of the search:
// then the score of a part is that with the best label of its arc, or the log-sum over all (scoring/part_labels.hpp).
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/random.hpp"
#include "parsing/sentence_trees.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/part_labels.hpp"
#include "trees/dual/relaxed_tree.hpp"

namespace headwise::parsing {

class PartTrees : public SentenceTrees {
 public:
  PartTrees(const ParserShape& shape, Scorers::Which which)
      : SentenceTrees(shape, which),
        labels_(shape.label_templates, shape.labels, shape.filter, shape.label_mask, shape.factorization),
        arc_features_(shape.arc_templates),
        parts_(shape.part_templates) {
    for (const LearnedTable& table : shape.learned_tables())
      if (table.name == "whole_tree") whole_tree_begin_ = static_cast<std::uint32_t>(table.begin);
  }

  // The reading must say which arcs are considered.
  void score(const Reading& reading) override;
  void copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const override;
  void arcs_into(int m, std::vector<ArcInto>& arcs) const override;
  const Candidates* candidates() const override { return &*arcs_; }
  double shortfall(const LabelledTree& gold, double rival_score) override;
  void add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) override;
  void list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const override;
  void list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
                       FeatureSink& labels) override;
  void labels_in_search(std::span<const int> heads, std::vector<int>& labels) override;
  void fix_labels(std::span<const int> heads, std::span<const int> labels, CandidateTables& scores) override;
  double list_label_gradient(std::span<const int> known_heads, std::span<const int> known_labels,
                             const CandidateTables& wanted, const CandidateTables& actual, double negligible,
                             FeatureSink& labels) override;

  // Of features of whole trees alone, in a table of their own.
  void list_whole_tree_difference(std::span<const int> better, std::span<const int> worse, FeatureSink& sink);

  // Of what head automata choose one by one, whether that is a tree or not (Koo et al. 2010, section 6): its score, and
  // the features in which a tree differs from it.
  double search_relaxed(RelaxedTree& chosen) { return chosen.choose(problem().of_parts()); }
  void list_difference(std::span<const int> better, const RelaxedTree& worse, FeatureSink& parts);

  // A tree drawn by the scores of its arcs; and one step of a chain of samples, with the tree that was proposed, whether
  // or not it became the next.
  void draw_first_order_tree(Random& random, std::vector<int>& heads);
  void step_of_chain(Random& random, std::vector<int>& heads, std::vector<int>& proposed);

 protected:
  // Adds what labels score to parts; only where they are part of the search.
  virtual void add_labels(const Atoms& atoms, const Reading& reading);
  void list_label(const ArcRelatives& arc, int label, double amount, FeatureSink& labels);

  PartLabels labels_;
  std::optional<Candidates> arcs_;
  std::vector<double> shares_;
  mutable std::vector<std::uint32_t> indices_;

 private:
  // The choice of the label that an arc of a tree has with its part.
  const LabelChoice& choice_of(const ArcRelatives& arc);
  template <class Kind>
  LabelChoice& choice(Kind, Index place) {
    return choices_[Kind::ancestors][at(place)];
  }
  template <class Kind, class Tables>
  static auto& table_of(Kind kind, Tables& tables) {
    if constexpr (std::is_same_v<Kind, Arcs>) return (tables.arcs);
    else return tables[kind];
  }
  void list_tree(std::span<const int> heads, std::vector<std::uint32_t>& indices);
  void list_relaxed(const RelaxedTree& chosen, std::vector<std::uint32_t>& indices) const;

  std::uint32_t whole_tree_begin_ = 0;  // where these features begin, in the table of all that is learned
  ArcFeatures arc_features_;
  PartScorer parts_;
  // By place, what the label of its arc adds to a part: of the kind without a grandparent, and of that with one.
  std::array<std::vector<LabelChoice>, 2> choices_;
  std::vector<double> dense_;
};

}  // namespace headwise::parsing
