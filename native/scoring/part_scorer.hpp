// Scores every part whose arcs survive pruning, into the compact tables of candidates.hpp.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trees/factorizations/candidates.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/part_features.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::scoring {

// The template tables of all kinds of parts above arcs.
struct HigherOrderTemplates {
  static constexpr std::array<std::string_view, 3> sibling_roles = {"h", "m", "s"};
  static constexpr std::array<std::string_view, 4> tri_sibling_roles = {"h", "m", "s", "t"};
  static constexpr std::array<std::string_view, 3> grandchild_roles = {"g", "h", "m"};
  static constexpr std::array<std::string_view, 4> grand_sibling_roles = {"g", "h", "m", "s"};

  using Lines = std::map<std::string, std::vector<std::string>>;
  explicit HigherOrderTemplates(Lines lines)
      : siblings(lines["sibling"], sibling_roles),
        tri_siblings(lines["tri_sibling"], tri_sibling_roles),
        grandchildren(lines["grandchild"], grandchild_roles),
        grand_siblings(lines["grand_sibling"], grand_sibling_roles),
        outermost(lines["outermost"], grandchild_roles) {}

  PartTemplates siblings, tri_siblings, grandchildren, grand_siblings, outermost;
};

// Which way arcs point picks the slot of a feature's block.
inline std::uint32_t one_way(int h, int m) { return h < m ? 1 : 0; }
inline std::uint32_t two_ways(int g, int h, int m) { return (g < h ? 2u : 0u) + (h < m ? 1u : 0u); }
// Where nobody is the modifier, the empty side of h takes its place.
inline std::uint32_t empty_side(int g, int h, int side) { return (g < h ? 2u : 0u) + static_cast<std::uint32_t>(side); }

// One number for every part over candidates: its score, its probability, its gradient. Tables of kinds that the
// factorization does not have, or that have no templates, are empty.
struct CandidateTables {
  std::vector<double> arcs, siblings, tri_siblings, grandchildren, grand_siblings, outermost;

  PartScores scores() const { return tables<const double>(*this); }
  PartMarginals marginals() { return tables<double>(*this); }

  static constexpr auto kinds() {
    return std::array{&CandidateTables::arcs, &CandidateTables::siblings, &CandidateTables::tri_siblings,
                      &CandidateTables::grandchildren, &CandidateTables::grand_siblings, &CandidateTables::outermost};
  }
  // Zeros in the shape of other tables.
  void clear_like(const CandidateTables& other) {
    for (const auto kind : kinds()) (this->*kind).assign((other.*kind).size(), 0.0);
  }
  void divide(const CandidateTables& other, double divisor) {
    for (const auto kind : kinds()) {
      (this->*kind).assign((other.*kind).begin(), (other.*kind).end());
      for (double& number : this->*kind) number /= divisor;
    }
  }

 private:
  template <class Number, class Self>
  static PartTables<Number> tables(Self& self) {
    const auto table = [](auto& v) -> Number* { return v.empty() ? nullptr : v.data(); };
    PartTables<Number> result;
    result.labels = self.arcs.data();
    result.siblings = table(self.siblings);
    result.tri_siblings = table(self.tri_siblings);
    result.grandchildren = table(self.grandchildren);
    result.grand_siblings = table(self.grand_siblings);
    result.outermost = table(self.outermost);
    return result;
  }
};

class PartScorer {
 public:
  explicit PartScorer(const HigherOrderTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) {
    siblings_.assign(templates_->siblings, atoms);
    tri_siblings_.assign(templates_->tri_siblings, atoms);
    grandchildren_.assign(templates_->grandchildren, atoms);
    grand_siblings_.assign(templates_->grand_siblings, atoms);
    outermost_.assign(templates_->outermost, atoms);
  }

  // Fills all tables but that of arcs.
  void score(const Candidates& arcs, Factorization factorization, const float* weights, std::uint32_t mask,
             CandidateTables& tables) {
    const PartKinds kinds(factorization);
    const auto prepare = [](std::vector<double>& table, bool wanted, Index size) {
      table.assign(wanted ? static_cast<std::size_t>(size) : 0, 0.0);
      return wanted;
    };
    const bool siblings = prepare(tables.siblings, kinds.siblings && siblings_.count(), arcs.sibling_count());
    const bool tri_siblings =
        prepare(tables.tri_siblings, kinds.tri_siblings && tri_siblings_.count(), arcs.tri_sibling_count());
    const bool grandchildren =
        prepare(tables.grandchildren, kinds.grandchildren && grandchildren_.count(), arcs.grandchild_count());
    const bool grand_siblings =
        prepare(tables.grand_siblings, kinds.grand_siblings && grand_siblings_.count(), arcs.grand_sibling_count());
    const bool outermost = prepare(tables.outermost, kinds.outermost && outermost_.count(), arcs.grandchild_count());
    sums_.begin(weights, mask);
    for (int arc = 0; arc < arcs.arcs(); ++arc) {
      if (outermost) score_outermost(arcs, arc, tables.outermost);
      if (siblings) score_siblings(arcs, arc, tables.siblings);
      if (tri_siblings) score_tri_siblings(arcs, arc, tables.tri_siblings);
      if (grandchildren) score_grandchildren(arcs, arc, tables.grandchildren);
      if (grand_siblings) score_grand_siblings(arcs, arc, tables.grand_siblings);
    }
    sums_.end();
  }

  // The features of single parts: f(index), by the words of a part.
  template <class F>
  class Features {
   public:
    Features(const PartScorer& scorer, std::uint32_t mask, F f) : scorer_(&scorer), mask_(mask), f_(f) {}
    void sibling(int h, int m, int s) const { emit(scorer_->siblings_, {h, m, s}, one_way(h, m)); }
    void tri_sibling(int h, int m, int s, int t) const { emit(scorer_->tri_siblings_, {h, m, s, t}, one_way(h, m)); }
    void grandchild(int g, int h, int m) const { emit(scorer_->grandchildren_, {g, h, m}, two_ways(g, h, m)); }
    void no_grandchild(int g, int h, int side) const {
      emit(scorer_->grandchildren_, {g, h, nobody}, empty_side(g, h, side));
    }
    void outermost(int g, int h, int m) const { emit(scorer_->outermost_, {g, h, m}, two_ways(g, h, m)); }
    void grand_sibling(int g, int h, int m, int s) const {
      emit(scorer_->grand_siblings_, {g, h, m, s}, two_ways(g, h, m));
    }

   private:
    void emit(const PartKeys& keys, std::initializer_list<int> words, std::uint32_t slot) const {
      for (int t = 0; t < keys.count(); ++t) {
        std::uint32_t x = 0;
        int role = 0;
        for (const int word : words) x ^= keys.of(role++, word)[t];
        f_((x & mask_) ^ slot);
      }
    }
    const PartScorer* scorer_;
    std::uint32_t mask_;
    F f_;
  };

  // Calls f(index) for the features of every part that list(visitor) shows to the visitor.
  template <class List, class F>
  void for_each_feature(List list, std::uint32_t mask, F f) const {
    list(Features<F>(*this, mask, f));
  }

  // Calls f(index, amount) for the features of every part whose amount is more than negligible.
  template <class F>
  void for_each_feature(const Candidates& arcs, const CandidateTables& amounts, double negligible, std::uint32_t mask,
                        F f) const {
    double amount = 0;
    const auto emit = [&](std::uint32_t index) { f(index, amount); };
    const Features<decltype(emit)> features(*this, mask, emit);
    const auto matters = [&](const std::vector<double>& table, Index place) {
      return std::abs(amount = table[at(place)]) > negligible;
    };
    for (int arc = 0; arc < arcs.arcs(); ++arc) {
      const int h = arcs.head(arc), m = arcs.modifier(arc);
      if (!amounts.siblings.empty())
        for (int j = 0; j <= arcs.inner(arc); ++j)
          if (matters(amounts.siblings, arcs.sibling(arc, j))) features.sibling(h, m, modifier_or_nobody(arcs, arc, j));
      if (!amounts.tri_siblings.empty())
        for (int j = 1; j <= arcs.inner(arc); ++j)
          for (int i = 0; i < j; ++i)
            if (matters(amounts.tri_siblings, arcs.tri_sibling(arc, j, i)))
              features.tri_sibling(h, m, modifier_or_nobody(arcs, arc, j), modifier_or_nobody(arcs, arc, i));
      // From here on, `arc` is the upper one of two.
      for (int below = arcs.begin(m); below < arcs.end(m); ++below) {
        if (!amounts.grandchildren.empty() && matters(amounts.grandchildren, arcs.grandchild(arc, below)))
          features.grandchild(h, m, arcs.modifier(below));
        if (!amounts.outermost.empty() && matters(amounts.outermost, arcs.grandchild(arc, below)))
          features.outermost(h, m, arcs.modifier(below));
        if (amounts.grand_siblings.empty()) continue;
        for (int j = 0; j <= arcs.inner(below); ++j)
          if (matters(amounts.grand_siblings, arcs.grand_sibling(arc, below, j)))
            features.grand_sibling(h, m, arcs.modifier(below), modifier_or_nobody(arcs, below, j));
      }
      if (amounts.grandchildren.empty()) continue;
      for (int side = 0; side < 2; ++side)
        if (matters(amounts.grandchildren, arcs.no_grandchild(arc, (side == 0) == (h < m))))
          features.no_grandchild(h, m, side);
    }
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static int modifier_or_nobody(const Candidates& arcs, int arc, int j) {
    return j == 0 ? nobody : arcs.modifier(arcs.nearer(arc, j));
  }

  void score_siblings(const Candidates& arcs, int arc, std::vector<double>& table) {
    const int h = arcs.head(arc), m = arcs.modifier(arc), count = siblings_.count();
    join_keys(siblings_.of(0, h), siblings_.of(1, m), count, joined_);
    for (int j = 0; j <= arcs.inner(arc); ++j)
      sums_.add(joined_.data(), siblings_.of(2, modifier_or_nobody(arcs, arc, j)), count, one_way(h, m),
                &table[at(arcs.sibling(arc, j))]);
  }

  void score_tri_siblings(const Candidates& arcs, int arc, std::vector<double>& table) {
    const int h = arcs.head(arc), m = arcs.modifier(arc), count = tri_siblings_.count();
    join_keys(tri_siblings_.of(0, h), tri_siblings_.of(1, m), count, joined_);
    for (int j = 1; j <= arcs.inner(arc); ++j) {
      join_keys(joined_.data(), tri_siblings_.of(2, modifier_or_nobody(arcs, arc, j)), count, joined_more_);
      for (int i = 0; i < j; ++i)
        sums_.add(joined_more_.data(), tri_siblings_.of(3, modifier_or_nobody(arcs, arc, i)), count, one_way(h, m),
                  &table[at(arcs.tri_sibling(arc, j, i))]);
    }
  }

  void score_grandchildren(const Candidates& arcs, int above, std::vector<double>& table) {
    const int g = arcs.head(above), h = arcs.modifier(above), count = grandchildren_.count();
    join_keys(grandchildren_.of(0, g), grandchildren_.of(1, h), count, joined_);
    for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc) {
      const int m = arcs.modifier(arc);
      sums_.add(joined_.data(), grandchildren_.of(2, m), count, two_ways(g, h, m),
                &table[at(arcs.grandchild(above, arc))]);
    }
    for (int side = 0; side < 2; ++side) {
      const bool faces_head = (side == 0) == (g < h);
      sums_.add(joined_.data(), grandchildren_.of(2, nobody), count, empty_side(g, h, side),
                &table[at(arcs.no_grandchild(above, faces_head))]);
    }
  }

  void score_outermost(const Candidates& arcs, int above, std::vector<double>& table) {
    const int g = arcs.head(above), h = arcs.modifier(above), count = outermost_.count();
    join_keys(outermost_.of(0, g), outermost_.of(1, h), count, joined_);
    for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc) {
      const int m = arcs.modifier(arc);
      sums_.add(joined_.data(), outermost_.of(2, m), count, two_ways(g, h, m), &table[at(arcs.grandchild(above, arc))]);
    }
  }

  void score_grand_siblings(const Candidates& arcs, int above, std::vector<double>& table) {
    const int g = arcs.head(above), h = arcs.modifier(above), count = grand_siblings_.count();
    join_keys(grand_siblings_.of(0, g), grand_siblings_.of(1, h), count, joined_);
    for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc) {
      const int m = arcs.modifier(arc);
      join_keys(joined_.data(), grand_siblings_.of(2, m), count, joined_more_);
      for (int j = 0; j <= arcs.inner(arc); ++j)
        sums_.add(joined_more_.data(), grand_siblings_.of(3, modifier_or_nobody(arcs, arc, j)), count,
                  two_ways(g, h, m), &table[at(arcs.grand_sibling(above, arc, j))]);
    }
  }

  const HigherOrderTemplates* templates_;
  PartKeys siblings_, tri_siblings_, grandchildren_, grand_siblings_, outermost_;
  std::vector<std::uint32_t> joined_, joined_more_;
  WeightSums sums_;
};

}  // namespace headwise::scoring
