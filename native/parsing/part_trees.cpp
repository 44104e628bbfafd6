#include "parsing/part_trees.hpp"

#include <cmath>

#include "trees/local_search/chain.hpp"
#include "trees/local_search/starts.hpp"
#include "trees/tree_score.hpp"

namespace headwise::parsing {

void PartTrees::score(const Reading& reading) {
  const int nodes = reading.atoms.words() + 1;
  words_ = nodes - 1;
  arcs_.emplace(words_, [&](int h, int m) { return reading.arcs[at(h * nodes + m)] != 0; });
  const Atoms& atoms = scorers_.read(reading.atoms, reading.tables);
  const float* weights = reading.tables["arcs"];
  arc_features_.assign(atoms);
  dense_.resize(at(nodes) * at(nodes));
  arc_features_.score(weights, shape_->arc_mask, dense_.data(), [&](int h, int m) { return arcs_->find(h, m) >= 0; });
  scorers_.add_arcs(dense_);
  scores_.arcs.resize(at(arcs_->arcs()));
  const Gold* gold = reading.gold;
  for (int arc = 0; arc < arcs_->arcs(); ++arc) {
    const int h = arcs_->head(arc), m = arcs_->modifier(arc);
    scores_.arcs[at(arc)] = dense_[at(h * nodes + m)] + (gold && gold->heads[at(m - 1)] != h ? gold->cost : 0.0);
  }
  parts_.assign(atoms);
  parts_.score(*arcs_, shape_->factorization, weights, shape_->arc_mask, scores_);
  if (shape_->labels_in_search()) add_labels(atoms, reading);
}

void PartTrees::copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const {
  const int nodes = arcs_->nodes();
  dense.assign(at(nodes) * at(nodes), elsewhere);
  for (int arc = 0; arc < arcs_->arcs(); ++arc)
    dense[at(arcs_->head(arc) * nodes + arcs_->modifier(arc))] = of_arcs[at(arc)];
}

void PartTrees::arcs_into(int m, std::vector<ArcInto>& arcs) const {
  arcs.clear();
  for (const int arc : arcs_->into(m)) arcs.push_back({arcs_->head(arc), at(arc)});
}

void PartTrees::add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) {
  add_to_tree(*arcs_, numbers.marginals(), shape_->factorization, heads, amount, scratch_.links);
}

void PartTrees::list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const {
  const std::uint32_t mask = shape_->arc_mask;
  for (int arc = 0; arc < arcs_->arcs(); ++arc)
    if (const double amount = numbers.arcs[at(arc)]; std::abs(amount) > negligible) {
      indices_.clear();
      arc_features_.for_each(arcs_->head(arc), arcs_->modifier(arc), mask,
                             [&](std::uint32_t index) { indices_.push_back(index); });
      parts.add(indices_, amount);
    }
  double amount = 0;  // of what has been gathered; the features of a part come one after the other
  indices_.clear();
  parts_.for_each_feature(*arcs_, numbers, negligible, mask, [&](std::uint32_t index, double next) {
    if (next != amount) {
      parts.add(indices_, amount);
      indices_.clear();
      amount = next;
    }
    indices_.push_back(index);
  });
  parts.add(indices_, amount);
  list_scorers(numbers, negligible, parts);
}

// Features of whole trees follow those of parts in one table.
void PartTrees::list_tree(std::span<const int> heads, std::vector<std::uint32_t>& indices) {
  const std::uint32_t mask = shape_->arc_mask;
  const auto list = [&](std::uint32_t index) { indices.push_back(index); };
  indices.clear();
  for (std::size_t m = 1; m <= heads.size(); ++m)
    arc_features_.for_each(heads[m - 1], static_cast<int>(m), mask, list);
  scratch_.links.assign(heads);
  parts_.for_each_feature([&](auto visitor) { for_each_part(shape_->factorization, scratch_.links, visitor); }, mask,
                          list);
  const std::size_t of_parts = indices.size();
  scorers_.list_whole_tree_features(scratch_.links, indices);
  for (std::size_t i = of_parts; i < indices.size(); ++i) indices[i] += whole_tree_begin_;
}

void PartTrees::list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
                                FeatureSink& labels) {
  const auto list = [&](const LabelledTree& tree, double amount) {
    list_tree(tree.heads, indices_);
    parts.add(indices_, amount);
    if (shape_->label_mode != LabelMode::joint) return;
    for (int m = 1; m <= words_; ++m)
      list_label(ArcRelatives::in(scratch_.links, m), tree.labels[at(m - 1)], amount, labels);
  };
  list(better, +1);
  list(worse, -1);
  list_scorers(better.heads, worse.heads, parts);
}

void PartTrees::list_whole_tree_difference(std::span<const int> better, std::span<const int> worse, FeatureSink& sink) {
  const auto list = [&](std::span<const int> heads, double amount) {
    indices_.clear();
    scratch_.links.assign(heads);
    scorers_.list_whole_tree_features(scratch_.links, indices_);
    sink.add(indices_, amount);
  };
  list(better, +1);
  list(worse, -1);
}

void PartTrees::list_difference(std::span<const int> better, const RelaxedTree& worse, FeatureSink& parts) {
  list_tree(better, indices_);
  parts.add(indices_, +1);
  list_relaxed(worse, indices_);
  parts.add(indices_, -1);
  if (!scorers_.any_learned()) return;
  start_amounts();
  for (int m = 1; m <= words_; ++m) count_arc(better[at(m - 1)], m, +1);
  for (const auto& [h, m] : worse.arcs()) count_arc(h, m, -1);
  list_scorers(amounts_, 0.0, parts);
}

void PartTrees::list_relaxed(const RelaxedTree& chosen, std::vector<std::uint32_t>& indices) const {
  const std::uint32_t mask = shape_->arc_mask;
  const auto list = [&](std::uint32_t index) { indices.push_back(index); };
  indices.clear();
  for (const auto& [h, m] : chosen.arcs()) arc_features_.for_each(h, m, mask, list);
  parts_.for_each_feature([&](auto visitor) { chosen.for_each_part(shape_->factorization, visitor); }, mask, list);
}

void PartTrees::draw_first_order_tree(Random& random, std::vector<int>& heads) {
  FirstOrderTrees trees(*arcs_, shape_->single_root, [&](int arc) { return scores_.arcs[at(arc)]; });
  if (!trees.best(heads)) throw NoTree();
  trees.draw(random, heads);
}

void PartTrees::step_of_chain(Random& random, std::vector<int>& heads, std::vector<int>& proposed) {
  const PartScores scores = scores_.scores();
  MovableTree tree(*arcs_, scores, shape_->factorization, scorers_.whole_tree());
  tree.assign(heads);
  TreeChain(tree, scores, shape_->single_root, {}).step(1.0, random, [&] { tree.copy_heads(proposed); });
  tree.copy_heads(heads);
}

}  // namespace headwise::parsing
