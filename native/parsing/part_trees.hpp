// Trees scored by larger parts, over the arcs that survived pruning, in compact tables.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "parsing/sentence_trees.hpp"
#include "scoring/features/arc_features.hpp"
#include "trees/dual/relaxed_tree.hpp"

namespace headwise::parsing {

class PartTrees final : public SentenceTrees {
 public:
  PartTrees(const ParserShape& shape, Scorers::Which which)
      : SentenceTrees(shape, which), arc_features_(shape.arc_templates), parts_(shape.part_templates) {
    for (const LearnedTable& table : shape.learned_tables())
      if (table.name == "whole_tree") whole_tree_begin_ = static_cast<std::uint32_t>(table.begin);
  }

  // The reading must say which arcs are considered.
  void score(const Reading& reading) override;
  void copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const override;
  void arcs_into(int m, std::vector<ArcInto>& arcs) const override;
  const Candidates* candidates() const override { return &*arcs_; }
  double shortfall(const LabelledTree& gold, double rival_score) override {
    return rival_score - whole_score(gold.heads);
  }
  void add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) override;
  void list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const override;
  void list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
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

 private:
  void list_tree(std::span<const int> heads, std::vector<std::uint32_t>& indices);
  void list_relaxed(const RelaxedTree& chosen, std::vector<std::uint32_t>& indices) const;

  std::uint32_t whole_tree_begin_ = 0;  // where these features begin, in the table of all that is learned
  ArcFeatures arc_features_;
  PartScorer parts_;
  std::optional<Candidates> arcs_;
  std::vector<double> dense_;
  mutable std::vector<std::uint32_t> indices_;
};

}  // namespace headwise::parsing
