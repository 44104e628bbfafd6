// Sentences by the batch, and blocks of a batch that a thread takes at once, for those who would rather see several than one: a network multiplies
// the same positions of all of them together, so they should be of similar length.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "treebank/sentence.hpp"

namespace headwise::treebank {

using Batch = std::span<const Sentence* const>;

// Where the words of each sentence begin when all are laid end to end, and where the last ends.
inline std::vector<std::size_t> word_offsets(Batch sentences) {
  std::vector<std::size_t> begin(1, 0);
  for (const Sentence* s : sentences) begin.push_back(begin.back() + at(s->size()));
  return begin;
}

class Blocks {
 public:
  // Of at most `most` sentences, but some for every thread. Where several are taken at once, those of similar length are
  // together, longest first; otherwise they stay as they come.
  Blocks(Batch sentences, std::size_t most, int threads) : order_(sentences.size()) {
    const std::size_t shares = threads > 1 ? 4 * static_cast<std::size_t>(threads) : 1;
    size_ = std::clamp<std::size_t>(sentences.size() / shares, 1, most);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (size_ > 1)
      std::stable_sort(order_.begin(), order_.end(),
                       [&](std::size_t a, std::size_t b) { return sentences[a]->size() > sentences[b]->size(); });
  }

  std::size_t count() const { return (order_.size() + size_ - 1) / size_; }
  std::size_t most() const { return size_; }
  // The numbers of the sentences of a block.
  std::span<const std::size_t> operator[](std::size_t number) const {
    const std::size_t first = number * size_;
    return std::span(order_).subspan(first, std::min(size_, order_.size() - first));
  }

 private:
  std::vector<std::size_t> order_;
  std::size_t size_;
};

}  // namespace headwise::treebank
