// Scores the labels of one arc. The labels seen on arcs from the root and those seen elsewhere are kept
// apart, so that "root" is never the label of an ordinary arc, nor the other way round.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "features/label_features.hpp"

namespace headwise {

inline constexpr std::size_t label_row_padding = 256;  // rows may start at the last hashed place

struct LabelSet {
  int count = 0;
  std::vector<std::uint8_t> on_root_arcs, on_word_arcs;  // one flag a label
  const std::vector<std::uint8_t>& allowed(int head) const { return head == 0 ? on_root_arcs : on_word_arcs; }
};

// sums[l] = Σ over rows of table[row + l]. Rows are scattered over a table larger than the cache, so all
// of them are asked for before the first is needed.
class LabelSums {
 public:
  void clear() { rows_.clear(); }
  void add(const float* row, int labels) {
    for (int l = 0; l < labels; l += 16) __builtin_prefetch(row + l);
    rows_.push_back(row);
  }
  const float* sum(int labels) {
    sums_.assign(static_cast<std::size_t>(labels + 15) / 16 * 16, 0.0f);
    for (const float* row : rows_)
      for (int block = 0; block < labels; block += 16)  // whole blocks: the table is padded
        for (int l = block; l < block + 16; ++l) sums_[static_cast<std::size_t>(l)] += row[l];
    return sums_.data();
  }

 private:
  std::vector<const float*> rows_;
  std::vector<float> sums_;
};

struct LabelChoice {
  int label = -1;
  double score = -std::numeric_limits<double>::infinity();
};

// The best allowed label; ties go to the first. `gold` >= 0 adds a cost of one to every other label.
inline LabelChoice best_label(const float* sums, const LabelSet& labels, int head, int gold = -1) {
  LabelChoice best;
  const auto& allowed = labels.allowed(head);
  for (int l = 0; l < labels.count; ++l) {
    if (!allowed[static_cast<std::size_t>(l)]) continue;
    const double score = static_cast<double>(sums[l]) + (gold >= 0 && l != gold ? 1.0 : 0.0);
    if (score > best.score) best = {l, score};
  }
  return best;
}

// Labels a finished tree, word by word.
class TreeLabeler {
 public:
  TreeLabeler(const LabelTemplates& templates, const LabelSet& labels, std::uint32_t mask)
      : labels_(&labels), mask_(mask), features_(templates) {}

  void assign(const Atoms& atoms, std::span<const int> heads) {
    features_.assign(atoms);
    relatives_.assign(heads);
  }

  // Sums of all labels for the arc into m.
  const float* sums(const float* weights, int m) {
    sums_.clear();
    for_each_row(m, [&](std::uint32_t row) { sums_.add(weights + row, labels_->count); });
    return sums_.sum(labels_->count);
  }

  template <class F>
  void for_each_row(int m, F f) const {
    features_.for_each(relatives_, m, mask_, f);
  }

  void label(const float* weights, std::span<const int> heads, std::vector<int>& result) {
    for (std::size_t i = 0; i < heads.size(); ++i)
      result[i] = best_label(sums(weights, static_cast<int>(i) + 1), *labels_, heads[i]).label;
  }

 private:
  const LabelSet* labels_;
  std::uint32_t mask_;
  LabelFeatures features_;
  Relatives relatives_;
  LabelSums sums_;
};

}  // namespace headwise
