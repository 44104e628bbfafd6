// Scores every part whose arcs survive pruning, into the compact tables of candidates.hpp.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/part_features.hpp"
#include "trees/factorizations/part_indices.hpp"
#include "trees/tree_parts.hpp"

namespace headwise::scoring {

// One Value for every kind of part above arcs.
template <class Value>
class ForEachKind {
 public:
  template <class Kind>
  Value& operator[](Kind) {
    return values_[PartKinds::index<Kind>()];
  }
  template <class Kind>
  const Value& operator[](Kind) const {
    return values_[PartKinds::index<Kind>()];
  }

 private:
  std::array<Value, PartKinds::size> values_{};
};

// The template tables of all kinds of parts above arcs.
class HigherOrderTemplates {
 public:
  using Lines = std::map<std::string, std::vector<std::string>>;

  // The lines of each kind by its name (part_kinds.hpp); a kind that is left out has no features.
  explicit HigherOrderTemplates(Lines lines) {
    PartKinds::each([&]<class Kind>(Kind kind) {
      const auto given = lines.extract(std::string(Kind::name));
      if (given) kinds_[kind] = PartTemplates(given.mapped(), members_of<Kind>(), Kind::ancestors > 0);
    });
    if (!lines.empty())
      throw std::invalid_argument("no kind of part is called '" + lines.begin()->first + "'");
  }

  template <class Kind>
  const PartTemplates& operator[](Kind kind) const {
    return kinds_[kind];
  }

 private:
  ForEachKind<PartTemplates> kinds_;
};

// Which way the arcs of a part point, from the uppermost ancestor down to the modifier, picks the slot of a feature's
// block.
template <class Kind>
std::uint32_t slot_of(const std::array<int, Kind::words>& words) {
  std::uint32_t slot = 0;
  for (std::size_t k = 1; k < Kind::spine; ++k) slot = 2 * slot + (words[k - 1] < words[k] ? 1 : 0);
  return slot;
}
// Whether the modifier lies beyond its head as seen from the head of that; parts without one have no sides.
template <class Kind>
bool is_outer(std::uint32_t slot) {
  return Kind::ancestors == 0 || ((slot >> 1) & 1) == (slot & 1);
}
// Where nobody is the modifier, the empty side of h takes its place.
inline std::uint32_t empty_side_slot(int g, int h, int side) {
  return (g < h ? 2u : 0u) + static_cast<std::uint32_t>(side);
}

// The table of one kind of part over candidates.
template <class Kind>
struct CandidateTable {
  std::vector<double> places;
};
template <class Kinds>
struct CandidateTablesOf;
template <class... Kinds>
struct CandidateTablesOf<KindList<Kinds...>> : CandidateTable<Kinds>... {};

// One number for every part over candidates: its score, its probability, its gradient. Tables of kinds that the
// factorization does not have, or that have no templates, are empty.
struct CandidateTables : CandidateTablesOf<PartKinds> {
  std::vector<double> arcs;
  std::vector<double> labelled_arcs, labelled_siblings, labelled_grandchildren;  // numbered by LabelledArcs

  template <class Kind>
  std::vector<double>& operator[](Kind) {
    return this->CandidateTable<Kind>::places;
  }
  template <class Kind>
  const std::vector<double>& operator[](Kind) const {
    return this->CandidateTable<Kind>::places;
  }

  PartScores scores() const { return tables<const double>(*this); }
  PartMarginals marginals() { return tables<double>(*this); }

  // Every table as a pointer to a member, that of arcs first.
  static constexpr auto kinds() {
    std::array<std::vector<double> CandidateTables::*, 4 + PartKinds::size> members{
        &CandidateTables::arcs, &CandidateTables::labelled_arcs, &CandidateTables::labelled_siblings,
        &CandidateTables::labelled_grandchildren};
    std::size_t next = 4;
    PartKinds::each([&]<class Kind>(Kind) { members[next++] = &CandidateTable<Kind>::places; });
    return members;
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
    PartTables<Number> result;
    result.labels = self.arcs.data();
    const auto table = [](auto& places) { return places.empty() ? nullptr : places.data(); };
    PartKinds::each([&](auto kind) { result[kind] = table(self[kind]); });
    result.labelled = {table(self.labelled_arcs), table(self.labelled_siblings), table(self.labelled_grandchildren)};
    return result;
  }
};

class PartScorer {
 public:
  explicit PartScorer(const HigherOrderTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) { assign(WordNodes{atoms}); }
  template <class Nodes>
  void assign(const Nodes& nodes) {
    PartKinds::each([&](auto kind) { keys_[kind].assign((*templates_)[kind], nodes); });
  }

  // Fills all tables but that of arcs.
  void score(const Candidates& arcs, Factorization factorization, const float* weights, std::uint32_t mask,
             CandidateTables& tables) {
    ForEachKind<bool> wanted;
    PartKinds::each([&]<class Kind>(Kind kind) {
      wanted[kind] = has_kind<Kind>(factorization) && keys_[kind].count();
      tables[kind].assign(wanted[kind] ? at(Kind::count(arcs)) : 0, 0.0);
    });
    sums_.begin(weights, mask);
    for (int arc = 0; arc < arcs.arcs(); ++arc)
      PartKinds::each([&](auto kind) {
        if (wanted[kind]) score_under(kind, arcs, arc, tables[kind]);
      });
    sums_.end();
  }

  // The features of single parts: f(index), by the words of a part.
  template <class F>
  class Features {
   public:
    Features(const PartScorer& scorer, std::uint32_t mask, F f) : scorer_(&scorer), mask_(mask), f_(f) {}
    template <class Kind, class... Words>
    void operator()(Kind kind, Words... words) const {
      part(kind, {words...});
    }
    template <class Kind>
    void part(Kind kind, const std::array<int, Kind::words>& words) const {
      emit(kind, words, slot_of<Kind>(words));
    }
    template <class Kind>
    void empty_side(Kind kind, int g, int h, int side) const {
      emit(kind, std::array{g, h, nobody}, empty_side_slot(g, h, side));
    }

   private:
    template <class Kind, std::size_t count>
    void emit(Kind kind, const std::array<int, count>& words, std::uint32_t slot) const {
      const PartKeys& keys = scorer_->keys_[kind];
      for (int t = 0, end = keys.count(is_outer<Kind>(slot)); t < end; ++t) {
        std::uint32_t x = 0;
        int member = 0;
        for (const int word : words) x ^= keys.of(member++, word)[t];
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

  // Calls f(index, amount) for the features of every part whose amount is more than negligible: those of one path of
  // arcs after the other, small parts before large ones.
  template <class F>
  void for_each_feature(const Candidates& arcs, const CandidateTables& amounts, double negligible, std::uint32_t mask,
                        F f) const {
    double amount = 0;
    const auto emit = [&](std::uint32_t index) { f(index, amount); };
    const Features<decltype(emit)> features(*this, mask, emit);
    const auto matters = [&](const std::vector<double>& table, Index place) {
      return std::abs(amount = table[at(place)]) > negligible;
    };
    const auto parts_of = [&]<std::size_t length>(const std::array<int, length>& path) {
      each_kind_by_size<static_cast<int>(length) - 1>([&]<class Kind>(Kind kind) {
        const std::vector<double>& table = amounts[kind];
        if (table.empty()) return;
        each_rank<Kind>(arcs, path.back(), [&](auto... ranks) {
          if (matters(table, Kind::place(arcs, path, ranks...)))
            features.part(kind, nodes_of_part<Kind>(arcs, path, nobody, ranks...));
        });
      });
    };
    const int most = most_ancestors(amounts);
    for (int arc = 0; arc < arcs.arcs(); ++arc) {
      each_path_from(arcs, std::array{arc}, most, parts_of);
      PartKinds::each([&]<class Kind>(Kind kind) {
        if constexpr (Kind::has_empty_sides) {
          if (amounts[kind].empty()) return;
          const int g = arcs.head(arc), h = arcs.modifier(arc);
          for (int side = 0; side < 2; ++side)
            if (matters(amounts[kind], arcs.no_grandchild(arc, (side == 0) == (g < h))))
              features.empty_side(kind, g, h, side);
        }
      });
    }
  }

 private:
  static int modifier_or_nobody(const Candidates& arcs, int arc, int j) {
    return j == 0 ? nobody : arcs.modifier(arcs.nearer(arc, j));
  }

  // f(kind) for the kinds with so many ancestors, by how many words they have.
  template <int ancestors, class F>
  static void each_kind_by_size(F f) {
    const auto of_size = [&]<int siblings>(std::integral_constant<int, siblings>) {
      PartKinds::each([&]<class Kind>(Kind kind) {
        if constexpr (Kind::ancestors == ancestors && Kind::siblings == siblings) f(kind);
      });
    };
    of_size(std::integral_constant<int, 0>{});
    of_size(std::integral_constant<int, 1>{});
    of_size(std::integral_constant<int, 2>{});
  }
  static int most_ancestors(const CandidateTables& tables) {
    int most = 0;
    PartKinds::each([&]<class Kind>(Kind kind) {
      if (!tables[kind].empty()) most = std::max(most, Kind::ancestors);
    });
    return most;
  }
  // visit(path) for a path of arcs and then all longer ones that begin with it, of up to `most` ancestors.
  template <std::size_t length, class Visit>
  static void each_path_from(const Candidates& arcs, const std::array<int, length>& path, int most, Visit& visit) {
    visit(path);
    if constexpr (length <= 2) {
      if (static_cast<int>(length) > most) return;
      std::array<int, length + 1> longer;
      std::copy(path.begin(), path.end(), longer.begin());
      const int node = arcs.modifier(path.back());
      for (longer[length] = arcs.begin(node); longer[length] < arcs.end(node); ++longer[length])
        each_path_from(arcs, longer, most, visit);
    }
  }

  // Scores all parts whose uppermost arc this is. Keys of the words that parts share are joined once.
  template <class Kind>
  void score_under(Kind kind, const Candidates& arcs, int arc, std::vector<double>& table) {
    const PartKeys& keys = keys_[kind];
    const int upper = arcs.head(arc), lower = arcs.modifier(arc);
    join_keys(keys.of(0, upper), keys.of(1, lower), keys.count(), joined_[0]);
    score_path(kind, arcs, std::array{arc}, upper < lower ? 1u : 0u, table);
    if constexpr (Kind::has_empty_sides)
      for (int side = 0; side < 2; ++side) {
        const bool faces_head = (side == 0) == (upper < lower);
        const std::uint32_t slot = empty_side_slot(upper, lower, side);
        sums_.add(joined_[0].data(), keys.of(2, nobody), keys.count(is_outer<Kind>(slot)), slot,
                  &table[at(arcs.no_grandchild(arc, faces_head))]);
      }
  }

  // All parts whose path begins so. joined_[length - 1] are the keys of its words, `slot` the directions of its arcs.
  template <class Kind, std::size_t length>
  void score_path(Kind kind, const Candidates& arcs, const std::array<int, length>& path, std::uint32_t slot,
                  std::vector<double>& table) {
    const PartKeys& keys = keys_[kind];
    const int arc = path.back();
    const std::uint32_t* joined = joined_[length - 1].data();
    [[maybe_unused]] const int count = keys.count(is_outer<Kind>(slot));
    if constexpr (length <= Kind::ancestors) {
      const int node = arcs.modifier(arc);
      std::array<int, length + 1> longer;
      std::copy(path.begin(), path.end(), longer.begin());
      for (int below = arcs.begin(node); below < arcs.end(node); ++below) {
        longer[length] = below;
        const int m = arcs.modifier(below);
        const std::uint32_t* key = keys.of(length + 1, m);
        const std::uint32_t slot_below = 2 * slot + (node < m ? 1 : 0);
        if constexpr (length + 2 == Kind::words) {
          sums_.add(joined, key, keys.count(is_outer<Kind>(slot_below)), slot_below,
                    &table[at(Kind::place(arcs, longer))]);
        } else {
          join_keys(joined, key, keys.count(), joined_[length]);
          score_path(kind, arcs, longer, slot_below, table);
        }
      }
    } else if constexpr (Kind::siblings == 1) {
      for (int j = 0; j <= arcs.inner(arc); ++j)
        sums_.add(joined, keys.of(Kind::spine, modifier_or_nobody(arcs, arc, j)), count, slot,
                  &table[at(Kind::place(arcs, path, j))]);
    } else {
      for (int j = 1; j <= arcs.inner(arc); ++j) {
        join_keys(joined, keys.of(Kind::spine, modifier_or_nobody(arcs, arc, j)), keys.count(), joined_[length]);
        for (int i = 0; i < j; ++i)
          sums_.add(joined_[length].data(), keys.of(Kind::spine + 1, modifier_or_nobody(arcs, arc, i)), count, slot,
                    &table[at(Kind::place(arcs, path, j, i))]);
      }
    }
  }

  const HigherOrderTemplates* templates_;
  ForEachKind<PartKeys> keys_;
  std::array<std::vector<std::uint32_t>, 5> joined_;
  WeightSums sums_;
};

}  // namespace headwise::scoring
