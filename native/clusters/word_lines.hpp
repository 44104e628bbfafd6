// A text as lines of numbers of words.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clusters/vocabulary.hpp"

namespace headwise::clusters {

struct WordLines {
  std::vector<std::string> words;      // by falling frequency
  std::vector<std::uint64_t> counts;   // of these, and then of all that are too rare
  std::vector<std::uint32_t> running;  // the text: numbers of words, and words.size() for one that is too rare
  std::vector<std::size_t> begin;      // where a line begins; one more than lines. No line is empty

  std::size_t lines() const { return begin.size() - 1; }
  std::size_t kinds() const { return words.size() + 1; }  // of words, those that are too rare as one
  std::span<const std::uint32_t> line(std::size_t i) const { return {running.data() + begin[i], begin[i + 1] - begin[i]}; }
};

class WordLineCollector {
 public:
  void add(std::string_view lines, char separator) {
    vocabulary_.read(lines, separator, [this](const std::vector<std::uint32_t>& words) {
      running_.insert(running_.end(), words.begin(), words.end());
      begin_.push_back(running_.size());
    });
  }

  const Vocabulary& vocabulary() const { return vocabulary_; }

  // Words that occur less often than `least` are one.
  WordLines lines(std::uint64_t least) const {
    const std::vector<std::uint32_t> order = vocabulary_.by_frequency(least), rank = vocabulary_.ranks(order);
    WordLines result{{}, {}, {}, begin_};
    std::uint64_t rare = vocabulary_.running();
    for (const std::uint32_t word : order) {
      result.words.push_back(vocabulary_.spelling(word));
      result.counts.push_back(vocabulary_.count(word));
      rare -= vocabulary_.count(word);
    }
    result.counts.push_back(rare);
    const auto unknown = static_cast<std::uint32_t>(order.size());
    result.running.reserve(running_.size());
    for (const std::uint32_t word : running_) result.running.push_back(rank[word] == Vocabulary::absent ? unknown : rank[word]);
    return result;
  }

 private:
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> running_;
  std::vector<std::size_t> begin_ = {0};
};

}  // namespace headwise::clusters
