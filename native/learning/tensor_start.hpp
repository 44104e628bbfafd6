// What a low-rank tensor starts from (Lei et al. 2014, section 4, "Initialization"): the weights of features of arcs that
// are a feature of the head and a feature of the modifier at once, as entries of the tensor that it approximates.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "learning/training_example.hpp"
#include "parsing/shape.hpp"
#include "scoring/tensor/shape.hpp"

namespace headwise::learning {

// The features of words in the examples that occur at least so often, by key, the most frequent first.
inline std::vector<std::uint32_t> collect_word_features(const WordTemplates& templates,
                                                        std::span<const TrainingExample* const> examples, int at_least) {
  std::unordered_map<std::uint32_t, int> counts;
  for (const TrainingExample* example : examples)
    for (int word = 0; word <= example->atoms.words(); ++word)
      templates.for_each_key(example->atoms, word, [&](std::uint32_t key) { ++counts[key]; });
  std::vector<std::pair<int, std::uint32_t>> kept;
  for (const auto& [key, count] : counts)
    if (count >= at_least) kept.emplace_back(-count, key);
  std::sort(kept.begin(), kept.end());
  std::vector<std::uint32_t> keys;
  for (const auto& [_, key] : kept) keys.push_back(key);
  return keys;
}

class TensorUnfolding {
 public:
  // Of the first rows of the tensor only.
  TensorUnfolding(const ParserShape& model, const TensorShape& tensor, std::uint32_t rows)
      : model_(&model), tensor_(&tensor), limit_(rows) {
    const ArcTemplates& arcs = model.arc_templates;
    for (const auto* group :
         {&arcs.head_only, &arcs.modifier_only, &arcs.pairs, &arcs.pairs_by_direction, &arcs.many_valued})
      for (const Template& t : *group) {
        const Side head = side_of(t, ArcTemplates::head), modifier = side_of(t, ArcTemplates::modifier);
        if (head.known && modifier.known) pairs_.push_back({head, modifier, t.with_distance});
      }
  }

  // [slot, row of the head, row of the modifier], of all arcs of the examples; zero where no weight speaks.
  std::vector<float> tensor(std::span<const TrainingExample* const> examples, const float* weights) {
    std::vector<float> full(std::size_t{arc_slots} * limit_ * limit_);
    for (const TrainingExample* example : examples) add(example->atoms, weights, full);
    return full;
  }

 private:
  // What a template of arcs says of one word, and the template of words that says the same; neither where it says
  // nothing.
  struct Side {
    const MemberTerms *of_arc = nullptr, *of_word = nullptr;
    bool known = true;
  };
  struct Pair {
    Side head, modifier;
    bool with_distance;
  };
  struct Value {
    std::uint32_t key, row;  // in the table of arcs, in that of the tensor
  };

  Side side_of(const Template& t, int member) const {
    const MemberTerms* of_arc = t.find(member);
    if (!of_arc) return {};
    for (const Template& word : tensor_->templates().templates())
      if (terms(word.members[0]) == terms(*of_arc)) return {of_arc, &word.members[0]};
    return {of_arc, nullptr, false};
  }
  // A word and the same in lower case are one for a start.
  static std::vector<std::pair<int, int>> terms(const MemberTerms& member) {
    std::vector<std::pair<int, int>> all;
    for (const auto* list : {&member.single, &member.many})
      for (const Term& term : *list)
        all.emplace_back(term.offset,
                         static_cast<int>(term.attribute == Attribute::form ? Attribute::lower : term.attribute));
    std::sort(all.begin(), all.end());
    return all;
  }

  // The values of a side; those that have none of the rows are left out.
  void values(const Side& side, const Atoms& atoms, int word, std::vector<Value>& all) {
    all.clear();
    if (!side.of_arc) {
      all.push_back({0, TensorShape::bias_row});
      return;
    }
    rows_.clear();
    side.of_word->for_each_key(atoms, word, [&](std::uint32_t key) { rows_.push_back(tensor_->row_of(key)); });
    std::size_t k = 0;
    side.of_arc->for_each_key(atoms, word, [&](std::uint32_t key) { all.push_back({key, rows_[k++]}); });
    std::erase_if(all, [&](const Value& value) { return value.row == TensorShape::bias_row || value.row >= limit_; });
  }

  void add(const Atoms& atoms, const float* weights, std::vector<float>& full) {
    const int nodes = atoms.words() + 1;
    std::vector<std::vector<Value>> as_head(static_cast<std::size_t>(nodes)), as_modifier(as_head);
    for (const Pair& pair : pairs_) {
      for (int word = 0; word < nodes; ++word) {
        values(pair.head, atoms, word, as_head[at(word)]);
        values(pair.modifier, atoms, word, as_modifier[at(word)]);
      }
      const bool one_word = !pair.head.of_arc || !pair.modifier.of_arc;  // those keep their slots in order
      for (int h = 0; h < nodes; ++h)
        for (int m = 1; m < nodes; ++m) {
          if (h == m) continue;
          const ArcSlots slots(h, m);
          for (const Value& head : as_head[at(h)])
            for (const Value& modifier : as_modifier[at(m)]) {
              const std::uint32_t x = (head.key ^ modifier.key) & model_->arc_mask;
              const auto visit = [&](std::uint32_t slot) {
                full[(std::size_t{slot} * limit_ + head.row) * limit_ + modifier.row] =
                    weights[one_word ? block_of(x) + slot : x ^ slot];
              };
              visit(slots.direction);
              if (pair.with_distance) visit(slots.distance);
            }
        }
    }
  }

  const ParserShape* model_;
  const TensorShape* tensor_;
  std::uint32_t limit_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace headwise::learning
