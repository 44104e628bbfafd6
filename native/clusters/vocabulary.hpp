// The words of lines of text, numbered as they come, and how often each came.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hashing.hpp"

namespace headwise::clusters {

class Vocabulary {
 public:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  // f(numbers) for the words of every line that has any.
  template <class F>
  void read(std::string_view lines, char separator, F f) {
    std::vector<std::uint32_t> numbers;
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      numbers.clear();
      read_line(lines.substr(0, end), separator, numbers);
      if (!numbers.empty()) f(numbers);
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }

  // Counts a word more often.
  std::uint32_t add(std::string_view word, std::uint64_t count) {
    const auto found = numbers_.find(word);
    const auto number = found == numbers_.end() ? static_cast<std::uint32_t>(size()) : found->second;
    if (found == numbers_.end()) {
      numbers_.emplace(spelling_.emplace_back(word), number);
      counts_.push_back(0);
    }
    counts_[number] += count;
    running_ += count;
    return number;
  }

  std::size_t size() const { return spelling_.size(); }
  std::uint64_t running() const { return running_; }
  const std::string& spelling(std::size_t word) const { return spelling_[word]; }
  std::uint64_t count(std::size_t word) const { return counts_[word]; }

  // The words that came at least so often, in an order that does not depend on that of the text: by falling frequency,
  // then by spelling.
  std::vector<std::uint32_t> by_frequency(std::uint64_t least) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t word = 0; word < size(); ++word)
      if (counts_[word] >= least) order.push_back(word);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : spelling_[a] < spelling_[b];
    });
    return order;
  }
  // The place of each word in such an order; `absent` for those that are not in it.
  std::vector<std::uint32_t> ranks(const std::vector<std::uint32_t>& order) const {
    std::vector<std::uint32_t> rank(size(), absent);
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    return rank;
  }

 private:
  void read_line(std::string_view line, char separator, std::vector<std::uint32_t>& numbers) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(separator), line.size());
      if (end > 0) numbers.push_back(add(line.substr(0, end), 1));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  struct Hash {
    std::size_t operator()(std::string_view word) const { return base::hash_bytes(word); }
  };
  std::unordered_map<std::string_view, std::uint32_t, Hash> numbers_;  // views into spelling_
  std::deque<std::string> spelling_;                                    // which does not move
  std::vector<std::uint64_t> counts_;
  std::uint64_t running_ = 0;
};

}  // namespace headwise::clusters
