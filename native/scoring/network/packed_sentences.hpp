// Several sentences as one matrix: all first positions, then all second ones, and so on, the longest sentence first.
// So what a recurrent layer needs at once, the same position of all sentences that go on so far, lies together.
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "base/index.hpp"

namespace headwise::scoring {

class PackedSentences {
 public:
  // Lengths in positions (the root and the words), longest first.
  explicit PackedSentences(std::span<const int> lengths) : lengths_(lengths.begin(), lengths.end()) {
    const int positions = lengths.empty() ? 0 : lengths[0];
    int active = static_cast<int>(lengths.size());
    for (int t = 0; t < positions; ++t) {
      while (active > 0 && lengths[at(active) - 1] <= t) --active;
      first_.push_back(rows_);
      active_.push_back(active);
      rows_ += active;
    }
  }

  int rows() const { return rows_; }
  int sentences() const { return static_cast<int>(lengths_.size()); }
  int positions() const { return static_cast<int>(first_.size()); }
  int length(int sentence) const { return lengths_[at(sentence)]; }
  int row(int sentence, int position) const { return first_[at(position)] + sentence; }
  // With `joined` for a sentence: that of a position of one sentence, of which these are pieces, all but the last alike.
  static constexpr int joined = -1;
  int row_of(int sentence, int position) const {
    return sentence == joined ? row(position / length(0), position % length(0)) : row(sentence, position);
  }
  int first_row(int position) const { return first_[at(position)]; }
  // How many sentences have this position; 0 outside of all.
  int active(int position) const {
    return position < 0 || position >= positions() ? 0 : active_[at(position)];
  }

 private:
  std::vector<int> lengths_, first_, active_;
  int rows_ = 0;
};

}  // namespace headwise::scoring
