// How sure a parser is of a tree: the probability of each arc and label, the uncertainty about each head.
//
// p(tree) ∝ exp(score(tree) / temperature). A parser that was trained by margins gives scores on a scale of its own.
// Dividing them by a temperature, fitted on sentences that the parser has not learned from, makes probabilities of them
// that can be believed (Guo et al. 2017, section 4.2); it changes neither the best tree nor the order of the others.
// Sums are exact over projective trees and over arcs alone. Else they are those of an estimate (expansion.hpp).
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "confidence/adjustment.hpp"
#include "parsing/parser.hpp"

namespace headwise::confidence {

// What makes probabilities of scores. `background` is the share of a second, coarser distribution over heads,
// which speaks for the arcs that the parser never considered; `label_background` that of all labels alike (one
// that the parser does not know among them), for labels never seen on such arcs.
struct ConfidenceScale {
  double temperature = 1.0, label_temperature = 1.0, background = 0.0, label_background = 0.0;
  Adjustment adjustment;
};

struct TreeConfidence {
  std::vector<double> arcs;       // of each word's head
  std::vector<double> labels;     // of each word's label, given its head
  std::vector<double> entropies;  // of each word's head, in nats
  double log_probability = 0;     // of the tree, among those made of the arcs considered; without labels
};

// Parses a sentence and then answers for it. One for each thread.
class Judge {
 public:
  // How much of the background is for arcs that even the pruner never considered; without a pruner, all of it.
  static constexpr double filtered_share = 0.01;

  Judge(const ParserShape& shape, const WeightTables& tables) : parser_(shape, tables) {}

  void read(const Atoms& atoms, const Conditions& conditions = {});

  const ParseResult& result() const { return result_; }
  // p[h * (n + 1) + m] of the coarser distribution.
  const std::vector<double>& background_probabilities() const { return background_; }

  // p[h * (n + 1) + m] of all arcs, as the scores alone have it; returns log Z.
  double sum(double temperature, std::vector<double>& probabilities);
  // The score of a tree; −inf where it has an arc that is not considered.
  double score(std::span<const int> heads);
  bool is_searched(std::span<const int> heads) const;

  const std::vector<double>& arc_probabilities(const ConfidenceScale& scale);
  void find_labels(std::span<const int> heads, std::vector<int>& labels);
  // A label of −1 is one the parser does not know.
  void judge(std::span<const int> heads, std::span<const int> labels, const ConfidenceScale& scale,
             TreeConfidence& confidence);
  // As the scores have it: 0 for a label that is no candidate.
  void label_probabilities(std::span<const int> heads, std::span<const int> labels, double temperature,
                           std::vector<double>& probabilities);

 private:
  // The log of what a tree weighs in that sum.
  double log_weight(std::span<const int> heads, double temperature);
  bool has_labels() const { return parser_.shape().label_mode != LabelMode::none; }
  void find_background(std::span<const std::uint8_t> allowed);
  double label_probability(TreeLabeler& labeler, int m, int label, double temperature);
  // What probabilities are sums over: the parser's own problem, or the estimate.
  Problem problem(const CandidateTables& scores);

  Parser parser_;
  const Atoms* atoms_ = nullptr;
  ParseResult result_;
  CandidateTables expanded_, divided_, summed_;
  TreeSums sums_;
  std::vector<double> probabilities_, background_, entropies_;
  double log_z_ = 0;
};

}  // namespace headwise::confidence
