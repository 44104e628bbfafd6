// Which words stand beside which, and how often: what clusters are made from.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_map.hpp"
#include "base/hashing.hpp"

namespace headwise::clusters {

struct Neighbour {
  std::uint32_t word, count;
};

// Words by falling frequency, and with each the words after it and before it. Words that are too rare are not there,
// nor are the bigrams that they are part of.
struct Bigrams {
  std::vector<std::string> words;
  std::vector<std::uint64_t> counts;
  std::vector<std::size_t> after_begin, before_begin;  // where a word's neighbours begin; one more than words
  std::vector<Neighbour> after_all, before_all;

  std::span<const Neighbour> after(std::size_t word) const { return slice(after_all, after_begin, word); }
  std::span<const Neighbour> before(std::size_t word) const { return slice(before_all, before_begin, word); }
  std::uint64_t total() const {
    return std::transform_reduce(after_all.begin(), after_all.end(), std::uint64_t{0}, std::plus<>(),
                                 [](const Neighbour& n) { return std::uint64_t{n.count}; });
  }

 private:
  static std::span<const Neighbour> slice(const std::vector<Neighbour>& all, const std::vector<std::size_t>& begin,
                                          std::size_t word) {
    return {all.data() + begin[word], begin[word + 1] - begin[word]};
  }
};

class BigramCounter {
 public:
  // Lines of words; a bigram does not go over the end of a line.
  void add(std::string_view lines, char separator) {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      add_line(lines.substr(0, end), separator);
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }

  // What another counted, as if it had been counted here.
  void add(const BigramCounter& other) {
    std::vector<std::uint32_t> here;
    for (std::size_t word = 0; word < other.spelling_.size(); ++word) {
      here.push_back(number(other.spelling_[word]));
      counts_[here.back()] += other.counts_[word];
    }
    other.pairs_.visit([&](std::uint64_t pair, std::uint32_t count) {
      pairs_[std::uint64_t{here[pair >> 32]} << 32 | here[static_cast<std::uint32_t>(pair)]] += count;
    });
    running_ += other.running_;
  }

  std::uint64_t words() const { return running_; }
  std::size_t vocabulary() const { return spelling_.size(); }

  // In an order that does not depend on that of the text: by falling frequency, then by spelling.
  Bigrams bigrams(std::uint64_t least) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t word = 0; word < spelling_.size(); ++word)
      if (counts_[word] >= least) order.push_back(word);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : spelling_[a] < spelling_[b];
    });
    Bigrams result;
    std::vector<std::uint32_t> rank(spelling_.size(), absent);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = i;
      result.words.push_back(spelling_[order[i]]);
      result.counts.push_back(counts_[order[i]]);
    }
    list_neighbours(rank, order.size(), false, result.after_begin, result.after_all);
    list_neighbours(rank, order.size(), true, result.before_begin, result.before_all);
    return result;
  }

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  void add_line(std::string_view line, char separator) {
    std::uint32_t last = absent;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(separator), line.size());
      std::string_view word = line.substr(0, end);
      line.remove_prefix(std::min(end + 1, line.size()));
      if (line.empty() && !word.empty() && word.back() == '\r') word.remove_suffix(1);
      if (word.empty()) continue;
      const std::uint32_t now = number(word);
      ++counts_[now];
      ++running_;
      if (last != absent) ++pairs_[std::uint64_t{last} << 32 | now];
      last = now;
    }
  }

  std::uint32_t number(std::string_view word) {
    if (const auto found = numbers_.find(word); found != numbers_.end()) return found->second;
    const auto next = static_cast<std::uint32_t>(spelling_.size());
    numbers_.emplace(spelling_.emplace_back(word), next);
    counts_.push_back(0);
    return next;
  }

  void list_neighbours(const std::vector<std::uint32_t>& rank, std::size_t kept, bool before,
                       std::vector<std::size_t>& begin, std::vector<Neighbour>& all) const {
    begin.assign(kept + 1, 0);
    const auto each_pair = [&](auto use) {
      pairs_.visit([&](std::uint64_t pair, std::uint32_t count) {
        const auto a = static_cast<std::uint32_t>(pair >> 32), b = static_cast<std::uint32_t>(pair);
        if (rank[a] != absent && rank[b] != absent) before ? use(rank[b], rank[a], count) : use(rank[a], rank[b], count);
      });
    };
    each_pair([&](std::uint32_t of, std::uint32_t, std::uint32_t) { ++begin[of + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    all.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    each_pair([&](std::uint32_t of, std::uint32_t other, std::uint32_t count) { all[next[of]++] = {other, count}; });
    for (std::size_t word = 0; word < kept; ++word)
      std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin[word]), all.begin() + static_cast<std::ptrdiff_t>(begin[word + 1]),
                [](const Neighbour& a, const Neighbour& b) { return a.word < b.word; });
  }

  struct Hash {
    std::size_t operator()(std::string_view word) const { return base::hash_bytes(word); }
  };
  std::unordered_map<std::string_view, std::uint32_t, Hash> numbers_;  // views into spelling_
  std::deque<std::string> spelling_;                                    // which does not move
  std::vector<std::uint64_t> counts_;
  base::FlatMap<std::uint32_t> pairs_;
  std::uint64_t running_ = 0;
};

}  // namespace headwise::clusters
