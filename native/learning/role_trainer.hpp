// Learns to guess the roles of words (roles.hpp): labels of arcs from the root.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learning/label_trainer.hpp"
#include "scoring/roles.hpp"

namespace headwise::learning {

class RoleTrainer {
 public:
  RoleTrainer(const RoleShape& shape, double aggressiveness)
      : rule_(Margins::mira(aggressiveness)), shape_(as_labels(shape)), trainer_(shape_, rule_) {}
  RoleTrainer(const RoleTrainer&) = delete;  // trainer_ points into this object

  // -1 stands for a role that is not known.
  void add(const Atoms& atoms, std::vector<int> roles) {
    std::vector<int> heads(roles.size(), 0);
    lessons_.push_back({std::make_shared<TrainingExample>(atoms, std::move(heads), std::move(roles))});
  }
  TrainingCounts train(std::span<const std::int64_t> order) {
    TrainingCounts counts;
    trainer_.train(rule_, lessons_, order, nullptr, counts);
    return counts;
  }
  int roles() const { return shape_.labels.count; }
  AveragedWeights& weights() { return trainer_.weights(); }

 private:
  static ParserShape as_labels(const RoleShape& shape) {
    return {.filter = shape.tags,
            .arc_templates = ArcTemplates(std::span<const std::string>{}),
            .label_templates = shape.templates,
            .labels = shape.roles,
            .label_mode = LabelMode::separate,
            .projective = true,
            .single_root = false,
            .arc_mask = 0,
            .label_mask = shape.mask};
  }

  Margins rule_;
  ParserShape shape_;
  LabelTrainer trainer_;
  std::vector<Lesson> lessons_;
};

}  // namespace headwise::learning
