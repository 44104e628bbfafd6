// Chooses the labels of a finished tree, word by word, by the features of each arc and its relatives.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "scoring/arc_filter.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/label_candidates.hpp"
#include "scoring/label_rules.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

inline void add_rows(const float* const* rows, std::size_t count, float* sums) {
  float sum[label_block] = {};
  for (std::size_t r = 0; r < count; ++r)
    for (int l = 0; l < label_block; ++l) sum[l] += rows[r][l];
  std::copy(sum, sum + label_block, sums);
}

// sums[l] = Σ over rows of table[row + l], for blocks of labels (the tables are padded to whole blocks). Rows
// are scattered over a table larger than the cache, so all of them are asked for before the first is needed; those of a
// word while another is summed.
class LabelSums {
 public:
  void clear() { rows_.clear(); }
  void add(const float* row, const LabelCandidates& candidates) {
    for (const int block : candidates.blocks) __builtin_prefetch(row + block);
    rows_.push_back(row);
  }
  // Sums are there for the candidates only.
  float* sum(int labels, const LabelCandidates& candidates) {
    sums_.resize(static_cast<std::size_t>(labels + label_block));
    blocks_.resize(rows_.size());
    for (const int block : candidates.blocks) {
      for (std::size_t r = 0; r < rows_.size(); ++r) blocks_[r] = rows_[r] + block;
      add_rows(blocks_.data(), blocks_.size(), sums_.data() + block);
    }
    return sums_.data();
  }

 private:
  std::vector<const float*> rows_, blocks_;
  std::vector<float> sums_;
};

// Labels a finished tree, word by word.
class TreeLabeler {
 public:
  // With rules, the labels of a tree break as few of them as possible.
  TreeLabeler(const LabelTemplates& templates, const LabelSet& labels, const ArcFilter& filter, std::uint32_t mask,
              const LabelRules* rules = nullptr)
      : labels_(&labels), filter_(&filter), mask_(mask), features_(templates), rules_(rules) {}

  // `scorers` have read the sentence, and add to the scores of features; none by default.
  void assign(const Atoms& atoms, std::span<const int> heads, Scorers* scorers = nullptr) {
    features_.assign(atoms);
    relatives_.assign(heads);
    if (rules_) rules_->read(atoms, words_);
    filter_->read_tags(atoms, tags_);
    scorers_ = scorers;
    if (scorers_) scorers_->read_tree(heads);
  }

  const LabelCandidates& candidates(int m) const {
    return labels_->candidates(tags_, head(m), m);
  }

  // Sums of the candidate labels for the arc into m.
  const float* sums(const float* weights, int m) { return sums(weights, m, candidates(m)); }
  const float* sums(const float* weights, int m, const LabelCandidates& candidates) {
    find_rows(weights, m, candidates, rows_);
    return sums(m, candidates, rows_);
  }

  template <class F>
  void for_each_row(int m, F f) const {
    features_.for_each(relatives_, m, mask_, f);
  }

  void label(const float* weights, std::vector<int>& result) {
    const int words = static_cast<int>(result.size());
    const auto find = [&](int m) {
      if (const LabelCandidates& own = candidates(m); own.labels.size() > 1) find_rows(weights, m, own, next_rows_);
    };
    if (words > 0) find(1);
    for (int m = 1; m <= words; ++m) {
      std::swap(rows_, next_rows_);
      if (m < words) find(m + 1);
      const LabelCandidates& own = candidates(m);
      result[at(m) - 1] =
          own.labels.size() == 1 ? own.labels[0] : best_label(sums(m, own, rows_), own).label;
    }
    if (!rules_) return;
    // Mostly, the best labels word by word obey the rules, and are the best that do. Where they do not, all are chosen
    // together, among the candidates; and where these cannot, among all labels.
    heads_.clear();
    for (int m = 1; m <= static_cast<int>(result.size()); ++m) heads_.push_back(head(m));
    if (std::find(heads_.begin(), heads_.end(), -1) != heads_.end()) return;  // no tree
    for (const bool widely : {false, true})
      if (rules_->is_broken(words_, heads_, result)) label_together(weights, widely, result);
  }

 private:
  int head(int m) const { return relatives_.relative(m, LabelTemplates::head); }

  void find_rows(const float* weights, int m, const LabelCandidates& candidates, LabelSums& rows) const {
    rows.clear();
    for_each_row(m, [&](std::uint32_t row) { rows.add(weights + row, candidates); });
  }
  const float* sums(int m, const LabelCandidates& candidates, LabelSums& rows) {
    float* sums = rows.sum(labels_->count, candidates);
    if (scorers_) scorers_->add_labels(m, candidates, sums);
    return sums;
  }

  void label_together(const float* weights, bool widely, std::vector<int>& result) {
    options_.resize(result.size());
    for (int m = 1; m <= static_cast<int>(result.size()); ++m) {
      const LabelCandidates& candidates = widely ? labels_->all(head(m)) : this->candidates(m);
      const float* scores = sums(weights, m, candidates);
      std::vector<LabelChoice>& options = options_[at(m) - 1];
      options.clear();
      for (const int l : candidates.labels) options.push_back({l, static_cast<double>(scores[l])});
    }
    rules_->choose(words_, heads_, options_, result);
  }

  const LabelSet* labels_;
  const ArcFilter* filter_;
  std::vector<int> tags_;
  std::uint32_t mask_;
  LabelFeatures features_;
  Relatives relatives_;
  LabelSums rows_, next_rows_;
  Scorers* scorers_ = nullptr;
  const LabelRules* rules_;
  RuledWords words_;
  std::vector<int> heads_;
  std::vector<std::vector<LabelChoice>> options_;
};

}  // namespace headwise::scoring
