// What learns trees from one sentence after the other. A learner is a file beside this one, and a line in learners.cpp.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <string>
#include <vector>

#include "learning/averaged_weights.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/training_example.hpp"
#include "learning/update_rules.hpp"
#include "parsing/shape.hpp"

namespace headwise::learning {

// The weights that are learned: of parts (after them, in one table, of scorers that are learned with them), and of labels
// where these are part of the search.
struct LearnedWeights {
  const ParserShape& shape;
  AveragedWeights& parts;
  AveragedWeights& labels;

  WeightTables tables() const { return shape.tables_in_training(parts.current(), labels.current()); }
  void next_step() {
    parts.next_step();
    if (shape.labels_in_search()) labels.next_step();
  }
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual void learn(const Lesson& lesson, TrainingCounts& counts) = 0;
  // What a run that is interrupted has to keep beside the weights; nullptr for nothing.
  virtual GradientSteps* steps() { return nullptr; }
  // The same of an example: the tree that its chain has come to, empty where it has none yet.
  virtual std::vector<int>* chain(const TrainingExample&) { return nullptr; }
};

// What the gold tree is compared with: the best tree; the best tree that climbs from random trees find; the best head of
// each word by itself; the best choices of head automata that need not agree on a tree (Koo et al. 2010, section 6); or
// trees of a chain of samples (sample_rank.hpp).
struct Rivals {
  std::string rival = "tree";  // or "climbed", "independent", "relaxed", "samples"
  int samples_a_word = 1;
  bool pairs = true, gold = true;  // the constraints of "samples"
  bool keeps_chains = false;       // from epoch to epoch

  static constexpr auto fields() {
    return std::tuple(field("rival", &Rivals::rival), field("samples_a_word", &Rivals::samples_a_word),
                      field("pairs", &Rivals::pairs), field("gold", &Rivals::gold),
                      field("keeps_chains", &Rivals::keeps_chains));
  }
};

// `label_steps` are those of labels in the search, which the trainer keeps.
std::unique_ptr<Learner> make_learner(const UpdateRule& rule, const Rivals& rivals, LearnedWeights weights,
                                      GradientSteps& label_steps);

}  // namespace headwise::learning
