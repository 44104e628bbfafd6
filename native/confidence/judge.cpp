#include "confidence/judge.hpp"

#include <algorithm>
#include <cmath>

#include "base/index.hpp"
#include "confidence/expansion.hpp"
#include "treebank/projectivity.hpp"
#include "treebank/tree_check.hpp"

namespace headwise::confidence {
void Judge::read(const Atoms& atoms, const Conditions& conditions) {
  atoms_ = &atoms;
  parser_.parse(atoms, Decoder::map, result_, conditions);
  if (!parser_.shape().sums_all_trees()) expand_around(parser_.trees(), result_.heads, expanded_.arcs);
  find_background(conditions.allowed);
}

// Heads by the pruner's probabilities, and all heads alike. Those of a word sum to one.
void Judge::find_background(std::span<const std::uint8_t> allowed) {
  const auto n = result_.heads.size(), nodes = n + 1;
  const double evenly = parser_.pruner() ? filtered_share : 1.0;
  if (parser_.pruner()) background_ = parser_.pruner()->probabilities();
  else background_.assign(nodes * nodes, 0.0);
  for (std::size_t m = 1; m < nodes; ++m) {
    const auto may_be = [&](std::size_t h) { return h != m && (allowed.empty() || allowed[h * nodes + m]); };
    double total = 0;
    std::size_t heads = 0;
    for (std::size_t h = 0; h < nodes; ++h) {
      total += background_[h * nodes + m];
      heads += may_be(h);
    }
    for (std::size_t h = 0; h < nodes; ++h) {
      double& weight = background_[h * nodes + m];
      weight = may_be(h) ? evenly / static_cast<double>(heads) + (evenly < 1.0 ? (1.0 - evenly) * weight / total : 0.0)
                         : 0.0;
    }
  }
}

// Whether heads are a tree, of the kind that the parser searches.
bool Judge::is_searched(std::span<const int> heads) const {
  const ParserShape& shape = parser_.shape();
  return check_tree(heads, {.single_root = shape.single_root}).empty() &&
         (!shape.projective || nonprojective_arcs(heads).empty());
}

Problem Judge::problem(const CandidateTables& scores) {
  const ParserShape& shape = parser_.shape();
  if (shape.sums_all_trees()) return parser_.trees().problem_of(scores);
  return {static_cast<int>(result_.heads.size()), scores.scores(),  nullptr, Factorization::arc,
          shape.projective,                       shape.single_root};
}

double Judge::sum(double temperature, std::vector<double>& probabilities) {
  const bool exact = parser_.shape().sums_all_trees();
  divided_.divide(exact ? parser_.trees().scores() : expanded_, temperature);
  // Arcs alone are asked for: without tables of larger parts nobody sums these up.
  summed_.arcs.assign(divided_.arcs.size(), 0.0);
  PartMarginals marginals;
  marginals.labels = summed_.arcs.data();
  const double log_z = sums_.sum(problem(divided_), marginals);
  if (!(log_z > kImpossible)) throw NoTree();
  if (exact) parser_.trees().copy_arcs(summed_.arcs, 0.0, probabilities);
  else probabilities = summed_.arcs;
  return log_z;
}

double Judge::score(std::span<const int> heads) {
  if (!is_searched(heads)) return kImpossible;
  if (parser_.shape().sums_all_trees()) return parser_.trees().tree_score(heads);
  LinkedTree links;
  return score_of_parts(problem(expanded_), heads, links);
}

double Judge::log_weight(std::span<const int> heads, double temperature) {
  if (!parser_.shape().sums_all_trees() || !is_searched(heads)) return score(heads) / temperature;
  return parser_.trees().log_weight(heads, temperature);
}

const std::vector<double>& Judge::arc_probabilities(const ConfidenceScale& scale) {
  log_z_ = sum(scale.temperature, probabilities_);
  for (std::size_t i = 0; i < probabilities_.size(); ++i)
    probabilities_[i] = (1.0 - scale.background) * probabilities_[i] + scale.background * background_[i];
  scale.adjustment.apply(result_.heads, probabilities_, entropies_);
  return probabilities_;
}

void Judge::find_labels(std::span<const int> heads, std::vector<int>& labels) {
  labels.assign(heads.size(), -1);
  if (has_labels()) parser_.labeler_of(*atoms_, heads).label(parser_.tables()["labels"], labels);
}

void Judge::judge(std::span<const int> heads, std::span<const int> labels, const ConfidenceScale& scale,
                  TreeConfidence& confidence) {
  const int n = static_cast<int>(heads.size());
  arc_probabilities(scale);
  // A difference of large numbers may end a last digit above zero.
  confidence.log_probability = std::min(0.0, log_weight(heads, scale.temperature) - log_z_);
  confidence.arcs.resize(heads.size());
  confidence.entropies.resize(heads.size());
  for (int m = 1; m <= n; ++m) {
    confidence.arcs[at(m - 1)] = std::min(1.0, probabilities_[at(heads[at(m - 1)]) * at(n + 1) + at(m)]);
    confidence.entropies[at(m - 1)] = head_entropy(probabilities_, n, m);
  }
  label_probabilities(heads, labels, scale.label_temperature, confidence.labels);
  if (!has_labels()) return;
  const double evenly = scale.label_background / (parser_.shape().labels.count + 1);
  for (double& p : confidence.labels) p = (1.0 - scale.label_background) * p + evenly;
}

void Judge::label_probabilities(std::span<const int> heads, std::span<const int> labels, double temperature,
                                std::vector<double>& probabilities) {
  probabilities.assign(heads.size(), 1.0);
  if (!has_labels()) return;
  TreeLabeler& labeler = parser_.labeler_of(*atoms_, heads);
  for (int m = 1; m <= static_cast<int>(heads.size()); ++m)
    probabilities[at(m - 1)] = label_probability(labeler, m, labels[at(m - 1)], temperature);
}

double Judge::label_probability(TreeLabeler& labeler, int m, int label, double temperature) {
  const std::vector<int>& candidates = labeler.candidates(m).labels;
  if (std::find(candidates.begin(), candidates.end(), label) == candidates.end()) return 0.0;
  const float* sums = labeler.sums(parser_.tables()["labels"], m);
  double total = 0;
  for (const int other : candidates)
    total += std::exp((static_cast<double>(sums[other]) - static_cast<double>(sums[label])) / temperature);
  return 1.0 / total;
}

}  // namespace headwise::confidence
