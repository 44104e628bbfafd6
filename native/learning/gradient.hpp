// The gradient of one sentence's loss: φ(gold) − E[φ] (Koo's thesis, 4.2; Smith and Smith 2007, section 3).
//
// Where heads are missing, gold is the expectation over the trees that have the given ones, and the loss is that of the
// marginal likelihood, log Z − log Z(given). Labels that are part of the search and not known, because they are latent
// or missing, are summed over in the same way (Smith and Smith 2007, section 5).
//
// With larger parts sums are over the projective trees among the candidates. A parser of non-projective trees also meets
// others: there the gold tree and the tree that the parser would choose, where they cross, are single trees beside the
// projective ones, so that Z is Z(projective) + exp(s(gold)) + exp(s(chosen)). Were the chosen tree not there, nothing
// would teach the parser which crossings to leave alone.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <span>
#include <vector>

#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parsing/sentence_trees.hpp"

namespace headwise::learning {

class Gradient {
 public:
  explicit Gradient(const ParserShape& shape) : trees_(make_trees(shape, Scorers::Which::learned)) {}

  // Into `parts` and, where labels are part of the search, into `labels`.
  void gather(const LogLinear& rule, const Lesson& lesson, const WeightTables& tables, FeatureSink& parts,
              FeatureSink& labels, TrainingCounts& counts);
  void gather(const MaxMargin& rule, const Lesson& lesson, const WeightTables& tables, FeatureSink& parts,
              FeatureSink& labels, TrainingCounts& counts);

 private:
  struct CrossingTree {
    std::span<const int> heads;
    double score;
  };
  void find_crossing_trees(const TrainingExample& example, double gold_score);
  void count_words(const TrainingExample& example, TrainingCounts& counts);

  std::unique_ptr<SentenceTrees> trees_;
  CandidateTables wanted_, actual_, gradient_;
  std::vector<CrossingTree> crossing_;
  std::vector<SentenceTrees::ArcInto> arcs_;
  Solution predicted_;
  std::vector<int> predicted_labels_;
};

}  // namespace headwise::learning
