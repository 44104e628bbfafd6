// Clusters by exchange (Martin, Liermann and Ney 1998): every word in turn leaves its cluster and goes to the one where
// the mutual information of neighbouring clusters is highest. Words come in by falling frequency; then they are gone
// through again until nobody moves, or one has seen enough.
//
// With the notation of brown.hpp, w_x the number of times that cluster x follows word w, and x_w that it precedes it:
// cluster c gains Σ_x gain(n(c, x), w_x) + Σ_x gain(n(x, c), x_w) − gain(l(c), l(w)) − gain(r(c), r(w)) by w, but for
// what c is to itself. A word costs O(C · k), where k is the number of clusters that it stands beside.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "clusters/bigrams.hpp"
#include "clusters/fixed_point.hpp"

namespace headwise::clusters {

class ExchangeClusters {
 public:
  ExchangeClusters(const Bigrams& bigrams, std::size_t clusters)
      : bigrams_(&bigrams),
        count_(clusters),
        fixed_(2 * bigrams.total()),
        after_(count_ * count_),
        before_(count_ * count_),
        left_(count_),
        right_(count_),
        members_(count_),
        cluster_(bigrams.words.size(), nobody),
        sums_(count_),
        word_after_(count_),
        word_before_(count_) {
    if (!clusters || bigrams.words.size() < clusters) throw std::invalid_argument("there are fewer words than clusters");
  }

  // Begins with clusters that were found elsewhere: none of them may be empty.
  void begin_with(std::span<const std::uint32_t> clusters) {
    if (clusters.size() != cluster_.size() || next_ || cluster_.front() != nobody)
      throw std::invalid_argument("every word needs a cluster before the first finds its place");
    for (std::uint32_t word = 0; word < clusters.size(); ++word) {
      if (clusters[word] >= count_) throw std::invalid_argument("there are fewer clusters");
      look_around(word);
      put(word, clusters[word]);
    }
    if (std::find(members_.begin(), members_.end(), 0u) != members_.end()) throw std::invalid_argument("a cluster is empty");
  }

  // The next word finds its place. True when it ends a sweep.
  bool place_word() {
    const auto word = static_cast<std::uint32_t>(next_);
    const std::uint32_t own = cluster_[word];
    if (own == nobody && next_ < count_) {
      look_around(word);
      put(word, static_cast<std::uint32_t>(next_));
    } else if (own == nobody || members_[own] > 1) {
      look_around(word);
      if (own != nobody) take(word, own);
      const std::uint32_t best = best_cluster();
      put(word, best);
      moved_ += best != own;
    }
    if (++next_ < bigrams_->words.size()) return false;
    next_ = 0;
    return true;
  }

  // Words that have moved since this was last asked.
  std::size_t moved() { return std::exchange(moved_, 0); }
  std::size_t words_done() const { return next_; }

  // Of every word; clusters are numbered by their most frequent words.
  std::vector<std::uint32_t> cluster_of_words() const {
    std::vector<std::uint32_t> number(count_, nobody), result;
    std::uint32_t next = 0;
    for (const std::uint32_t cluster : cluster_) {
      if (cluster == nobody) throw std::logic_error("not every word has found its place yet");
      if (number[cluster] == nobody) number[cluster] = next++;
      result.push_back(number[cluster]);
    }
    return result;
  }

 private:
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t* after(std::size_t cluster) { return after_.data() + cluster * count_; }
  std::uint32_t* before(std::size_t cluster) { return before_.data() + cluster * count_; }

  // The clusters that a word stands beside, without itself.
  void look_around(std::uint32_t word) {
    for (const std::uint32_t x : beside_after_) word_after_[x] = 0;
    for (const std::uint32_t x : beside_before_) word_before_[x] = 0;
    beside_after_.clear();
    beside_before_.clear();
    itself_ = 0;
    word_left_ = word_right_ = 0;
    for (const auto& [other, count] : bigrams_->after(word)) {
      word_left_ += count;
      if (other == word) itself_ = count;
      else if (const std::uint32_t x = cluster_[other]; x != nobody) {
        if (!word_after_[x]) beside_after_.push_back(x);
        word_after_[x] += count;
      }
    }
    for (const auto& [other, count] : bigrams_->before(word)) {
      word_right_ += count;
      if (const std::uint32_t x = cluster_[other]; other != word && x != nobody) {
        if (!word_before_[x]) beside_before_.push_back(x);
        word_before_[x] += count;
      }
    }
  }

  template <bool kAdd>
  void change(std::uint32_t c) {
    const auto by = [](auto& number, auto amount) { kAdd ? number += amount : number -= amount; };
    for (const std::uint32_t x : beside_after_) {
      by(after(c)[x], word_after_[x]);
      by(before(x)[c], word_after_[x]);
    }
    for (const std::uint32_t x : beside_before_) {
      by(after(x)[c], word_before_[x]);
      by(before(c)[x], word_before_[x]);
    }
    by(after(c)[c], itself_);
    by(before(c)[c], itself_);
    by(left_[c], word_left_);
    by(right_[c], word_right_);
    by(members_[c], 1u);
  }
  void put(std::uint32_t word, std::uint32_t c) {
    change<true>(c);
    cluster_[word] = c;
  }
  void take(std::uint32_t word, std::uint32_t c) {
    change<false>(c);
    cluster_[word] = nobody;
  }

  void add_gains(std::uint64_t count, const std::uint32_t* theirs) {
    const std::int64_t own = fixed_.f(count);
    for (std::size_t c = 0; c < count_; ++c)
      if (theirs[c]) sums_[c] += fixed_.f(theirs[c] + count) - fixed_.f(theirs[c]) - own;
  }

  std::uint32_t best_cluster() {
    std::fill(sums_.begin(), sums_.end(), 0);
    for (const std::uint32_t x : beside_after_) add_gains(word_after_[x], before(x));
    for (const std::uint32_t x : beside_before_) add_gains(word_before_[x], after(x));
    std::uint32_t best = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::uint32_t c = 0; c < count_; ++c) {
      std::int64_t sum = sums_[c] - fixed_.gain(left_[c], word_left_) - fixed_.gain(right_[c], word_right_);
      const std::uint64_t own = after(c)[c], a = word_after_[c], b = word_before_[c];
      if (a | b | itself_)
        sum += fixed_.f(own + a + b + itself_) - fixed_.f(own + a) - fixed_.f(own + b) + fixed_.f(own);
      if (sum > most) {
        most = sum;
        best = c;
      }
    }
    return best;
  }

  const Bigrams* bigrams_;
  std::size_t count_;
  FixedPoint fixed_;
  std::vector<std::uint32_t> after_, before_;  // n(a, b) at [a][b], and at [b][a]
  std::vector<std::uint64_t> left_, right_;
  std::vector<std::uint32_t> members_;         // of a cluster
  std::vector<std::uint32_t> cluster_;         // of a word
  std::vector<std::int64_t> sums_;
  // The word whose turn it is: how often clusters follow and precede it, which these are, and how often it follows itself.
  std::vector<std::uint32_t> word_after_, word_before_, beside_after_, beside_before_;
  std::uint64_t word_left_ = 0, word_right_ = 0;
  std::uint32_t itself_ = 0;
  std::size_t next_ = 0, moved_ = 0;
};

}  // namespace headwise::clusters
