// How often a word has which frequent words near it: what vectors of words are made from.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "clusters/vocabulary.hpp"

namespace headwise::clusters {

// A sparse matrix by rows: of words, by falling frequency, against the most frequent of them on the left and on the
// right. A neighbour counts `reach`, one farther away one less, and so on.
struct WindowCounts {
  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> column;
  std::vector<double> weight;
  std::size_t columns = 0;
};

class WindowCounter {
 public:
  void add(std::string_view lines, char separator) {
    vocabulary_.read(lines, separator, [this](const std::vector<std::uint32_t>& words) {
      text_.insert(text_.end(), words.begin(), words.end());
      text_.push_back(Vocabulary::absent);
    });
  }
  const Vocabulary& vocabulary() const { return vocabulary_; }

  WindowCounts counts(std::uint64_t least, std::size_t contexts, std::size_t reach) const {
    const std::vector<std::uint32_t> order = vocabulary_.by_frequency(least), rank = vocabulary_.ranks(order);
    contexts = std::min(contexts, order.size());
    base::FlatMap<std::uint32_t> pairs;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = static_cast<std::size_t>(
          std::find(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), Vocabulary::absent) - text_.begin());
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t word = rank[text_[i]];
        if (word == Vocabulary::absent) continue;
        for (std::size_t d = 1; d <= reach; ++d) {
          const auto near = [&](std::size_t at, std::size_t side) {
            if (rank[text_[at]] < contexts)
              pairs[std::uint64_t{word} << 32 | (rank[text_[at]] + side * contexts)] += static_cast<std::uint32_t>(reach + 1 - d);
          };
          if (i >= begin + d) near(i - d, 0);
          if (i + d < end) near(i + d, 1);
        }
      }
      begin = end + 1;
    }
    return by_rows(pairs, order, 2 * contexts);
  }

 private:
  WindowCounts by_rows(const base::FlatMap<std::uint32_t>& pairs, const std::vector<std::uint32_t>& order,
                       std::size_t columns) const {
    WindowCounts result;
    result.columns = columns;
    for (const std::uint32_t word : order) {
      result.words.push_back(vocabulary_.spelling(word));
      result.counts.push_back(vocabulary_.count(word));
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted;
    sorted.reserve(pairs.size());
    pairs.visit([&](std::uint64_t pair, std::uint32_t count) { sorted.emplace_back(pair, count); });
    std::sort(sorted.begin(), sorted.end());
    result.begin.assign(order.size() + 1, 0);
    for (const auto& [pair, count] : sorted) {
      ++result.begin[(pair >> 32) + 1];
      result.column.push_back(static_cast<std::int32_t>(pair));
      result.weight.push_back(count);
    }
    for (std::size_t row = 1; row < result.begin.size(); ++row) result.begin[row] += result.begin[row - 1];
    return result;
  }

  Vocabulary vocabulary_;
  std::vector<std::uint32_t> text_;  // lines, each with `absent` at its end
};

}  // namespace headwise::clusters
