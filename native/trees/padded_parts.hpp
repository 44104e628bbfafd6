// Projective trees with siblings, grandchildren and grand-siblings of many sentences, whose scores lie in padded arrays, as
// padded_batch.hpp has those of arcs alone. Which parts there are and where they lie is said in kernels/parts.cuh.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/threads.hpp"
#include "kernels/part_verbs.cuh"
#include "trees/compiled.hpp"
#include "trees/factorizations/part_indices.hpp"
#include "trees/factorizations/sibling_table.hpp"

namespace headwise::trees {

struct PaddedParts {
  kernels::Batch<double> arcs;
  kernels::Parts<double> parts;

  int words(int sentence) const { return static_cast<int>(arcs.lengths[sentence]); }
  bool has_grandparents() const { return parts.grandchildren.scores || parts.grand_siblings.scores; }
};

// One sentence of them, as the factorizations of the library take it: its arcs, and compact tables of their parts.
class PaddedSentence {
 public:
  PaddedSentence(const PaddedParts& batch, int sentence)
      : batch_(batch), of_parts_(batch.parts, sentence, batch.arcs.width), sentence_(sentence), n_(batch.words(sentence)),
        places_(static_cast<std::size_t>(n_ + 1) * (n_ + 1), -1) {
    for (int m = 1; m <= n_; ++m)
      for (int c = 0; c < batch.parts.choices; ++c)
        if (const int h = of_parts_.head(n_, m, c); h >= 0) {
          const double score = checked(batch.arcs.scores[arc_cell(h, m)]);
          if (score > kImpossible) places_[place_cell(h, m)] = c;
        }
    candidates_ = std::make_unique<Candidates>(n_, [&](int h, int m) { return place(h, m) >= 0; });
    arc_scores_.resize(candidates_->arcs());
    for (int arc = 0; arc < candidates_->arcs(); ++arc)
      arc_scores_[arc] = batch.arcs.scores[arc_cell(candidates_->head(arc), candidates_->modifier(arc))];
    scores_.labels = arc_scores_.data();
    each_table(compact_, [&]<class Kind>(Kind kind, const Table& table, std::vector<double>& compact) {
      if (!table.scores) return;
      compact.assign(static_cast<std::size_t>(Kind::count(*candidates_)), 0.0);
      each_part(kind, [&](Index place, int cell) {
        compact[place] = checked(table.scores[of_parts_.start(table) + cell]);
      });
      scores_[kind] = compact.data();
    });
  }

  // NaN among the scores, or +inf.
  bool is_bad() const { return bad_; }
  const Candidates& candidates() const { return *candidates_; }
  const PartScores& scores() const { return scores_; }

  // Arcs and siblings laid out for DenseSibling.
  PartScores dense(std::vector<double>& arcs, std::vector<double>& siblings) const {
    const int nodes = n_ + 1;
    arcs.assign(static_cast<std::size_t>(nodes) * nodes, kImpossible);
    siblings.assign(static_cast<std::size_t>(sibling_count(nodes)), 0.0);
    for (int arc = 0; arc < candidates_->arcs(); ++arc)
      arcs[place_cell(candidates_->head(arc), candidates_->modifier(arc))] = arc_scores_[arc];
    if (batch_.parts.siblings.scores)
      each_place<Siblings>(*candidates_, [&](Index place, const auto& nodes_of_part) {
        const auto [h, m, s] = nodes_of_part;
        const int rank = s == h ? 0 : s - std::min(h, m);
        siblings[sibling_row(nodes, h, m) + rank] = compact_[0][place];
      }, [](Index, const auto&) {});
    PartScores scores{.labels = arcs.data()};
    scores[Siblings{}] = siblings.data();
    return scores;
  }

  // Room for the marginals of everything that is scored.
  PartMarginals room() {
    PartMarginals marginals;
    arc_marginals_.assign(candidates_->arcs(), 0.0);
    marginals.labels = arc_marginals_.data();
    each_table(marginals_, [&]<class Kind>(Kind kind, const Table& table, std::vector<double>& compact) {
      if (!table.results) return;
      compact.assign(static_cast<std::size_t>(Kind::count(*candidates_)), 0.0);
      marginals[kind] = compact.data();
    });
    return marginals;
  }
  // … and what has come of it, put where results go.
  void put(double* arcs) {
    for (int arc = 0; arc < candidates_->arcs(); ++arc)
      arcs[arc_cell(candidates_->head(arc), candidates_->modifier(arc))] = arc_marginals_[arc];
    each_table(marginals_, [&]<class Kind>(Kind kind, const Table& table, std::vector<double>& compact) {
      if (table.results)
        each_part(kind, [&](Index place, int cell) { table.results[of_parts_.start(table) + cell] = compact[place]; });
    });
  }

 private:
  using Table = kernels::PartTable<double>;
  std::int64_t arc_cell(int h, int m) const {
    return batch_.arcs.offset(sentence_) + static_cast<std::int64_t>(h) * batch_.arcs.width + m;
  }
  std::size_t place_cell(int h, int m) const { return static_cast<std::size_t>(h) * (n_ + 1) + m; }
  int place(int h, int m) const { return places_[place_cell(h, m)]; }
  double checked(double score) {
    bad_ |= !(score < -kImpossible);
    return score;
  }

  template <class Visit>
  void each_table(std::array<std::vector<double>, 3>& compact, Visit visit) {
    visit(Siblings{}, batch_.parts.siblings, compact[0]);
    visit(Grandchildren{}, batch_.parts.grandchildren, compact[1]);
    visit(GrandSiblings{}, batch_.parts.grand_siblings, compact[2]);
  }
  // visit(place in a compact table, cell) for the parts that a projective tree may have.
  template <class Visit>
  void each_part(Siblings, Visit visit) {
    each_place<Siblings>(*candidates_, [&](Index place, const auto& nodes) {
      const auto [h, m, s] = nodes;
      if (is_pair(h, s)) visit(place, of_parts_.sibling(m, this->place(h, m), s));
    }, [](Index, const auto&) {});
  }
  template <class Visit>
  void each_part(Grandchildren, Visit visit) {
    each_place<Grandchildren>(*candidates_, [&](Index place, const auto& nodes) {
      const auto [g, h, m] = nodes;
      if (is_above(g, h, m)) visit(place, of_parts_.grandchild(m, this->place(h, m), this->place(g, h)));
    }, [&](Index place, const auto& nodes) {
      const auto [g, h, m] = nodes;
      if (g >= 0 && of_parts_.has_empty_sides()) visit(place, of_parts_.empty_side(h, this->place(g, h), m == g));
    });
  }
  template <class Visit>
  void each_part(GrandSiblings, Visit visit) {
    each_place<GrandSiblings>(*candidates_, [&](Index place, const auto& nodes) {
      const auto [g, h, m, s] = nodes;
      if (is_above(g, h, m)) visit(place, of_parts_.grand_sibling(m, this->place(h, m), this->place(g, h), s));
    }, [](Index, const auto&) {});
  }
  bool is_pair(int h, int s) const { return h > 0 || s == 0 || !batch_.arcs.single_root; }
  static bool is_above(int g, int h, int m) { return g >= 0 && (g < std::min(h, m) || g > std::max(h, m)); }

  const PaddedParts& batch_;
  kernels::PartsOfSentence<double, 1, true> of_parts_;
  int sentence_, n_;
  bool bad_ = false;
  std::vector<int> places_;  // of heads among the candidates of each word; −1 for arcs that are not there
  std::unique_ptr<Candidates> candidates_;
  std::vector<double> arc_scores_, arc_marginals_;
  std::array<std::vector<double>, 3> compact_, marginals_;
  PartScores scores_;
};

// work(sentence, its words, what it is) for each sentence with words; results of the others are zero to begin with.
template <class Work>
void each_sentence(const PaddedParts& batch, int threads, Work work) {
  parallel_for(static_cast<std::size_t>(batch.arcs.sentences), threads, [&](std::size_t number, int) {
    const auto sentence = static_cast<int>(number);
    if (batch.words(sentence) == 0) return;
    PaddedSentence of_sentence(batch, sentence);
    work(sentence, batch.words(sentence), of_sentence);
  });
}

// f(Compiled<Trees>{}) for the smaller of the two factorizations that has all the parts.
template <class F>
auto with_padded(const PaddedParts& batch, F f) {
  return batch.has_grandparents() ? f(Compiled<Model1>{}) : f(Compiled<Sibling>{});
}

// Results as in padded_batch.hpp: heads are −1 and scores 0 to begin with.
inline void argmax(const PaddedParts& batch, int threads, std::int64_t* heads, double* best) {
  each_sentence(batch, threads, [&](int sentence, int n, const PaddedSentence& of) {
    thread_local DecodeScratch scratch;
    thread_local std::vector<int> found;
    found.resize(n);
    best[sentence] = std::numeric_limits<double>::quiet_NaN();
    if (of.is_bad()) return;
    best[sentence] = with_padded(batch, [&]<class Trees>(Compiled<Trees>) {
      return Compiled<Trees>::best(of.candidates(), batch.arcs.single_root, of.scores(), found.data(), scratch);
    });
    if (best[sentence] > kImpossible)
      std::copy(found.begin(), found.end(), heads + static_cast<std::int64_t>(sentence) * (batch.arcs.width - 1));
  });
}

// log Z, and the probabilities of arcs and parts, which are zero to begin with.
inline void sums(const PaddedParts& batch, int threads, double* log_partition, double* marginals) {
  each_sentence(batch, threads, [&](int sentence, int n, PaddedSentence& of) {
    thread_local SumScratch scratch;
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    log_partition[sentence] = nothing;
    if (of.is_bad()) {
      kernels::fill(kernels::Lanes{}, batch.arcs, sentence, marginals, n, nothing, false);
      kernels::PartsOfSentence<double, 1, false>(batch.parts, sentence, batch.arcs.width).fill(kernels::Lanes{}, nothing);
      return;
    }
    const PartMarginals room = of.room();
    log_partition[sentence] = with_padded(batch, [&]<class Trees>(Compiled<Trees>) {
      return Compiled<Trees>::sum(of.candidates(), batch.arcs.single_root, of.scores(), room, scratch);
    });
    if (log_partition[sentence] > kImpossible) of.put(marginals);
  });
}

// Derivatives of the probabilities in the directions of the tables, by the code that runs on GPUs.
inline void derivatives(const PaddedParts& batch, int threads, double* results) {
  const bool second = batch.arcs.second_direction || batch.parts.siblings.second_direction ||
                      batch.parts.grandchildren.second_direction || batch.parts.grand_siblings.second_direction;
  parallel_for(static_cast<std::size_t>(batch.arcs.sentences), threads, [&](std::size_t sentence, int) {
    thread_local std::vector<double> memory;
    const std::size_t n = batch.words(static_cast<int>(sentence)), k = batch.parts.choices;
    const auto run = [&](auto verb) {
      verb(kernels::Lanes{}, batch.arcs, batch.parts, static_cast<int>(sentence), memory.data(), nullptr, results);
    };
    const std::size_t components = second ? 4 : 2, square = (n + 2) * (n + 2);
    if (batch.has_grandparents()) {
      memory.resize(components * (2 * ((n * k + 1) * (n + 2) + k * n * k) + n * k + 2 * square) + 5 * n * k + 8 * n + 64);
      second ? run(kernels::part_sums<kernels::GrandSiblingTrees, double, 4>)
             : run(kernels::part_sums<kernels::GrandSiblingTrees, double, 2>);
    } else {
      memory.resize(components * 6 * square + square + 64);
      second ? run(kernels::part_sums<kernels::SiblingTrees, double, 4>)
             : run(kernels::part_sums<kernels::SiblingTrees, double, 2>);
    }
  });
}

// k trees for each sentence, drawn independently: heads[(sentence * k + rank) * (width − 1) + m − 1], −1 to begin with.
inline void sample(const PaddedParts& batch, int threads, int k, std::uint64_t seed, std::int64_t* heads) {
  each_sentence(batch, threads, [&](int sentence, int n, const PaddedSentence& of) {
    thread_local std::vector<double> arcs, siblings;
    if (of.is_bad()) return;
    try {
      const auto trees =
          batch.has_grandparents()
              ? Compiled<Model1>::distribution(&of.candidates(), n, of.scores(), batch.arcs.single_root)
              : Compiled<Sibling>::distribution(nullptr, n, of.dense(arcs, siblings), batch.arcs.single_root);
      std::int64_t* to = heads + static_cast<std::int64_t>(sentence) * k * (batch.arcs.width - 1);
      for (const ScoredTree& tree : trees->sample(k, Random::mix(seed) + static_cast<std::uint64_t>(sentence), false)) {
        std::copy(tree.heads.begin(), tree.heads.end(), to);
        to += batch.arcs.width - 1;
      }
    } catch (const NoTree&) {
    }
  });
}

}  // namespace headwise::trees
