// Scores the lattice of a stretch of words: every view of a label, pair or triple once, then their sums.
// Where there is no choice nothing is added: it would be the same for all sequences.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "tagging/candidates.hpp"
#include "tagging/chain_lattice.hpp"
#include "tagging/sequence_features.hpp"

namespace headwise::tagging {

class LatticeScorer {
 public:
  // Fills the lattice (already of the right size) for the words from `first` on.
  void score(const SequenceFeatures& features, const Candidates& candidates, int first, std::uint32_t mask,
             const float* weights, ChainLattice& lattice) {
    features_ = &features;
    candidates_ = &candidates;
    first_ = first;
    mask_ = mask;
    weights_ = weights;
    for (int i = 0; i < lattice.words(); ++i) {
      if (i + 1 < lattice.words()) fetch_labels(i + 1, lattice.width(i + 1));
      score_labels(i, lattice.width(i));
      score_pairs(i, lattice);
      score_triples(i, lattice);
    }
  }

 private:
  using Views = SequenceTemplates::Views;

  int label(int i, int candidate) const {
    return i < 0 ? SequenceTemplates::start : candidates_->of(first_ + i)[at(candidate)];
  }

  template <class Visit>
  double sum(Visit visit) const {
    float total = 0;
    visit([&](std::uint32_t f) { total += weights_[f]; });
    return total;
  }

  // The distinct views of the candidates of a word, and which of them each candidate has.
  struct LocalViews {
    std::vector<int> views, of_candidate;
    std::vector<int> number;  // of a view; -1 where it does not occur

    template <class LabelOf>
    void assign(const Views& all, int width, LabelOf label_of) {
      for (const int view : views)
        if (at(view) < number.size()) number[at(view)] = -1;
      if (number.size() < at(all.count())) number.resize(at(all.count()), -1);
      views.clear();
      of_candidate.clear();
      for (int c = 0; c < width; ++c) {
        int& n = number[at(all.of(label_of(c)))];
        if (n < 0) {
          n = static_cast<int>(views.size());
          views.push_back(all.of(label_of(c)));
        }
        of_candidate.push_back(n);
      }
    }
    int count() const { return static_cast<int>(views.size()); }
  };

  LocalViews& local(LocalViews& views, const Views& all, int i, int width) {
    views.assign(all, width, [&](int c) { return label(i, c); });
    return views;
  }

  // Weights lie anywhere in a large table: those that are summed next come from memory meanwhile. Views of one block
  // share a cache line.
  void fetch_labels(int i, int width) const {
    if (width == 1) return;
    const auto& groups = features_->templates().emissions;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      int fetched = -1;
      for (int c = 0; c < width; ++c)
        for (const int view : groups[g].t.all_of(label(i, c)))
          if (const int block = view / SequenceTemplates::views_in_block; block != fetched) {
            features_->emission_view(g, first_ + i, view, mask_,
                                     [&](std::uint32_t f) { __builtin_prefetch(weights_ + f); });
            fetched = block;
          }
    }
  }

  void score_labels(int i, int width) {
    labels_.assign(at(width), 0.0);
    if (width == 1) return;
    for (int c = 0; c < width; ++c) labels_[at(c)] = candidates_->opinion(first_ + i, c);
    const auto& groups = features_->templates().emissions;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Views& views = groups[g].t;
      view_scores_.resize(std::max(view_scores_.size(), at(views.count())));
      view_known_.resize(view_scores_.size(), 0);
      for (int c = 0; c < width; ++c)
        for (const int view : views.all_of(label(i, c))) {
          if (!view_known_[at(view)]) {
            view_scores_[at(view)] = sum([&](auto f) { features_->emission_view(g, first_ + i, view, mask_, f); });
            view_known_[at(view)] = 1;
          }
          labels_[at(c)] += view_scores_[at(view)];
        }
      for (int c = 0; c < width; ++c)
        for (const int view : views.all_of(label(i, c))) view_known_[at(view)] = 0;
    }
  }

  void score_pairs(int i, const ChainLattice& lattice) {
    const int us = lattice.width(i - 1), ts = lattice.width(i);
    pairs_.resize(at(us) * at(ts));
    for (int u = 0; u < us; ++u) std::copy(labels_.begin(), labels_.end(), pairs_.begin() + u * ts);
    if (us * ts == 1) return;
    const auto& groups = features_->templates().bigrams;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const LocalViews& u = local(local_u_, groups[g].u, i - 1, us);
      const LocalViews& t = local(local_t_, groups[g].t, i, ts);
      table_.clear();
      for (const int u_view : u.views)
        for (const int t_view : t.views)
          table_.push_back(sum([&](auto f) { features_->bigram_view(g, first_ + i, u_view, t_view, mask_, f); }));
      for (int a = 0; a < us; ++a)
        for (int b = 0; b < ts; ++b)
          pairs_[at(a * ts + b)] += table_[at(u.of_candidate[at(a)] * t.count() + t.of_candidate[at(b)])];
    }
  }

  void score_triples(int i, ChainLattice& lattice) {
    const int vs = lattice.width(i - 2), us = lattice.width(i - 1), ts = lattice.width(i);
    double* const scores = &lattice.score(i, 0, 0, 0);
    for (int a = 0; a < vs; ++a) std::copy(pairs_.begin(), pairs_.end(), scores + a * us * ts);
    if (vs * us * ts == 1) return;
    const auto& groups = features_->templates().trigrams;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const LocalViews& v = local(local_v_, groups[g].v, i - 2, vs);
      const LocalViews& u = local(local_u_, groups[g].u, i - 1, us);
      const LocalViews& t = local(local_t_, groups[g].t, i, ts);
      table_.clear();
      for (const int v_view : v.views)
        for (const int u_view : u.views)
          for (const int t_view : t.views)
            table_.push_back(
                sum([&](auto f) { features_->trigram_view(g, first_ + i, v_view, u_view, t_view, mask_, f); }));
      double* score = scores;
      for (int a = 0; a < vs; ++a)
        for (int b = 0; b < us; ++b) {
          const double* row = table_.data() +
                              at((v.of_candidate[at(a)] * u.count() + u.of_candidate[at(b)]) * t.count());
          for (int c = 0; c < ts; ++c) *score++ += row[at(t.of_candidate[at(c)])];
        }
    }
  }

  const SequenceFeatures* features_ = nullptr;
  const Candidates* candidates_ = nullptr;
  int first_ = 0;
  std::uint32_t mask_ = 0;
  const float* weights_ = nullptr;
  LocalViews local_t_, local_u_, local_v_;
  std::vector<double> labels_, pairs_, table_, view_scores_;
  std::vector<char> view_known_;
};

}  // namespace headwise::tagging
