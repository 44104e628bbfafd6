// The pruner as Python holds it: a shape and its weights.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "bind/arrays.hpp"
#include "learning/training_example.hpp"
#include "parsing/pruner.hpp"
#include "treebank/sentence.hpp"

namespace headwise::bind {

class BoundPruner {
 public:
  BoundPruner(PrunerShape shape, const ArrayIn<float>& weights)
      : shape_(std::move(shape)), weights_(checked_table(view(weights), shape_.model.arc_table_size(), "pruner")) {}

  // The arcs that survive, and with them the gold arcs. Where heads are missing, a tree that has the others survives
  // as well.
  learning::GoldFlags flags(const learning::TrainingExample& example) const {
    Pruner pruner(shape_);
    const ArcFlags& flags = pruner.prune(example.atoms, weights_.data());
    return with_gold(example, example.is_partial() ? pruner.keep_best_tree_with(example.heads) : flags);
  }

  // Surviving arcs as [h * (n + 1) + m], with the pruner's best tree.
  Array<std::uint8_t> prune(const Sentence& sentence) const {
    Atoms atoms(shape_.model.words);
    atoms.assign(sentence);
    Pruner pruner(shape_);
    pruner.prune(atoms, weights_.data());
    return to_array(ArcFlags(pruner.keep_best_tree()));
  }
  Array<double> marginals(const Sentence& sentence) const {
    Atoms atoms(shape_.model.words);
    atoms.assign(sentence);
    Pruner pruner(shape_);
    pruner.prune(atoms, weights_.data());
    return to_array(std::vector<double>(pruner.probabilities()));
  }

 private:
  PrunerShape shape_;
  LargeTable<float> weights_;
};

}  // namespace headwise::bind
