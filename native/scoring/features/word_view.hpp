// How a model looks at words, beyond what the sentence says of them: which columns it reads at all, which words it
// tells apart one by one, and which clusters words are in.
#pragma once
#include "rooms.hpp"
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/flat_map.hpp"
#include "base/hashing.hpp"
#include "base/limits.hpp"
#include "treebank/sentence.hpp"

namespace headwise::scoring {

// A cluster is a path in a binary tree, and is seen at three levels: the nodes of two contours that it passes, one near
// the root and one farther down, which stand in for tags, and the whole path, which stands in for the word (Koo 2010,
// 3.3.2). A model may have several clusterings side by side.
inline constexpr std::size_t cluster_levels = 3;

class Clustering {
 public:
  using Classes = std::array<std::uint64_t, cluster_levels>;
  using Contour = std::set<std::string, std::less<>>;

  // `lines` are "path<tab>word<line break>"; those of a cluster stand together.
  Clustering(std::string_view lines, const std::array<Contour, cluster_levels - 1>& contours) {
    std::string_view last;
    while (!lines.empty()) {
      const std::size_t tab = lines.find('\t'), end = lines.find('\n');
      if (end == std::string_view::npos || tab > end) throw std::invalid_argument("clusters: lines of a path and a word");
      const std::string_view path = lines.substr(0, tab);
      if (classes_.empty() || path != last) classes_.push_back(classes_of(path, contours));
      last = path;
      clusters_[hash_bytes(lines.substr(tab + 1, end - tab - 1))] = static_cast<std::uint32_t>(classes_.size());
      lines.remove_prefix(end + 1);
    }
  }

  // Of the form as it is written, or else in lower case.
  Classes classes(std::uint64_t form, std::uint64_t lower) const {
    std::uint32_t cluster = clusters_.find(form);
    if (!cluster) cluster = clusters_.find(lower);
    constexpr std::uint64_t none = mix(0xC1);
    return cluster ? classes_[cluster - 1] : Classes{none, none, none};
  }

 private:
  static Classes classes_of(std::string_view path, const std::array<Contour, cluster_levels - 1>& contours) {
    Classes classes;
    for (std::size_t level = 0; level + 1 < cluster_levels; ++level) {
      std::size_t length = path.size();
      for (std::size_t k = 0; k <= path.size(); ++k)
        if (contours[level].contains(path.substr(0, k))) length = k;
      classes[level] = hash_bytes(path.substr(0, length));
    }
    classes.back() = hash_bytes(path);
    return classes;
  }

  FlatMap<std::uint32_t> clusters_;  // from 1
  std::vector<Classes> classes_;
};

// Vectors of words that somebody learned from raw text: rows of a table, by the hash of the word.
class WordVectors {
 public:
  // `words` ends each word with a line break.
  WordVectors(std::string_view words, std::span<const float> numbers, int width)
      : width_(width), numbers_(numbers.begin(), numbers.end()) {
    check(limit("words.vectors"), width);
    std::uint32_t row = 0;
    for (; !words.empty(); ++row) {
      const std::size_t end = words.find('\n');
      if (end == std::string_view::npos) throw std::invalid_argument("vectors: the last word is cut off");
      rows_[hash_bytes(words.substr(0, end))] = row + 1;
      words.remove_prefix(end + 1);
    }
    if (width < 1 || numbers.size() != std::size_t{row} * static_cast<std::size_t>(width))
      throw std::invalid_argument("vectors: one row for each word");
  }
  int width() const { return width_; }

  // Of the form as it is written, or else in lower case; nullptr where there is none.
  const float* find(std::uint64_t form, std::uint64_t lower) const {
    std::uint32_t row = rows_.find(form);
    if (!row) row = rows_.find(lower);
    return row ? numbers_.data() + std::size_t{row - 1} * static_cast<std::size_t>(width_) : nullptr;
  }

 private:
  int width_;
  std::vector<float> numbers_;
  FlatMap<std::uint32_t> rows_;  // from 1
};

class WordView {
 public:
  static constexpr std::uint64_t rare = mix(0x4A4E);

  void set_vectors(WordVectors vectors) { vectors_.emplace(std::move(vectors)); }
  const WordVectors* vectors() const { return vectors_ ? &*vectors_ : nullptr; }

  void add(Clustering clustering) {
    clusterings_.push_back(std::move(clustering));
    check(limit("words.clusterings"), static_cast<double>(clusterings_.size()));
  }
  const std::vector<Clustering>& clusterings() const { return clusterings_; }

  // From now on words other than these, which are in lower case, are not told apart.
  void know_only(std::span<const std::string> words) {
    known_.clear();
    for (const std::string& word : words) known_.insert(hash_bytes(word));
    knows_all_ = false;
  }
  bool knows(std::uint64_t lower) const { return knows_all_ || known_.contains(lower); }

  void ignore(Column column) { ignored_.set(static_cast<std::size_t>(column)); }
  bool reads(Column column) const { return !ignored_.test(static_cast<std::size_t>(column)); }

 private:
  std::vector<Clustering> clusterings_;
  std::optional<WordVectors> vectors_;
  std::unordered_set<std::uint64_t> known_;
  bool knows_all_ = true;
  std::bitset<16> ignored_;
};

}  // namespace headwise::scoring
