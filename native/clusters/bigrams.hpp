// Which words stand beside which, and how often: what clusters are made from.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "clusters/vocabulary.hpp"

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
  // Bigrams do not go over the end of a line, or else all lines are one.
  explicit BigramCounter(bool across_lines = false) : across_lines_(across_lines) {}

  // Lines of words.
  void add(std::string_view lines, char separator) {
    vocabulary_.read(lines, separator, [this](const std::vector<std::uint32_t>& words) {
      if (across_lines_ && last_ != Vocabulary::absent) add_pair(last_, words.front(), 1);
      last_ = words.back();
      for (std::size_t i = 1; i < words.size(); ++i) ++pairs_[std::uint64_t{words[i - 1]} << 32 | words[i]];
    });
  }
  // What another counted, as if it had been counted here.
  void add(const BigramCounter& other) {
    std::vector<std::uint32_t> here;
    for (std::size_t word = 0; word < other.vocabulary_.size(); ++word)
      here.push_back(vocabulary_.add(other.vocabulary_.spelling(word), other.vocabulary_.count(word)));
    other.pairs_.visit([&](std::uint64_t pair, std::uint32_t count) {
      add_pair(here[pair >> 32], here[static_cast<std::uint32_t>(pair)], count);
    });
  }
  // What was counted elsewhere: words, how often each came, and (first, second, count) of their pairs.
  void add(const std::vector<std::string>& words, std::span<const std::int64_t> counts,
           std::span<const std::uint32_t> pairs) {
    if (words.size() != counts.size() || pairs.size() % 3 != 0)
      throw std::invalid_argument("its tables do not fit together");
    for (const std::int64_t count : counts)
      if (count < 1) throw std::invalid_argument("a word was counted " + std::to_string(count) + " times");
    for (std::size_t i = 0; i < pairs.size(); i += 3)
      if (pairs[i] >= words.size() || pairs[i + 1] >= words.size() || pairs[i + 2] < 1)
        throw std::invalid_argument("a pair of words that are not there, or that never came");
    std::vector<std::uint32_t> here;
    for (std::size_t word = 0; word < words.size(); ++word)
      here.push_back(vocabulary_.add(words[word], static_cast<std::uint64_t>(counts[word])));
    for (std::size_t i = 0; i < pairs.size(); i += 3) add_pair(here[pairs[i]], here[pairs[i + 1]], pairs[i + 2]);
  }

  const Vocabulary& vocabulary() const { return vocabulary_; }

  // Of words that came at least so often, by falling frequency.
  Bigrams bigrams(std::uint64_t least) const {
    const std::vector<std::uint32_t> order = vocabulary_.by_frequency(least), rank = vocabulary_.ranks(order);
    Bigrams result;
    for (const std::uint32_t word : order) {
      result.words.push_back(vocabulary_.spelling(word));
      result.counts.push_back(vocabulary_.count(word));
    }
    list_neighbours(rank, order.size(), false, result.after_begin, result.after_all);
    list_neighbours(rank, order.size(), true, result.before_begin, result.before_all);
    return result;
  }

 private:
  void add_pair(std::uint32_t first, std::uint32_t second, std::uint32_t count) {
    std::uint32_t& sum = pairs_[std::uint64_t{first} << 32 | second];
    if (sum > std::numeric_limits<std::uint32_t>::max() - count)
      throw std::overflow_error("two words come together more often than four billion times");
    sum += count;
  }

  void list_neighbours(const std::vector<std::uint32_t>& rank, std::size_t kept, bool before,
                       std::vector<std::size_t>& begin, std::vector<Neighbour>& all) const {
    constexpr std::uint32_t absent = Vocabulary::absent;
    begin.assign(kept + 1, 0);
    const auto each_pair = [&](auto use) {
      pairs_.visit([&](std::uint64_t pair, std::uint32_t count) {
        const std::uint32_t a = rank[pair >> 32], b = rank[static_cast<std::uint32_t>(pair)];
        if (a != absent && b != absent) before ? use(b, a, count) : use(a, b, count);
      });
    };
    each_pair([&](std::uint32_t of, std::uint32_t, std::uint32_t) { ++begin[of + 1]; });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    all.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    each_pair([&](std::uint32_t of, std::uint32_t other, std::uint32_t count) { all[next[of]++] = {other, count}; });
    for (std::size_t word = 0; word < kept; ++word)
      std::sort(all.data() + begin[word], all.data() + begin[word + 1],
                [](const Neighbour& a, const Neighbour& b) { return a.word < b.word; });
  }

  bool across_lines_;
  std::uint32_t last_ = Vocabulary::absent;  // of the line before
  Vocabulary vocabulary_;
  base::FlatMap<std::uint32_t> pairs_;
};

}  // namespace headwise::clusters
