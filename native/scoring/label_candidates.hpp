// Which labels an arc may have: those seen in training on such arcs, from a word with the head's tag (or from the root)
// to one with the modifier's, in that direction. So "root" is never the label of an ordinary arc, and most of the
// weights of a feature need not even be looked at.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/index.hpp"
#include "base/limits.hpp"

namespace headwise::scoring {

inline constexpr std::size_t label_row_padding = 256;  // rows may start at the last hashed place

inline constexpr int label_block = 16;  // labels whose weights are summed together: a cache line
static_assert(limit("labels.count").most + label_block == label_row_padding);

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
    check(limit("labels.count"), label_count);
    std::vector<std::uint8_t> seen[2];
    for (auto& flags : seen) flags.assign(static_cast<std::size_t>(label_count), 0);
    for (std::size_t i = 0; i + 3 < arcs.size(); i += 4) {
      const int head = arcs[i], modifier = arcs[i + 1], right = arcs[i + 2], label = arcs[i + 3];
      if (head < 0 || head > tag_count || modifier < 0 || modifier >= tag_count || right < 0 || right > 1 || label < 0 ||
          label >= label_count)
        throw std::invalid_argument("label arcs: a number is out of range");
      by_tags_[place(head, modifier, right)].add(label);
      seen[head == tag_count][at(label)] = 1;
    }
    for (const bool root : {false, true}) {
      const bool none = std::find(seen[root].begin(), seen[root].end(), 1) == seen[root].end();
      for (int l = 0; l < label_count; ++l)
        if (none || seen[root][at(l)]) (root ? on_root_arcs_ : on_word_arcs_).add(l);
    }
  }

  // `tags` are those of the sentence, by position; tags never seen are -1.
  const LabelCandidates& candidates(std::span<const int> tags, int h, int m) const {
    const int modifier = tags[at(m)], head = h == 0 ? tags_ : tags[at(h)];
    if (modifier >= 0 && head >= 0)
      if (const auto& found = by_tags_[place(head, modifier, h < m)]; !found.labels.empty()) return found;
    return all(h);
  }

  // Those seen on any arc from the root, or from words.
  const LabelCandidates& all(int h) const { return h == 0 ? on_root_arcs_ : on_word_arcs_; }

  int count = 0;

 private:
  std::size_t place(int head, int modifier, int right) const {
    return static_cast<std::size_t>((head * tags_ + modifier) * 2 + right);
  }

  int tags_ = 0;
  std::vector<LabelCandidates> by_tags_;
  LabelCandidates on_root_arcs_, on_word_arcs_;  // for tags never seen together
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

}  // namespace headwise::scoring
