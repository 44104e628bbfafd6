// All label sequences of a sentence, each word restricted to its candidates, scored over trigrams:
// score(l_1 … l_n) = Σ_i s_i(l_{i-2}, l_{i-1}, l_i) (Collins, lecture on global linear models, 2007).
//
// The lattice knows no features and no words. Best sequence, k best and marginals take
// O(Σ_i c_{i-2}·c_{i-1}·c_i) time for c_i candidates at word i.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "trees/semiring.hpp"

namespace headwise::tagging {

class ChainLattice {
 public:
  // One entry a word: how many candidates it has. Before the first word there is one: the start.
  void assign(std::span<const int> widths) {
    widths_.assign(widths.begin(), widths.end());
    const std::size_t n = widths_.size();
    states_.assign(1, 0);
    edges_.assign(1, 0);
    for (int i = 0; i < static_cast<int>(n); ++i) {
      const std::size_t states = at(width(i - 1)) * at(width(i));
      states_.push_back(states_.back() + states);
      edges_.push_back(edges_.back() + states * at(width(i - 2)));
    }
    scores_.resize(edges_.back());
  }

  int words() const { return static_cast<int>(widths_.size()); }
  int width(int word) const { return word < 0 ? 1 : widths_[at(word)]; }

  // Candidates are numbered within their word: v two words back, u one word back, t of this word.
  double& score(int word, int v, int u, int t) { return scores_[edge(word, v, u) + at(t)]; }
  double score(int word, int v, int u, int t) const { return scores_[edge(word, v, u) + at(t)]; }
  std::span<double> scores() { return scores_; }

  // The state of a word: its candidate and that of the word before.
  std::size_t state(int word, int u, int t) const { return states_[at(word)] + at(u) * at(width(word)) + at(t); }
  std::size_t states() const { return states_.back(); }

  // value(v) is extended over all edges of a word: f(v, u, t, score).
  template <class F>
  void for_each_edge(int word, F f) const {
    for (int v = 0; v < width(word - 2); ++v)
      for (int u = 0; u < width(word - 1); ++u)
        for (int t = 0; t < width(word); ++t) f(v, u, t, score(word, v, u, t));
  }

 private:
  std::size_t edge(int word, int v, int u) const {
    return edges_[at(word)] + (at(v) * at(width(word - 1)) + at(u)) * at(width(word));
  }

  std::vector<int> widths_;
  std::vector<std::size_t> states_, edges_;  // where each word begins
  std::vector<double> scores_;
};

// The value of every state: the greatest score of the sequences that end in it, or that go on from it.
class ChainChart {
 public:
  void fill_forward(const ChainLattice& lattice) {
    values_.assign(lattice.states(), kImpossible);
    for (int i = 0; i < lattice.words(); ++i)
      lattice.for_each_edge(i, [&](int v, int u, int t, double score) {
        double& value = values_[lattice.state(i, u, t)];
        const double candidate = before(lattice, i, v, u) + score;
        if (candidate > value) value = candidate;
      });
  }
  void fill_backward(const ChainLattice& lattice) {
    values_.assign(lattice.states(), kImpossible);
    for (int i = lattice.words() - 1; i >= 0; --i) {
      if (i == lattice.words() - 1) {
        for (int u = 0; u < lattice.width(i - 1); ++u)
          for (int t = 0; t < lattice.width(i); ++t) values_[lattice.state(i, u, t)] = 0.0;
        continue;
      }
      lattice.for_each_edge(i + 1, [&](int v, int u, int t, double score) {
        double& value = values_[lattice.state(i, v, u)];
        const double candidate = score + values_[lattice.state(i + 1, u, t)];
        if (candidate > value) value = candidate;
      });
    }
  }
  double value(const ChainLattice& lattice, int word, int u, int t) const { return values_[lattice.state(word, u, t)]; }

  // Of a forward chart: fills the candidates of the words up to `word`, given those of `word` and the one before. No
  // back-pointers: looking again at n states costs less.
  void trace_back(const ChainLattice& lattice, int word, int u, int t, std::vector<int>& labels) const {
    for (int i = word; i >= 0; --i) {
      labels[at(i)] = t;
      double value = kImpossible;
      int chosen = 0;
      for (int v = 0; v < lattice.width(i - 2); ++v)
        if (const double c = before(lattice, i, v, u) + lattice.score(i, v, u, t); c > value) value = c, chosen = v;
      t = u;
      u = chosen;
    }
  }
  // Of a backward chart: those of the words after `word`.
  void trace_on(const ChainLattice& lattice, int word, int u, int t, std::vector<int>& labels) const {
    for (int i = word + 1; i < lattice.words(); ++i) {
      double value = kImpossible;
      int chosen = 0;
      for (int next = 0; next < lattice.width(i); ++next)
        if (const double c = lattice.score(i, u, t, next) + values_[lattice.state(i, t, next)]; c > value)
          value = c, chosen = next;
      labels[at(i)] = chosen;
      u = t;
      t = chosen;
    }
  }

 private:
  double before(const ChainLattice& lattice, int word, int v, int u) const {
    return word == 0 ? 0.0 : values_[lattice.state(word - 1, v, u)];
  }
  std::vector<double> values_;
};

// The best sequence; ties go to the candidates that come first. Returns its score, −inf if there is none.
class ChainViterbi {
 public:
  double solve(const ChainLattice& lattice, std::vector<int>& best) {
    const int n = lattice.words();
    best.assign(static_cast<std::size_t>(n), 0);
    if (n == 0) return 0.0;
    chart_.fill_forward(lattice);
    double total = kImpossible;
    int last = 0, previous = 0;
    for (int u = 0; u < lattice.width(n - 2); ++u)
      for (int t = 0; t < lattice.width(n - 1); ++t)
        if (const double value = chart_.value(lattice, n - 1, u, t); value > total)
          total = value, last = t, previous = u;
    chart_.trace_back(lattice, n - 1, previous, last, best);
    return total;
  }

 private:
  ChainChart chart_;
};

// The best sequence through each candidate of each word: its score (a max-marginal), and the sequence.
class ChainDetours {
 public:
  void solve(const ChainLattice& lattice) {
    forward_.fill_forward(lattice);
    backward_.fill_backward(lattice);
  }
  double score(const ChainLattice& lattice, int word, int t) const { return through(lattice, word, t).second; }
  void sequence(const ChainLattice& lattice, int word, int t, std::vector<int>& labels) const {
    labels.assign(static_cast<std::size_t>(lattice.words()), 0);
    const int u = through(lattice, word, t).first;
    forward_.trace_back(lattice, word, u, t, labels);
    backward_.trace_on(lattice, word, u, t, labels);
  }

 private:
  // The candidate of the word before, and the score.
  std::pair<int, double> through(const ChainLattice& lattice, int word, int t) const {
    std::pair<int, double> best{0, kImpossible};
    for (int u = 0; u < lattice.width(word - 1); ++u)
      if (const double value = forward_.value(lattice, word, u, t) + backward_.value(lattice, word, u, t);
          value > best.second)
        best = {u, value};
    return best;
  }
  ChainChart forward_, backward_;
};

struct RankedSequence {
  std::vector<int> labels;
  double score;
};

// The k best sequences, best first, all different: every state keeps its k best histories. Ties are
// ordered by candidate numbers from the last word to the first. O(k log k) times the cost of Viterbi.
inline std::vector<RankedSequence> k_best_sequences(const ChainLattice& lattice, int k) {
  struct History {
    double score;
    int v, rank;
    bool operator<(const History& other) const {
      return std::tie(other.score, v, rank) < std::tie(score, other.v, other.rank);
    }
  };
  const int n = lattice.words();
  if (n == 0 || k < 1) return {};
  std::vector<std::vector<History>> histories(lattice.states());
  const auto keep_best = [k](auto& list) {
    const auto kept = std::min(list.size(), static_cast<std::size_t>(k));
    std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
    list.resize(kept);
  };
  for (int i = 0; i < n; ++i) {
    lattice.for_each_edge(i, [&](int v, int u, int t, double score) {
      if (score == kImpossible) return;
      auto& list = histories[lattice.state(i, u, t)];
      if (i == 0) return list.push_back({score, 0, 0});
      int rank = 0;
      for (const History& history : histories[lattice.state(i - 1, v, u)])
        list.push_back({history.score + score, v, rank++});
    });
    for (int u = 0; u < lattice.width(i - 1); ++u)
      for (int t = 0; t < lattice.width(i); ++t) keep_best(histories[lattice.state(i, u, t)]);
  }
  struct End {
    double score;
    int t, u, rank;
    bool operator<(const End& other) const {
      return std::tie(other.score, t, u, rank) < std::tie(score, other.t, other.u, other.rank);
    }
  };
  std::vector<End> ends;
  for (int u = 0; u < lattice.width(n - 2); ++u)
    for (int t = 0; t < lattice.width(n - 1); ++t) {
      int rank = 0;
      for (const History& history : histories[lattice.state(n - 1, u, t)])
        ends.push_back({history.score, t, u, rank++});
    }
  keep_best(ends);
  std::vector<RankedSequence> sequences;
  for (const End& end : ends) {
    RankedSequence sequence{std::vector<int>(static_cast<std::size_t>(n)), end.score};
    int t = end.t, u = end.u, rank = end.rank;
    for (int i = n - 1; i >= 0; --i) {
      sequence.labels[at(i)] = t;
      const History& history = histories[lattice.state(i, u, t)][at(rank)];
      t = u, u = history.v, rank = history.rank;
    }
    sequences.push_back(std::move(sequence));
  }
  return sequences;
}

// Forward-backward in the log domain: the log of the summed weight exp(score) of all sequences, and the
// probability of every edge (v, u, t).
class ChainSums {
 public:
  // Returns the log-partition; −inf when every sequence is impossible.
  double solve(const ChainLattice& lattice) {
    const int n = lattice.words();
    forward_.assign(lattice.states(), kImpossible);
    backward_.assign(lattice.states(), kImpossible);
    for (int i = 0; i < n; ++i)
      for (int u = 0; u < lattice.width(i - 1); ++u)
        for (int t = 0; t < lattice.width(i); ++t)
          forward_[lattice.state(i, u, t)] = log_sum(lattice.width(i - 2), [&](int v) {
            return before(lattice, i, v, u) + lattice.score(i, v, u, t);
          });
    for (int i = n - 1; i >= 0; --i)
      for (int u = 0; u < lattice.width(i - 1); ++u)
        for (int t = 0; t < lattice.width(i); ++t)
          backward_[lattice.state(i, u, t)] =
              i == n - 1 ? 0.0 : log_sum(lattice.width(i + 1), [&](int next) {
                return lattice.score(i + 1, u, t, next) + backward_[lattice.state(i + 1, t, next)];
              });
    const std::size_t last = n == 0 ? 0 : lattice.state(n - 1, 0, 0);
    log_partition_ = n == 0 ? 0.0 : log_sum(static_cast<int>(lattice.states() - last), [&](int s) {
      return forward_[last + at(s)];
    });
    return log_partition_;
  }

  // P(v, u, t at this word), for the lattice that was solved last.
  double edge(const ChainLattice& lattice, int word, int v, int u, int t) const {
    return std::exp(before(lattice, word, v, u) + lattice.score(word, v, u, t) +
                    backward_[lattice.state(word, u, t)] - log_partition_);
  }
  double state(const ChainLattice& lattice, int word, int u, int t) const {
    const std::size_t s = lattice.state(word, u, t);
    return std::exp(forward_[s] + backward_[s] - log_partition_);
  }

 private:
  template <class ValueOf>
  static double log_sum(int count, ValueOf value) {
    double greatest = kImpossible;
    for (int k = 0; k < count; ++k) greatest = std::max(greatest, value(k));
    if (count == 1 || greatest == kImpossible) return greatest;
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += std::exp(value(k) - greatest);
    return greatest + std::log(sum);
  }
  double before(const ChainLattice& lattice, int word, int v, int u) const {
    return word == 0 ? 0.0 : forward_[lattice.state(word - 1, v, u)];
  }

  std::vector<double> forward_, backward_;
  double log_partition_ = 0;
};

}  // namespace headwise::tagging
