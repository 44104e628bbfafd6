#include "parsing/parser.hpp"

#include "base/index.hpp"

namespace headwise::parsing {
namespace {

GivenScorer* add_given(SentenceTrees& trees) {
  auto scorer = std::make_unique<GivenScorer>();
  GivenScorer* given = scorer.get();
  trees.scorers().add(std::move(scorer));
  return given;
}

}  // namespace

Parser::Parser(const ParserShape& shape, const WeightTables& tables, const DecodeOptions& options)
    : shape_(&shape),
      tables_(tables),
      options_(options),
      trees_(make_trees(shape, Scorers::Which::all)),
      given_(add_given(*trees_)),
      labeler_(shape.label_templates, shape.labels, shape.filter, shape.label_mask, shape.rules.get()) {
  if (!shape.pruner) return;
  pruner_.emplace(*shape.pruner);
  given_to_pruner_ = add_given(pruner_->trees());
}

void Parser::parse(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions) {
  search(atoms, decoder, result, conditions);
  if (shape_->rules) obey_rules(atoms, decoder, result, conditions);
  result.limited = pruner_ && pruner_->is_limited(atoms);
  if (shape_->label_mode == LabelMode::separate) labeler_of(atoms, result.heads).label(tables_["labels"], result.labels);
  for (std::size_t m = 0; m < conditions.labels.size(); ++m)
    if (conditions.labels[m] >= 0) result.labels[m] = conditions.labels[m];
}

// Few trees break a rule by their arcs alone; these are searched again without such arcs. What the caller conditions comes
// first: where that leaves no other tree, this one stays.
void Parser::obey_rules(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions) {
  const LabelRules& rules = *shape_->rules;
  rules.read(atoms, ruled_);
  if (!rules.forbids_any(ruled_, result.heads)) return;
  const int nodes = atoms.words() + 1;
  Conditions obedient = conditions;
  if (conditions.allowed.empty()) obeying_.assign(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes), 1);
  else obeying_.assign(conditions.allowed.begin(), conditions.allowed.end());
  for (int h = 1; h < nodes; ++h)
    for (int m = 1; m < nodes; ++m)
      if (rules.forbids(ruled_, h, m)) obeying_[at(h * nodes + m)] = 0;
  obedient.allowed = obeying_;
  try {
    search(atoms, decoder, result, obedient);
  } catch (const NoTree&) {
    search(atoms, decoder, result, conditions);
  }
}

void Parser::search(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions) {
  given_->set(conditions.scores);
  known_labels_ = conditions.labels;
  if (given_to_pruner_) given_to_pruner_->set({.arcs = conditions.scores.arcs});  // or it would prune what they speak for
  if (!parse_among(candidates(atoms, conditions), atoms, decoder, result) &&
      !parse_among(more_candidates(conditions), atoms, decoder, result))
    throw NoTree();
}

bool Parser::parse_among(std::span<const std::uint8_t> arcs, const Atoms& atoms, Decoder decoder, ParseResult& result) {
  const bool sums = decoder == Decoder::minimum_risk ||
                    (decoder == Decoder::map && shape_->label_mode == LabelMode::latent);
  trees_->score({atoms, tables_, arcs, nullptr, sums ? OverLabels::sum : OverLabels::best, known_labels_});
  if (!trees_->find(decoder, options_, result)) return false;
  trees_->labels_in_search(result.heads, result.labels);
  return true;
}

// The arcs that are worth a score: what the filter lets through, all of it or what survives pruning.
std::span<const std::uint8_t> Parser::candidates(const Atoms& atoms, const Conditions& conditions) {
  const bool constrained = !conditions.allowed.empty();
  if (!pruner_) return constrained ? filtered(atoms, conditions.allowed) : std::span<const std::uint8_t>{};
  const float* weights = tables_["pruner"];
  if (!constrained) return pruner_->prune(atoms, weights);
  try {
    return pruner_->prune(atoms, weights, filtered(atoms, conditions.allowed));
  } catch (const NoTree&) {  // it is the filter that stands in the way, or else there is no tree at all
    return pruner_->prune(atoms, weights, conditions.allowed);
  }
}

// What is tried where these hold no tree.
std::span<const std::uint8_t> Parser::more_candidates(const Conditions& conditions) {
  if (pruner_) return pruner_->keep_best_tree();
  if (conditions.allowed.empty()) throw NoTree();
  return conditions.allowed;
}

const ArcFlags& Parser::filtered(const Atoms& atoms, std::span<const std::uint8_t> allowed) {
  const int nodes = atoms.words() + 1;
  shape_->filter.read_tags(atoms, tags_);
  filtered_.assign(allowed.begin(), allowed.end());
  for (int m = 1; m < nodes; ++m) {
    const auto flag = [&](int h) -> std::uint8_t& { return filtered_[at(h * nodes + m)]; };
    int heads = 0;
    for (int h = 0; h < nodes; ++h) heads += flag(h);
    for (int h = 0; h < nodes && heads > 1; ++h)  // the only head that is left is none of the filter's business
      if (h != m && !shape_->filter.allows(tags_, h, m)) flag(h) = 0;
  }
  return filtered_;
}

TreeLabeler& Parser::labeler_of(const Atoms& atoms, std::span<const int> heads) {
  labeler_.assign(atoms, heads, &trees_->scorers());
  return labeler_;
}

void Parser::label(const Atoms& atoms, ParseResult& result) {
  result.labels.assign(result.heads.size(), -1);
  given_->set({});
  if (shape_->label_mode == LabelMode::none) return;
  trees_->scorers().read_for_labels(atoms, tables_);
  labeler_of(atoms, result.heads).label(tables_["labels"], result.labels);
}

}  // namespace headwise::parsing
