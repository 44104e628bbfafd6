// The pruner as Python holds it: a shape and its weights.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "parsing/pruner.hpp"
#include "base/huge_pages.hpp"
#include "learning/training_example.hpp"
#include "treebank/sentence.hpp"

namespace headwise::bind {

class BoundPruner {
 public:
  BoundPruner(PrunerShape shape, const ArrayIn<float>& weights)
      : shape_(std::move(shape)), weights_(checked_table(view(weights), std::size_t{shape_.mask} + 1, "pruner")) {}

  // Where heads are missing, a tree that has the others survives as well.
  std::vector<std::uint8_t> flags(const TrainingExample& example) const {
    Pruner pruner(shape_);
    const auto& flags = pruner.prune(example.atoms, weights_.data());
    return example.is_partial() ? pruner.keep_best_tree_with(example.heads) : flags;
  }
  const PrunerShape& shape() const { return shape_; }
  const float* weights() const { return weights_.data(); }

  // Surviving arcs as [h * (n + 1) + m], with the pruner's best tree.
  Array<std::uint8_t> prune(const Sentence& sentence) const {
    Atoms atoms;
    atoms.assign(sentence);
    Pruner pruner(shape_);
    pruner.prune(atoms, weights_.data());
    return to_array(std::vector<std::uint8_t>(pruner.keep_best_tree()));
  }
  Array<double> marginals(const Sentence& sentence) const {
    Atoms atoms;
    atoms.assign(sentence);
    Pruner pruner(shape_);
    pruner.marginals(atoms, weights_.data());
    return to_array(std::vector<double>(pruner.probabilities()));
  }

 private:
  PrunerShape shape_;
  LargeTable<float> weights_;
};

}  // namespace headwise::bind
