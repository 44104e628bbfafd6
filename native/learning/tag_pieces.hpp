// What the vectors of tags are made of while a network learns them: each is the sum of those of its pieces (each column,
// each feature, the whole tag), so that tags share what they have in common. A model has the sums.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/index.hpp"

namespace headwise::learning {

class TagPieces {
 public:
  TagPieces() = default;
  explicit TagPieces(std::vector<std::vector<int>> of_tags) : of_tags_(std::move(of_tags)) {
    for (const auto& pieces : of_tags_)
      for (const int piece : pieces) {
        if (piece < 0) throw std::invalid_argument("tag_pieces: numbers of pieces are not negative");
        count_ = std::max(count_, at(piece) + 1);
      }
  }
  int tags() const { return static_cast<int>(of_tags_.size()); }
  std::size_t count() const { return count_; }

  // One number of the vectors of all tags, from that of all pieces.
  void add_up(const float* of_pieces, float* of_tags) const {
    for (std::size_t t = 0; t < of_tags_.size(); ++t) {
      float sum = 0;
      for (const int piece : of_tags_[t]) sum += of_pieces[piece];
      of_tags[t] = sum;
    }
  }
  // Its gradient, which goes from tags to their pieces.
  void hand_down(float* of_tags, float* of_pieces) const {
    for (std::size_t t = 0; t < of_tags_.size(); ++t) {
      for (const int piece : of_tags_[t]) of_pieces[piece] += of_tags[t];
      of_tags[t] = 0;
    }
  }

 private:
  std::vector<std::vector<int>> of_tags_;
  std::size_t count_ = 0;
};

}  // namespace headwise::learning
