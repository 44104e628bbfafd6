// Labels inside the search of larger parts (Carreras 2007, section 2: w1 and wh of every label; Koo's thesis, 5.5.2).
//
// The features of a label are those of its arc, of the next modifier towards the head and of the head's head, as far as
// the parts of a factorization show them for every modifier. Each modifier stands in exactly one part that shows all
// of this; given its words, no other label matters. So the best label of an arc, or the sum over all of them, is taken
// once for each such part before the search, which stays what it is, and exact: L labels cost O(L) a part, and nothing
// in the chart. What the modifiers of m have to say of its label (wmi and wmo) has to be known inside the chart:
// trees/factorizations/labelled_carreras.hpp.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "scoring/arc_filter.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/label_candidates.hpp"
#include "scoring/labeler.hpp"
#include "scoring/part_scorer.hpp"
#include "trees/factorizations/part_indices.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::scoring {

// The relatives that the parts of a factorization show of every modifier, also of one that is not the outermost.
inline unsigned relatives_in_parts(Factorization factorization) {
  unsigned shown = 0;
  const ModifierInTree inner{.g = 1, .h = 2, .m = 4, .s = 3, .t = nobody, .outermost = false};
  for_each_part_of(factorization, inner, [&]<class Kind>(Kind, auto...) {
    if (Kind::ancestors > 0) shown |= LabelTemplates::bit(LabelTemplates::grandparent);
    if (Kind::siblings > 0) shown |= LabelTemplates::bit(LabelTemplates::sibling);
  });
  return shown;
}

class PartLabels {
 public:
  PartLabels(const LabelTemplates& templates, const LabelSet& labels, const ArcFilter& filter, std::uint32_t mask,
             Factorization factorization)
      : labels_(&labels), filter_(&filter), mask_(mask), features_(templates) {
    const unsigned shown = relatives_in_parts(factorization);
    looks_up_ = shown & with_grandparent;
    looks_aside_ = shown & with_sibling;
  }

  void read(const Atoms& atoms, const float* weights) {
    features_.assign(atoms);
    filter_->read_tags(atoms, tags_);
    weights_ = weights;
  }

  const LabelCandidates& candidates(const ArcRelatives& arc) const { return labels_->candidates(tags_, arc.h, arc.m); }

  // visit(kind, place, arc, candidates, sums) for every part that a label is chosen with: its place in the table of its
  // kind, and the weights of the labels. A label that is known of a word (not −1) is its only candidate.
  template <class Visit>
  void score(const Candidates& arcs, std::span<const int> known, Visit visit) {
    for (int number = 0; number < arcs.arcs(); ++number)
      with_kind(arcs.head(number), [&]<class Kind>(Kind kind) {
        ArcRelatives first = arc_alone(arcs, number);
        const int label = known.empty() ? -1 : known[at(first.m - 1)];
        const LabelCandidates& candidates = label < 0 ? this->candidates(first) : only(label);
        sum_up(first, no_relatives, candidates, of_arc_);
        aside_.resize(at(Kind::siblings ? arcs.inner(number) + 1 : 1));
        for (std::size_t j = 0; j < aside_.size(); ++j) {
          first.s = modifier_or_nobody(arcs, number, static_cast<int>(j));
          sum_up(first, with_sibling, candidates, aside_[j]);
        }
        each_part_of(
            kind, arcs, number, [&](const ArcRelatives& arc) { sum_up(arc, with_grandparent, candidates, above_); },
            [&](Index place, const ArcRelatives& arc, int rank) {
              sum_up(arc, with_both, candidates, of_both_);
              visit(kind, place, arc, candidates, total(candidates, aside_[at(rank)]));
            });
      });
  }

  // visit(kind, place, arc) for the same parts.
  template <class Visit>
  void each_part(const Candidates& arcs, Visit visit) const {
    for (int number = 0; number < arcs.arcs(); ++number)
      with_kind(arcs.head(number), [&]<class Kind>(Kind kind) {
        each_part_of(
            kind, arcs, number, [](const ArcRelatives&) {},
            [&](Index place, const ArcRelatives& arc, int) { visit(kind, place, arc); });
      });
  }

  // visit(kind, place) for the part that an arc of a tree is labelled with.
  template <class Visit>
  void find(const Candidates& arcs, const ArcRelatives& arc, Visit visit) const {
    with_kind(arc.h, [&]<class Kind>(Kind kind) {
      std::array<int, Kind::words> nodes{};
      std::size_t next = 0;
      if constexpr (Kind::ancestors == 1) nodes[next++] = arc.g;
      nodes[next++] = arc.h;
      nodes[next++] = arc.m;
      if constexpr (Kind::siblings == 1) nodes[next++] = arc.s == nobody ? arc.h : arc.s;
      visit(kind, place_of<Kind>(arcs, nodes));
    });
  }

  // The same sums for one arc of which all is known; and for one label of it.
  const float* sums(const ArcRelatives& arc, const LabelCandidates& candidates) {
    aside_.resize(1);
    sum_up(arc, no_relatives, candidates, of_arc_);
    sum_up(arc, with_grandparent, candidates, above_);
    sum_up(arc, with_sibling, candidates, aside_[0]);
    sum_up(arc, with_both, candidates, of_both_);
    const float* all = total(candidates, aside_[0]);
    for (const unsigned below : {with_leftmost, with_rightmost}) {
      const float* more = sums_of(arc, below, candidates);
      for (const int l : candidates.labels) total_[at(l)] += more[l];
    }
    return all;
  }
  double sum(const ArcRelatives& arc, int label) { return sums(arc, only(label))[label]; }

  // f(row) for the features of an arc; the label's weight lies in the row at its number.
  template <class F>
  void for_each_row(const ArcRelatives& arc, F f) const {
    for (const unsigned relatives :
         {no_relatives, with_grandparent, with_sibling, with_both, with_leftmost, with_rightmost})
      for_each_row(arc, relatives, f);
  }
  // Of the templates with these relatives alone: rows, and sums for the candidates.
  template <class F>
  void for_each_row(const ArcRelatives& arc, unsigned relatives, F f) const {
    features_.for_each(arc, relatives, mask_, f);
  }
  const float* sums_of(const ArcRelatives& arc, unsigned relatives, const LabelCandidates& candidates) {
    rows_.clear();
    for_each_row(arc, relatives, [&](std::uint32_t row) { rows_.add(weights_ + row, candidates); });
    return rows_.sum(labels_->count, candidates);
  }

  // A label that is known is the only candidate.
  const LabelCandidates& only(int label) {
    only_ = {};
    only_.add(label);
    return only_;
  }

  static constexpr unsigned no_relatives = 0;
  static constexpr unsigned with_grandparent = LabelTemplates::bit(LabelTemplates::grandparent);
  static constexpr unsigned with_sibling = LabelTemplates::bit(LabelTemplates::sibling);
  static constexpr unsigned with_both = with_grandparent | with_sibling;
  static constexpr unsigned with_leftmost = LabelTemplates::bit(LabelTemplates::leftmost);
  static constexpr unsigned with_rightmost = LabelTemplates::bit(LabelTemplates::rightmost);

 private:
  using Sums = std::vector<float>;  // by label; there for candidates only

  static ArcRelatives arc_alone(const Candidates& arcs, int arc) {
    return ArcRelatives::alone(arcs.head(arc), arcs.modifier(arc));
  }
  static int modifier_or_nobody(const Candidates& arcs, int arc, int j) {
    return j == 0 ? nobody : arcs.modifier(arcs.nearer(arc, j));
  }

  // The kind of part that shows all that is to be known of an arc from h. Nothing is above the root.
  template <class F>
  void with_kind(int h, F f) const {
    if (looks_up_ && h > 0) looks_aside_ ? f(GrandSiblings{}) : f(Grandchildren{});
    else looks_aside_ ? f(Siblings{}) : f(Arcs{});
  }

  template <class Kind, class VisitAbove, class Visit>
  static void each_part_of(Kind, const Candidates& arcs, int number, VisitAbove visit_above, Visit visit) {
    ArcRelatives arc = arc_alone(arcs, number);
    const auto below = [&](const typename Kind::Path& path) {
      visit_above(arc);
      for (int j = 0; j <= (Kind::siblings ? arcs.inner(number) : 0); ++j) {
        arc.s = modifier_or_nobody(arcs, number, j);
        visit(Kind::place(arcs, path, j), arc, j);
      }
      arc.s = nobody;
    };
    if constexpr (Kind::ancestors == 1) {
      for (const int above : arcs.into(arc.h)) {
        arc.g = arcs.head(above);
        below({above, number});
      }
    } else {
      below({number});
    }
  }

  void sum_up(const ArcRelatives& arc, unsigned relatives, const LabelCandidates& candidates, Sums& sums) {
    const float* summed = sums_of(arc, relatives, candidates);
    sums.resize(at(labels_->count));
    for (const int l : candidates.labels) sums[at(l)] = summed[l];
  }
  const float* total(const LabelCandidates& candidates, const Sums& aside) {
    total_.resize(at(labels_->count));
    for (const int l : candidates.labels) total_[at(l)] = of_arc_[at(l)] + above_[at(l)] + aside[at(l)] + of_both_[at(l)];
    return total_.data();
  }

  const LabelSet* labels_;
  const ArcFilter* filter_;
  std::uint32_t mask_;
  LabelFeatures features_;
  bool looks_up_ = false, looks_aside_ = false;
  const float* weights_ = nullptr;
  std::vector<int> tags_;
  LabelCandidates only_;
  LabelSums rows_;
  Sums of_arc_, above_, of_both_, total_;
  std::vector<Sums> aside_;
};

}  // namespace headwise::scoring
