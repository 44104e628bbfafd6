// Which phrases may stand over which words: what a coarse grammar leaves of a finer one's search.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "constituency/cky.hpp"

namespace headwise::constituency {

// A phrase is complete, or has got modifiers on its right, or on its left and is to get more.
enum class Growth : std::uint8_t { complete, right, left };

class SpanMask {
 public:
  SpanMask(int words, int labels, bool all = false)
      : words_(words), labels_(labels), all_(all), allowed_(3 * spans() * static_cast<std::size_t>(labels), all), pairs_(all ? 0 : spans()) {}

  int words() const { return words_; }
  void allow(Growth growth, int i, int j, int label) { allowed_[at(growth, i, j, label)] = 1; }
  bool is_allowed(Growth growth, int i, int j, int label) const { return allowed_[at(growth, i, j, label)]; }
  // A phrase of one child.
  void allow_unary(int i, int j, int label, int child) {
    auto& pairs = pairs_[span(i, j)];
    if (std::find(pairs.begin(), pairs.end(), std::pair(label, child)) == pairs.end()) pairs.emplace_back(label, child);
  }
  bool is_unary_allowed(int i, int j, int label, int child) const {
    if (all_) return true;
    const auto& pairs = pairs_[span(i, j)];
    return std::find(pairs.begin(), pairs.end(), std::pair(label, child)) != pairs.end();
  }
  // With some modifiers, whether more follow or not.
  bool is_allowed_grown(Growth growth, int i, int j, int label) const {
    return is_allowed(growth, i, j, label) || is_allowed(Growth::complete, i, j, label);
  }

 private:
  std::size_t spans() const { return static_cast<std::size_t>(words_ + 1) * static_cast<std::size_t>(words_ + 1); }
  std::size_t span(int i, int j) const { return static_cast<std::size_t>(i) * static_cast<std::size_t>(words_ + 1) + static_cast<std::size_t>(j); }
  std::size_t at(Growth growth, int i, int j, int label) const {
    return (static_cast<std::size_t>(growth) * spans() + span(i, j)) * static_cast<std::size_t>(labels_) + static_cast<std::size_t>(label);
  }
  int words_, labels_;
  bool all_;
  std::vector<std::uint8_t> allowed_;
  std::vector<std::vector<std::pair<int, int>>> pairs_;
};

// What the symbols of a coarse grammar mean to a finer one.
struct Meaning {
  std::vector<int> label;                // of each phrase symbol
  std::vector<Growth> growth;            // likewise
  std::vector<std::vector<int>> chains;  // the labels of phrases on each chain, top to bottom
  std::vector<int> chain_bottom;         // the label that each chain ends with: of a phrase or a tag
  std::vector<int> tag_label;            // of each tag
};

inline constexpr double kTagShare = 0.1;  // tags are cheap to keep, and others than the grammar know more of them

// Allows what is more probable than `threshold` under the coarse grammar, of which the chart has the sums. Tags that
// are less probable are taken from the words; each keeps its best one, which is returned.
inline std::vector<int> prune(CkyChart& chart, const Meaning& meaning, double threshold, SpanMask& mask,
                              TaggedWords& words) {
  std::vector<std::vector<double>> tags;
  for (const auto& word : words) tags.emplace_back(word.size(), 0.0);
  chart.probabilities(
      0.02 * threshold,
      [&](int c, int i, int j, double p) {
        if (p <= threshold) return;
        int child = meaning.chain_bottom[static_cast<std::size_t>(c)];
        const auto& labels = meaning.chains[static_cast<std::size_t>(c)];
        for (auto label = labels.rbegin(); label != labels.rend(); child = *label++) {
          mask.allow(Growth::complete, i, j, *label);
          if (*label != child || label != labels.rbegin()) mask.allow_unary(i, j, *label, child);
        }
      },
      [&](int symbol, int i, int j, double p) {
        const auto s = static_cast<std::size_t>(symbol);
        if (p > threshold) mask.allow(meaning.growth[s], i, j, meaning.label[s]);
      },
      [&](int word, int t, double p) { tags[static_cast<std::size_t>(word)][static_cast<std::size_t>(t)] = p; });
  std::vector<int> best;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto likeliest = std::max_element(tags[i].begin(), tags[i].end());
    const double most = *likeliest;
    best.push_back(words[i][static_cast<std::size_t>(likeliest - tags[i].begin())].first);
    std::vector<std::pair<int, double>> kept;
    for (std::size_t t = 0; t < words[i].size(); ++t)
      if (tags[i][t] > kTagShare * threshold || tags[i][t] == most) kept.push_back(words[i][t]);
    words[i] = std::move(kept);
  }
  return best;
}

}  // namespace headwise::constituency
