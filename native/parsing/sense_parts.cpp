#include "parsing/sense_parts.hpp"

#include <stdexcept>

#include "base/index.hpp"

namespace headwise::parsing {
namespace {

const PrunerShape& pruner_of(const ParserShape& shape) {
  if (!shape.pruner) throw std::invalid_argument("senses in larger parts are for parsers that have larger parts");
  return *shape.pruner;
}

}  // namespace

SenseParts::SenseParts(const ParserShape& shape, const WeightTables& tables)
    : shape_(&shape),
      tables_(tables),
      scorers_(shape.scorers),
      pruner_(pruner_of(shape)),
      arc_features_(shape.arc_templates),
      parts_(shape.part_templates) {}

void SenseParts::score(std::span<const Atoms> readings, std::span<const int> retagged) {
  list_nodes(readings[0].words(), retagged);
  prune(readings);
  arcs_.emplace(SenseNodes(counts_), [&](int h, int m) { return survives(h, m); });
  seen_.clear();
  for (const Atoms& reading : readings) seen_.push_back(scorers_.read(reading, tables_));
  const TaggedNodes nodes(seen_, nodes_);
  const float* weights = tables_["arcs"];
  arc_features_.assign(nodes);
  scores_.arcs.assign(at(arcs_->arcs()), 0.0);
  for (int arc = 0; arc < arcs_->arcs(); ++arc)
    arc_features_.for_each(arcs_->head(arc), arcs_->modifier(arc), shape_->arc_mask,
                           [&](std::uint32_t index) { scores_.arcs[at(arc)] += weights[index]; });
  parts_.assign(nodes);
  parts_.score(*arcs_, shape_->factorization, weights, shape_->arc_mask, scores_);
}

void SenseParts::list_nodes(int words, std::span<const int> retagged) {
  nodes_.assign(1, {0, 0});
  counts_.clear();
  std::size_t reading = 0;
  for (int word = 1; word <= words; ++word) {
    nodes_.push_back({word, 0});
    counts_.push_back(1);
    for (; reading < retagged.size() && retagged[reading] == word; ++reading) {
      nodes_.push_back({word, static_cast<int>(reading) + 1});
      ++counts_.back();
    }
  }
  if (reading < retagged.size()) throw std::invalid_argument("retagged words must come in their order");
}

void SenseParts::prune(std::span<const Atoms> readings) {
  flags_.clear();
  for (const Atoms& reading : readings) {
    pruner_.prune(reading, tables_["pruner"]);
    flags_.push_back(pruner_.keep_best_tree());
    for (std::size_t arc = 0; arc < flags_[0].size(); ++arc) flags_[0][arc] |= flags_.back()[arc];
  }
}

// Under the tags of its two words: in the reading of the one that has another tag, or in that of either. Where both have
// their first, in any, so that there are the trees of every reading.
bool SenseParts::survives(int h, int m) const {
  const auto [head, of_head] = nodes_[at(h)];
  const auto [modifier, of_modifier] = nodes_[at(m)];
  const std::size_t place = at(head) * (counts_.size() + 1) + at(modifier);
  if (of_head == 0 || of_modifier == 0) return flags_[at(of_head + of_modifier)][place] != 0;
  return flags_[at(of_head)][place] != 0 || flags_[at(of_modifier)][place] != 0;
}

}  // namespace headwise::parsing
