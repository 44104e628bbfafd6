// Chooses the label of an arc among those seen in training on such arcs: from a word with the head's tag (or
// from the root) to one with the modifier's, in that direction. So "root" is never the label of an ordinary
// arc, and most of the weights of a feature need not even be looked at.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "scoring/arc_filter.hpp"
#include "scoring/features/label_features.hpp"
#include "scoring/network/matrix.hpp"

namespace headwise::scoring {

inline constexpr std::size_t label_row_padding = 256;  // rows may start at the last hashed place

inline constexpr int label_block = 16;  // labels whose weights are summed together: a cache line

// Labels that an arc may have, and the blocks they lie in.
struct LabelCandidates {
  std::vector<int> labels, blocks;

  void add(int label) {
    labels.push_back(label);
    if (const int block = label / label_block * label_block;
        std::find(blocks.begin(), blocks.end(), block) == blocks.end())
      blocks.push_back(block);
  }
};

class LabelSet {
 public:
  LabelSet() = default;

  // `arcs` lists (head tag, modifier tag, direction, label) of the arcs of the training data, without
  // repetition; the head tag after the last stands for the root, direction 1 for a head on the left.
  LabelSet(int label_count, int tag_count, std::span<const int> arcs)
      : count(label_count), tags_(tag_count), by_tags_(static_cast<std::size_t>(2 * (tag_count + 1) * tag_count)) {
    std::vector<std::uint8_t> seen[2];
    for (auto& flags : seen) flags.assign(static_cast<std::size_t>(label_count), 0);
    for (std::size_t i = 0; i + 3 < arcs.size(); i += 4) {
      const int head = arcs[i], modifier = arcs[i + 1], right = arcs[i + 2], label = arcs[i + 3];
      if (head < 0 || head > tag_count || modifier < 0 || modifier >= tag_count || right < 0 || right > 1 || label < 0 ||
          label >= label_count)
        throw std::invalid_argument("label arcs: a number is out of range");
      by_tags_[place(head, modifier, right)].add(label);
      seen[head == tag_count][static_cast<std::size_t>(label)] = 1;
    }
    for (const bool root : {false, true}) {
      const bool none = std::find(seen[root].begin(), seen[root].end(), 1) == seen[root].end();
      for (int l = 0; l < label_count; ++l)
        if (none || seen[root][static_cast<std::size_t>(l)]) (root ? on_root_arcs_ : on_word_arcs_).add(l);
    }
  }

  // `tags` are those of the sentence, by position; tags never seen are -1.
  const LabelCandidates& candidates(std::span<const int> tags, int h, int m) const {
    const int modifier = tags[static_cast<std::size_t>(m)], head = h == 0 ? tags_ : tags[static_cast<std::size_t>(h)];
    if (modifier >= 0 && head >= 0)
      if (const auto& found = by_tags_[place(head, modifier, h < m)]; !found.labels.empty()) return found;
    return h == 0 ? on_root_arcs_ : on_word_arcs_;
  }

  int count = 0;

 private:
  std::size_t place(int head, int modifier, int right) const {
    return static_cast<std::size_t>((head * tags_ + modifier) * 2 + right);
  }

  int tags_ = 0;
  std::vector<LabelCandidates> by_tags_;
  LabelCandidates on_root_arcs_, on_word_arcs_;  // for tags never seen together
};

inline void add_rows(const float* const* rows, std::size_t count, float* sums) {
  float sum[label_block] = {};
  for (std::size_t r = 0; r < count; ++r)
    for (int l = 0; l < label_block; ++l) sum[l] += rows[r][l];
  std::copy(sum, sum + label_block, sums);
}

// sums[l] = Σ over rows of table[row + l], for blocks of labels (the tables are padded to whole blocks). Rows
// are scattered over a table larger than the cache, so all of them are asked for before the first is needed.
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

struct LabelChoice {
  int label = -1;
  double score = -std::numeric_limits<double>::infinity();
};

// The best candidate; ties go to the more frequent label. `gold` >= 0 adds a cost of one to every other label.
inline LabelChoice best_label(const float* sums, const LabelCandidates& candidates, int gold = -1) {
  LabelChoice best;
  for (const int l : candidates.labels) {
    const double score = static_cast<double>(sums[l]) + (gold >= 0 && l != gold ? 1.0 : 0.0);
    if (score > best.score) best = {l, score};
  }
  return best;
}

// log Σ exp over the candidates, and their probabilities, in the order of candidates.labels. With `gold`, every other
// label scores so much more as it costs.
inline double sum_labels(const float* sums, const LabelCandidates& candidates, std::vector<double>& probabilities,
                         int gold = -1, double cost = 0.0) {
  const auto score = [&](int l) { return static_cast<double>(sums[l]) + (gold >= 0 && l != gold ? cost : 0.0); };
  double best = -std::numeric_limits<double>::infinity(), total = 0;
  for (const int l : candidates.labels) best = std::max(best, score(l));
  probabilities.clear();
  for (const int l : candidates.labels) {
    probabilities.push_back(std::exp(score(l) - best));
    total += probabilities.back();
  }
  for (double& p : probabilities) p /= total;
  return best + std::log(total);
}

// Labels a finished tree, word by word.
class TreeLabeler {
 public:
  TreeLabeler(const LabelTemplates& templates, const LabelSet& labels, const ArcFilter& filter, std::uint32_t mask)
      : labels_(&labels), filter_(&filter), mask_(mask), features_(templates) {}

  // `opinion` is what somebody else makes of the labels, to be added: a row a word. It is not copied.
  void assign(const Atoms& atoms, std::span<const int> heads, const Matrix* opinion = nullptr) {
    features_.assign(atoms);
    relatives_.assign(heads);
    filter_->read_tags(atoms, tags_);
    opinion_ = opinion;
  }

  const LabelCandidates& candidates(int m) const {
    return labels_->candidates(tags_, relatives_.relative(m, LabelTemplates::head), m);
  }

  // Sums of the candidate labels for the arc into m.
  const float* sums(const float* weights, int m) {
    const LabelCandidates& candidates = this->candidates(m);
    sums_.clear();
    for_each_row(m, [&](std::uint32_t row) { sums_.add(weights + row, candidates); });
    float* sums = sums_.sum(labels_->count, candidates);
    if (opinion_)
      for (const int l : candidates.labels) sums[l] += opinion_->row(m - 1)[l];
    return sums;
  }

  template <class F>
  void for_each_row(int m, F f) const {
    features_.for_each(relatives_, m, mask_, f);
  }

  void label(const float* weights, std::vector<int>& result) {
    for (int m = 1; m <= static_cast<int>(result.size()); ++m) {
      const LabelCandidates& candidates = this->candidates(m);
      result[static_cast<std::size_t>(m) - 1] =
          candidates.labels.size() == 1 ? candidates.labels[0] : best_label(sums(weights, m), candidates).label;
    }
  }

 private:
  const LabelSet* labels_;
  const ArcFilter* filter_;
  std::vector<int> tags_;
  std::uint32_t mask_;
  LabelFeatures features_;
  Relatives relatives_;
  LabelSums sums_;
  const Matrix* opinion_ = nullptr;
};

}  // namespace headwise::scoring
