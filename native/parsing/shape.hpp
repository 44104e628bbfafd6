// What a parser computes, without its weights.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scoring/arc_filter.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/label_candidates.hpp"
#include "scoring/label_rules.hpp"
#include "scoring/part_scorer.hpp"
#include "scoring/scorer.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::parsing {

// How labels are found: not at all, over the finished tree, or inside the search. Latent labels are inside the
// search too, but no treebank names them: they are clusters of arcs that help to tell trees apart.
enum class LabelMode : std::uint8_t { none, separate, joint, latent };

struct PruningLimits {
  double threshold = 1e-3;  // relative to the best head of the word
  int most_heads = 10;      // a word
  // In longer sentences heads are compared word by word, without regard to trees: O(n²) instead of O(n³).
  int longest_summed = 300;
};

struct PrunerShape;

struct LearnedTable {
  std::string name;
  std::size_t begin, size;
};

struct ParserShape {
  ArcFilter filter;
  ArcTemplates arc_templates;
  LabelTemplates label_templates;
  LabelSet labels;
  LabelMode label_mode;
  bool projective;
  bool single_root;
  std::uint32_t arc_mask, label_mask;  // table sizes less one; both sizes are powers of two
  Factorization factorization = Factorization::arc;
  HigherOrderTemplates part_templates{HigherOrderTemplates::Lines{}};
  // What chooses the arcs that larger parts are made of; arcs alone need none.
  std::shared_ptr<const PrunerShape> pruner{};
  ScorerShapes scorers{};
  std::shared_ptr<const WordView> words{};  // how words are looked at; none: as sentences have them
  std::shared_ptr<const LabelRules> rules{};  // that labels of finished trees obey; none: word by word

  bool has_larger_parts() const { return factorization != Factorization::arc; }
  bool labels_in_search() const { return label_mode == LabelMode::joint || label_mode == LabelMode::latent; }
  bool labels_are_given() const { return label_mode == LabelMode::separate || label_mode == LabelMode::joint; }
  // Whether labels in the search ask for modifiers of the modifier: then they are told apart inside the chart.
  bool labels_see_modifiers() const {
    return labels_in_search() && (label_templates.relatives & (LabelTemplates::bit(LabelTemplates::leftmost) |
                                                               LabelTemplates::bit(LabelTemplates::rightmost)));
  }
  // Whether sums are over all trees that are searched. With larger parts they are over projective ones.
  bool sums_all_trees() const { return projective || !has_larger_parts(); }

  std::size_t arc_table_size() const { return static_cast<std::size_t>(arc_mask) + 1; }
  std::size_t label_table_size() const {
    return label_mode == LabelMode::none ? label_row_padding
                                         : static_cast<std::size_t>(label_mask) + 1 + label_row_padding;
  }
  // Of scorers that are learned beside the features: in training their tables follow that of parts, in one, and those
  // that are learned with labels follow that of labels.
  std::vector<LearnedTable> learned_tables() const { return learned_after(arc_table_size(), false); }
  std::vector<LearnedTable> learned_label_tables() const { return learned_after(label_table_size(), true); }
  // Of parts and all that follows; the same of labels.
  std::size_t size_in_training() const { return end_of(arc_table_size(), learned_tables()); }
  std::size_t label_size_in_training() const { return end_of(label_table_size(), learned_label_tables()); }
  // Whether a scorer is learned with the labels of finished trees.
  bool labels_have_scorers() const { return label_size_in_training() > label_table_size(); }
  WeightTables tables_in_training(const float* parts, const float* label_weights) const {
    WeightTables all = {{"arcs", parts}, {"labels", label_weights}};
    for (const LearnedTable& table : learned_tables()) all.set(table.name, parts + table.begin);
    for (const LearnedTable& table : learned_label_tables()) all.set(table.name, label_weights + table.begin);
    return all;
  }
  std::vector<TableSize> tables() const;

 private:
  std::vector<LearnedTable> learned_after(std::size_t begin, bool of_labels) const {
    std::vector<LearnedTable> learned;
    for (const auto& scorer : scorers)
      if (scorer->is_learned())
        for (TableSize& table : scorer->tables())
          if (table.of_labels == of_labels) {
            learned.push_back({std::move(table.name), begin, table.size});
            begin += table.size;
          }
    return learned;
  }
  static std::size_t end_of(std::size_t begin, const std::vector<LearnedTable>& learned) {
    return learned.empty() ? begin : learned.back().begin + learned.back().size;
  }
};

// A small model of arcs alone, and how unlikely an arc has to be under it to be dropped.
struct PrunerShape {
  ParserShape model;
  PruningLimits limits;
};

// Throw std::invalid_argument where what they ask for does not go together, or is too much.
void check(const ParserShape& shape);
void check(const PrunerShape& shape);

}  // namespace headwise::parsing
