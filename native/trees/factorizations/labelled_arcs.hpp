// The arcs that survive pruning, each once for every label that it may have, and a numbering of the parts that the label
// of an arc is in: the arc itself, with its sibling, with each modifier of its own modifier or none on a side.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <vector>

#include "base/index.hpp"
#include "candidates.hpp"

namespace headwise::trees {

class LabelledArcs {
 public:
  // labels_of(arc): how many labels it may have. The arcs must stay where they are.
  template <class LabelsOf>
  LabelledArcs(const Candidates& arcs, LabelsOf labels_of) : arcs_(&arcs), first_{0}, siblings_{0}, grandchildren_{0} {
    for (int arc = 0; arc <= arcs.top(); ++arc) {
      const bool is_top = arc == arcs.top();
      for (int labels = is_top ? 1 : labels_of(arc); labels > 0; --labels) {
        arc_.push_back(arc);
        siblings_.push_back(siblings_.back() + (is_top ? 0 : arcs.inner(arc) + 1));
        grandchildren_.push_back(grandchildren_.back() + arcs.degree(arcs.modifier(arc)) + 2);
      }
      first_.push_back(static_cast<int>(arc_.size()));
    }
  }

  const Candidates& arcs() const { return *arcs_; }
  // Labelled arcs 0 … count() − 1, and one more, top(), that stands for the missing arc into the root.
  int count() const { return static_cast<int>(arc_.size()) - 1; }
  int top() const { return count(); }
  int arc(int labelled) const { return arc_[at(labelled)]; }
  // Those of an arc are [first(arc), first(arc + 1)), in the order of its labels.
  int first(int arc) const { return first_[at(arc)]; }
  int labels(int arc) const { return first(arc + 1) - first(arc); }

  // Places of parts; j counts modifiers outwards from the head, 0 meaning none, `below` is an arc from the modifier.
  Index sibling(int labelled, int j) const { return siblings_[at(labelled)] + j; }
  Index siblings() const { return siblings_.back(); }
  Index grandchild(int labelled, int below) const {
    return grandchildren_[at(labelled)] + below - arcs_->begin(arcs_->modifier(arc(labelled)));
  }
  // No modifier of the modifier on a side; 1 is the right.
  Index no_grandchild(int labelled, int side) const { return grandchildren_[at(labelled) + 1] - 2 + side; }
  Index grandchildren() const { return grandchildren_.back(); }

 private:
  const Candidates* arcs_;
  std::vector<int> arc_, first_;
  std::vector<Index> siblings_, grandchildren_;
};

}  // namespace headwise::trees
