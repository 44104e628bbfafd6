// Clusters as words: which of them stand beside which, so that they can be clustered in turn.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "clusters/bigrams.hpp"

namespace headwise::clusters {

// Clusters are numbered by their most frequent words, and have their names.
inline Bigrams cluster_bigrams(const Bigrams& words, std::span<const std::uint32_t> cluster) {
  if (cluster.size() != words.words.size()) throw std::invalid_argument("every word needs a cluster");
  Bigrams result;
  for (std::size_t w = 0; w < cluster.size(); ++w) {
    if (cluster[w] > result.words.size()) throw std::invalid_argument("clusters must be numbered by their most frequent words");
    if (cluster[w] == result.words.size()) {
      result.words.push_back(words.words[w]);
      result.counts.push_back(0);
    }
    result.counts[cluster[w]] += words.counts[w];
  }
  const std::size_t count = result.words.size();
  std::vector<std::map<std::uint32_t, std::uint32_t>> after(count), before(count);
  for (std::size_t w = 0; w < cluster.size(); ++w)
    for (const auto& [other, seen] : words.after(w)) {
      after[cluster[w]][cluster[other]] += seen;
      before[cluster[other]][cluster[w]] += seen;
    }
  const auto flatten = [](const auto& rows, std::vector<std::size_t>& begin, std::vector<Neighbour>& all) {
    begin.push_back(0);
    for (const auto& row : rows) {
      for (const auto& [other, seen] : row) all.push_back({other, seen});
      begin.push_back(all.size());
    }
  };
  flatten(after, result.after_begin, result.after_all);
  flatten(before, result.before_begin, result.before_all);
  return result;
}

}  // namespace headwise::clusters
