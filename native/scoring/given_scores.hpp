// Scores that a caller brings along for a sentence, as a scorer like any other.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <limits>
#include <span>

#include "base/index.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

// Both are added; either may be empty.
struct GivenScores {
  std::span<const double> arcs{};    // [h * (n + 1) + m]
  std::span<const double> labels{};  // [(h * (n + 1) + m) * label_count + l]
  int label_count = 0;
};

class GivenScorer final : public Scorer {
 public:
  // Of the sentence that is read next.
  void set(const GivenScores& given) { given_ = given; }

  void add_arcs(std::span<double> scores) override {
    for (std::size_t i = 0; i < given_.arcs.size(); ++i)
      if (scores[i] > -std::numeric_limits<double>::infinity()) scores[i] += given_.arcs[i];
  }
  void read_tree(std::span<const int> heads) override { heads_ = heads; }
  void add_labels(int m, const LabelCandidates& candidates, float* scores) override {
    const int h = heads_[at(m) - 1];
    if (given_.labels.empty() || h < 0) return;
    const std::size_t arc = static_cast<std::size_t>(h) * (heads_.size() + 1) + static_cast<std::size_t>(m);
    const auto own = given_.labels.subspan(arc * static_cast<std::size_t>(given_.label_count));
    for (const int l : candidates.labels) scores[l] += static_cast<float>(own[at(l)]);
  }

 private:
  GivenScores given_;
  std::span<const int> heads_;
};

}  // namespace headwise::scoring
