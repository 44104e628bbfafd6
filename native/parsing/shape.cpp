#include "parsing/shape.hpp"

#include <bit>
#include <stdexcept>

#include "base/limits.hpp"
#include "scoring/part_labels.hpp"

namespace headwise::parsing {

std::vector<TableSize> ParserShape::tables() const {
  std::vector<TableSize> all = {{"arcs", arc_table_size()}, {"labels", label_table_size()}};
  if (pruner) all.push_back({"pruner", pruner->model.arc_table_size()});
  for (const auto& scorer : scorers)
    for (TableSize& table : scorer->tables()) all.push_back(std::move(table));
  return all;
}

void check(const ParserShape& shape) {
  const bool in_chart = shape.projective && shape.factorization == Factorization::carreras;
  const unsigned shown = relatives_in_parts(shape.factorization) |
                         (in_chart ? PartLabels::with_leftmost | PartLabels::with_rightmost : 0);
  if (shape.labels_in_search() && (shape.label_templates.relatives & ~shown))
    throw std::invalid_argument(
        "label templates that name relatives (g, s, l, r, c) need label_mode 'separate', or parts that show them of every "
        "modifier");
  if (shape.labels_see_modifiers())
    for (const LabelTemplates::Line& line : shape.label_templates.templates)
      if (std::popcount(line.relatives) > 1)
        throw std::invalid_argument("label template '" + line.terms.text + "': one relative a line, inside the search");
  if (!shape.projective && !has_head_view(shape.factorization))
    throw std::invalid_argument("this factorization is for projective trees only");
  if (shape.has_larger_parts() != (shape.pruner != nullptr))
    throw std::invalid_argument("larger parts need a pruner, and arcs alone have none");
  for (const auto& scorer : shape.scorers) scorer->check(shape.labels.count);
}

void check(const PrunerShape& shape) {
  if (shape.model.has_larger_parts() || shape.model.label_mode != LabelMode::none)
    throw std::invalid_argument("a pruner scores arcs alone, without labels");
  check(limit("pruner.threshold"), shape.limits.threshold);
  check(limit("pruner.most_heads"), shape.limits.most_heads);
}

}  // namespace headwise::parsing
