// How sure a parser is of a tree: the probability of each arc and label, the uncertainty about each head.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "confidence/adjustment.hpp"
#include "confidence/scored_trees.hpp"
#include "scoring/labeler.hpp"
#include "parsing/parser_shape.hpp"

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

// weights[h * (n + 1) + m] of heads become probabilities: those of a word's heads sum to one, and a share of
// them is spread evenly over all heads.
inline void spread_heads(std::vector<double>& weights, int n, double evenly) {
  const auto nodes = static_cast<std::size_t>(n) + 1;
  for (std::size_t m = 1; m < nodes; ++m) {
    double total = 0;
    for (std::size_t h = 0; h < nodes; ++h) total += weights[h * nodes + m];
    for (std::size_t h = 0; h < nodes; ++h) {
      double& weight = weights[h * nodes + m];
      weight = h == m ? 0.0 : evenly / n + (evenly < 1.0 ? (1.0 - evenly) * weight / total : 0.0);
    }
  }
}

// Parses a sentence and then answers for it. One for each thread.
class Judge {
 public:
  Judge(const ParserShape& shape, const float* label_weights)
      : shape_(&shape),
        label_weights_(label_weights),
        labeler_(shape.label_templates, shape.labels, shape.filter, shape.label_mask) {}
  virtual ~Judge() = default;

  void read(const Atoms& atoms) {
    atoms_ = &atoms;
    parse(atoms, result_);
    background(background_);
  }

  const ParseResult& result() const { return result_; }
  // p[h * (n + 1) + m] of the coarser distribution.
  const std::vector<double>& background_probabilities() const { return background_; }

  // p[h * (n + 1) + m] of all arcs, as the scores alone have it; returns log Z.
  double sum(double temperature, std::vector<double>& probabilities) { return trees().sum(temperature, probabilities); }

  double score(std::span<const int> heads) { return trees().score(heads); }

  const std::vector<double>& arc_probabilities(const ConfidenceScale& scale) {
    log_z_ = sum(scale.temperature, probabilities_);
    for (std::size_t i = 0; i < probabilities_.size(); ++i)
      probabilities_[i] = (1.0 - scale.background) * probabilities_[i] + scale.background * background_[i];
    scale.adjustment.apply(result_.heads, probabilities_, entropies_);
    return probabilities_;
  }

  void find_labels(std::span<const int> heads, std::vector<int>& labels) {
    labels.assign(heads.size(), -1);
    if (!has_labels()) return;
    labeler_.assign(*atoms_, heads, label_opinion(heads));
    labeler_.label(label_weights_, labels);
  }

  // A label of −1 is one the parser does not know.
  void judge(std::span<const int> heads, std::span<const int> labels, const ConfidenceScale& scale,
             TreeConfidence& confidence) {
    const int n = static_cast<int>(heads.size());
    arc_probabilities(scale);
    // A difference of large numbers may end a last digit above zero.
    confidence.log_probability = std::min(0.0, score(heads) / scale.temperature - log_z_);
    confidence.arcs.resize(heads.size());
    confidence.entropies.resize(heads.size());
    for (int m = 1; m <= n; ++m) {
      confidence.arcs[at(m - 1)] = std::min(1.0, probabilities_[at(heads[at(m - 1)]) * at(n + 1) + at(m)]);
      confidence.entropies[at(m - 1)] = head_entropy(probabilities_, n, m);
    }
    label_probabilities(heads, labels, scale.label_temperature, confidence.labels);
    if (!has_labels()) return;
    const double evenly = scale.label_background / (shape_->labels.count + 1);
    for (double& p : confidence.labels) p = (1.0 - scale.label_background) * p + evenly;
  }

  // As the scores have it: 0 for a label that is no candidate.
  void label_probabilities(std::span<const int> heads, std::span<const int> labels, double temperature,
                           std::vector<double>& probabilities) {
    probabilities.assign(heads.size(), 1.0);
    if (!has_labels()) return;
    labeler_.assign(*atoms_, heads, label_opinion(heads));
    for (int m = 1; m <= static_cast<int>(heads.size()); ++m)
      probabilities[at(m - 1)] = label_probability(m, labels[at(m - 1)], temperature);
  }

 protected:
  virtual void parse(const Atoms& atoms, ParseResult& result) = 0;
  virtual void background(std::vector<double>& probabilities) = 0;
  virtual ScoredTrees& trees() = 0;
  // What is to be added to the scores of labels; nullptr where that is nothing.
  virtual const Matrix* label_opinion(std::span<const int>) { return nullptr; }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

 private:
  bool has_labels() const { return shape_->label_mode != LabelMode::none; }

  double label_probability(int m, int label, double temperature) {
    const std::vector<int>& candidates = labeler_.candidates(m).labels;
    if (std::find(candidates.begin(), candidates.end(), label) == candidates.end()) return 0.0;
    const float* sums = labeler_.sums(label_weights_, m);
    double total = 0;
    for (const int other : candidates)
      total += std::exp((static_cast<double>(sums[other]) - static_cast<double>(sums[label])) / temperature);
    return 1.0 / total;
  }

  const ParserShape* shape_;
  const float* label_weights_;
  const Atoms* atoms_ = nullptr;
  TreeLabeler labeler_;
  ParseResult result_;
  std::vector<double> probabilities_, background_, entropies_;
  double log_z_ = 0;
};

}  // namespace headwise::confidence
