// Features of whole trees as a scorer.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/limits.hpp"
#include "scoring/scorer.hpp"
#include "scoring/whole_tree/whole_tree_score.hpp"

namespace headwise::scoring {

class WholeTreeShape final : public ScorerShape {
 public:
  WholeTreeShape(WholeTreeFeatures which, int bits, int climbs)
      : features(std::move(which)), mask(mask_of_bits(bits, limit("whole_tree.bits"))), restarts(climbs) {
    base::check(limit("whole_tree.restarts"), climbs);
  }

  std::vector<TableSize> tables() const override { return {{"whole_tree", std::size_t{mask} + 1}}; }
  std::unique_ptr<Scorer> make() const override;
  bool is_learned() const override { return true; }

  WholeTreeFeatures features;
  std::uint32_t mask;  // the size of the weight table less one
  int restarts;
};

class WholeTreeFeatureScorer final : public Scorer {
 public:
  explicit WholeTreeFeatureScorer(const WholeTreeShape& shape)
      : mask_(shape.mask), score_(shape.features, shape.restarts) {}

  void read(const Atoms& atoms, const WeightTables& tables) override {
    score_.read(atoms, tables["whole_tree"], mask_);
  }
  void read_for_labels(const Atoms&, const WeightTables&) override {}
  WholeTreeScorer* whole_tree() override { return &score_; }
  void list_whole_tree_features(const LinkedTree& tree, std::vector<std::uint32_t>& indices) override {
    score_.for_each_feature(tree, [&](std::uint32_t index) { indices.push_back(index); });
  }

 private:
  std::uint32_t mask_;
  WholeTreeScore score_;
};

inline std::unique_ptr<Scorer> WholeTreeShape::make() const { return std::make_unique<WholeTreeFeatureScorer>(*this); }

}  // namespace headwise::scoring
