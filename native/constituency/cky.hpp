// All trees of a sentence under a grammar: the best, sums and probabilities, by the CKY algorithm in O(rules · n³)
// time and O(symbols · n²) memory.
//
// Numbers are probabilities, scaled so that the greatest of every span is 1 and its logarithm is kept beside: nothing
// underflows. What starts at a word lies side by side, and so does what ends at one, so that all ways to split a
// span between two symbols are one product of vectors.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "constituency/bracketing.hpp"
#include "constituency/derivations.hpp"
#include "constituency/grammar.hpp"

namespace headwise::constituency {

// For every word the tags it may have, and the log-probability of the word under each.
using TaggedWords = std::vector<std::vector<std::pair<int, double>>>;

class CkyChart {
 public:
  CkyChart(const Grammar& grammar, const TaggedWords& words)
      : grammar_(grammar), words_(words), n_(static_cast<int>(words.size())) {}

  // The log of the sum over all trees (or of the best tree's probability); −inf when there is none.
  double sum() { return fill<true>(); }
  double best() { return fill<false>(); }

  int words() const { return n_; }
  const Grammar& grammar() const { return grammar_; }

  // Top down, after sum(): chain(number, i, j, p) for every chain over a span that p > least, part(symbol, i, j, p) for
  // bottoms of phrases, tag(word, place, p). What is less probable than `skip` is not looked into; 0 looks
  // everywhere.
  template <class OnChain, class OnBottom, class OnTag>
  void probabilities(double skip, OnChain on_chain, OnBottom on_bottom, OnTag on_tag);

  // As a set of derivations (derivations.hpp), after best(). Nodes are bottoms and tops of phrases over spans, and tags
  // of words.
  int goal() const { return node(0, n_, grammar_.phrases() + grammar_.root()); }
  double value(int node) const {
    const auto [i, j, symbol] = place(node);
    const int w = grammar_.phrases();
    const double v = symbol < w       ? bottom(i, j)[symbol]
                     : symbol < 2 * w ? top_left(symbol - w, i)[j]
                                      : tag_value(i, symbol - w);
    return v > 0 ? std::log(v) + scale_[span(i, j)] : trees::kImpossible;
  }
  template <class F>
  void edges(int number, F f) const {
    const auto [i, j, symbol] = place(number);
    const int w = grammar_.phrases();
    if (symbol >= 2 * w) {
      for (const auto& [tag, score] : words_[at(i)])
        if (tag == symbol - w) f(Edge{.score = score});
    } else if (symbol >= w) {
      for (const int c : grammar_.chains_to(symbol - w)) {
        const Chain& chain = grammar_.chain(c);
        if (grammar_.is_tag(chain.bottom) && j != i + 1) continue;
        f(Edge{chain.log_probability, node(i, j, below(chain.bottom)), -1, -1, c});
      }
    } else {
      for (const int r : grammar_.rules_of(symbol)) {
        const BinaryRule& rule = grammar_.rule(r);
        const int first = grammar_.is_tag(rule.right) ? j - 1 : i + 1;
        const int last = grammar_.is_tag(rule.left) ? i + 1 : j - 1;
        for (int k = first; k <= last && k > i && k < j; ++k)
          f(Edge{rule.log_probability, node(i, k, above(rule.left)), node(k, j, above(rule.right)), -1, -1});
      }
    }
  }
  // What a step of a derivation adds to a tree: its chain, or its tag.
  struct Step {
    int begin, end, chain, tag;
  };
  Step step(int number, const Edge& edge) const {
    const auto [i, j, symbol] = place(number);
    return {i, j, edge.note, symbol >= 2 * grammar_.phrases() ? symbol - 2 * grammar_.phrases() : -1};
  }

 private:
  struct Place {
    int i, j, symbol;
  };
  std::size_t span(int i, int j) const { return at(i) * at(n_ + 1) + at(j); }
  // All symbols at one word together: a span looks at those that start at its first word or end at its last.
  std::size_t place_at(int symbol, int word) const { return at(word) * at(grammar_.phrases()) + at(symbol); }
  std::size_t row(int symbol, int word) const { return place_at(symbol, word) * at(n_ + 1); }
  double* bottom(int i, int j) { return bottom_.data() + span(i, j) * at(grammar_.phrases()); }
  const double* bottom(int i, int j) const { return bottom_.data() + span(i, j) * at(grammar_.phrases()); }
  double* top_left(int symbol, int i) { return top_left_.data() + row(symbol, i); }
  const double* top_left(int symbol, int i) const { return top_left_.data() + row(symbol, i); }
  double* top_right(int symbol, int j) { return top_right_.data() + row(symbol, j); }

  // Nodes: bottoms of phrases, their tops, tags.
  int stride() const { return 2 * grammar_.phrases() + grammar_.tags(); }
  int node(int i, int j, int symbol) const { return (i * (n_ + 1) + j) * stride() + symbol; }
  int above(int symbol) const { return symbol + grammar_.phrases(); }
  int below(int symbol) const { return grammar_.is_tag(symbol) ? symbol + grammar_.phrases() : symbol; }
  Place place(int number) const {
    const int span = number / stride();
    return {span / (n_ + 1), span % (n_ + 1), number % stride()};
  }
  double tag_value(int word, int symbol) const {
    for (const auto& [tag, value] : tags_[at(word)])
      if (tag == symbol) return value;
    return 0.0;
  }

  template <bool kSum>
  static void join(double& total, double value) {
    if constexpr (kSum)
      total += value;
    else if (value > total)
      total = value;
  }
  template <bool kSum>
  static double product(const double* a, const double* b, int count) {
    double s = 0, t = 0, u = 0, v = 0;
    int k = 0;
    for (; k + 4 <= count; k += 4) {
      join<kSum>(s, a[k] * b[k]);
      join<kSum>(t, a[k + 1] * b[k + 1]);
      join<kSum>(u, a[k + 2] * b[k + 2]);
      join<kSum>(v, a[k + 3] * b[k + 3]);
    }
    for (; k < count; ++k) join<kSum>(s, a[k] * b[k]);
    join<kSum>(s, t);
    join<kSum>(u, v);
    join<kSum>(s, u);
    return s;
  }

  void reset() {
    const auto n = at(n_), phrases = at(grammar_.phrases());
    bottom_.assign((n + 1) * (n + 1) * phrases, 0.0);
    top_left_.assign(phrases * (n + 1) * (n + 1), 0.0);
    top_right_.assign(phrases * (n + 1) * (n + 1), 0.0);
    scale_.assign((n + 1) * (n + 1), trees::kImpossible);
    starts_.assign((n + 1) * phrases, {n_ + 1, -1});
    ends_.assign((n + 1) * phrases, {n_ + 1, -1});
    starting_.assign(n + 1, {});
    tags_.assign(n, {});
    split_.assign(n + 1, 0.0);
    row_.assign(n + 1, 0.0);
  }

  template <bool kSum>
  double fill() {
    reset();
    // All spans that end at a word, one after the other: what ends there stays in the cache.
    for (int j = 1; j <= n_; ++j) {
      fill_word<kSum>(j - 1);
      for (int i = j - 2; i >= 0; --i) fill_span<kSum>(i, j);
    }
    const double top = n_ > 0 ? top_left(grammar_.root(), 0)[n_] : 0.0;
    return top > 0 ? std::log(top) + scale_[span(0, n_)] : trees::kImpossible;
  }

  template <bool kSum>
  void fill_word(int i) {
    double greatest = trees::kImpossible;
    for (const auto& [tag, score] : words_[at(i)]) greatest = std::max(greatest, score);
    if (!(greatest > trees::kImpossible)) return;
    std::vector<double> tops(at(grammar_.phrases()), 0.0);
    for (const auto& [tag, score] : words_[at(i)]) {
      const double value = std::exp(score - greatest);
      tags_[at(i)].emplace_back(tag, value);
      for (const int c : grammar_.chains_from(tag))
        join<kSum>(tops[at(grammar_.chain(c).top)], grammar_.chain_probability(c) * value);
    }
    scale_[span(i, i + 1)] = greatest;
    store_tops(i, i + 1, tops, 1.0);
  }

  template <bool kSum>
  void fill_span(int i, int j) {
    const double greatest = weigh_splits(i, j, trees::kImpossible);
    if (!(greatest > trees::kImpossible)) return;
    double* sums = bottom(i, j);
    const auto add = [&](const Grammar::Pair& pair, double value) {
      if (value > 0)
        for (const auto& [parent, p] : pair.parents) join<kSum>(sums[parent], p * value);
    };
    for (const int b : starting_[at(i)]) {
      const auto [first, last] = starts_[place_at(b, i)];
      const double* values = top_left(b, i);
      for (int k = first; k <= last; ++k) row_[at(k)] = values[k] * split_[at(k)];
      for (const Grammar::Pair& pair : grammar_.pairs_by_left(b)) {
        const auto [from, to] = ends_[place_at(pair.right, j)];
        const int k = std::max(first, from), count = std::min(last, to) - k + 1;
        if (count > 0) add(pair, product<kSum>(row_.data() + k, top_right(pair.right, j) + k, count));
      }
    }
    for_each_pair_with_tag(i, j, [&](const Grammar::Pair& pair, double left, double right, int k, int, int) {
      add(pair, left * right * split_[at(k)]);
    });
    std::vector<double>& tops = tops_;
    tops.assign(at(grammar_.phrases()), 0.0);
    double most = 0;
    for (int b = 0; b < grammar_.phrases(); ++b) {
      if (sums[b] == 0) continue;
      most = std::max(most, sums[b]);
      for (const int c : grammar_.chains_from(b))
        join<kSum>(tops[at(grammar_.chain(c).top)], grammar_.chain_probability(c) * sums[b]);
    }
    if (most == 0) return;
    for (int b = 0; b < grammar_.phrases(); ++b) sums[b] /= most;
    scale_[span(i, j)] = greatest + std::log(most);
    store_tops(i, j, tops, 1 / most);
  }

  // split_[k] = exp(what the scales of both sides say, less `by`, or less the greatest of them, which is returned).
  double weigh_splits(int i, int j, double by) {
    double greatest = by;
    if (by == trees::kImpossible)
      for (int k = i + 1; k < j; ++k) greatest = std::max(greatest, scale_[span(i, k)] + scale_[span(k, j)]);
    if (!(greatest > trees::kImpossible)) return greatest;
    for (int k = i + 1; k < j; ++k) split_[at(k)] = std::exp(scale_[span(i, k)] + scale_[span(k, j)] - greatest);
    return greatest;
  }

  void store_tops(int i, int j, const std::vector<double>& tops, double factor) {
    for (int a = 0; a < grammar_.phrases(); ++a) {
      const double value = tops[at(a)] * factor;
      if (value == 0) continue;
      top_left(a, i)[j] = value;
      top_right(a, j)[i] = value;
      auto& start = starts_[place_at(a, i)];
      auto& end = ends_[place_at(a, j)];
      if (start.second < 0) starting_[at(i)].push_back(a);
      start = {std::min(start.first, j), std::max(start.second, j)};
      end = {std::min(end.first, i), std::max(end.second, i)};
    }
  }

  // f(pair, left value, right value, k, place of the left tag, place of the right tag); a place is −1 for a phrase.
  template <class F>
  void for_each_pair_with_tag(int i, int j, F f) {
    const auto& first = tags_[at(i)];
    const auto& last = tags_[at(j) - 1];
    for (int t = 0; t < static_cast<int>(first.size()); ++t)
      for (const Grammar::Pair& pair : grammar_.pairs_by_left(first[at(t)].first)) {
        const double left = first[at(t)].second;
        if (!grammar_.is_tag(pair.right)) {
          if (const double right = top_right(pair.right, j)[i + 1]; right > 0) f(pair, left, right, i + 1, t, -1);
        } else if (j == i + 2) {
          for (int u = 0; u < static_cast<int>(last.size()); ++u)
            if (last[at(u)].first == pair.right) f(pair, left, last[at(u)].second, i + 1, t, u);
        }
      }
    for (int t = 0; t < static_cast<int>(last.size()); ++t)
      for (const Grammar::Pair& pair : grammar_.pairs_by_right_tag(last[at(t)].first))
        if (const double left = top_left(pair.left, i)[j - 1]; left > 0)
          f(pair, left, last[at(t)].second, j - 1, -1, t);
  }

  const Grammar& grammar_;
  const TaggedWords& words_;
  int n_;
  std::vector<double> bottom_, top_left_, top_right_, scale_, split_, row_, tops_;
  std::vector<std::pair<int, int>> starts_, ends_;  // by word and phrase: where spans of it that start (end) here end
  std::vector<std::vector<int>> starting_;  // phrases with a span that starts at the word
  std::vector<std::vector<std::pair<int, double>>> tags_;
};

template <class OnChain, class OnBottom, class OnTag>
void CkyChart::probabilities(double skip, OnChain on_chain, OnBottom on_bottom, OnTag on_tag) {
  if (n_ == 0 || top_left(grammar_.root(), 0)[n_] == 0) return;
  const auto size = top_left_.size();
  std::vector<double> outer_left(size, 0.0), outer_right(size, 0.0);
  std::vector<std::vector<double>> outer_tag;
  for (const auto& tags : tags_) outer_tag.emplace_back(tags.size(), 0.0);
  outer_left[row(grammar_.root(), 0) + at(n_)] = 1 / top_left(grammar_.root(), 0)[n_];
  std::vector<double> outer_bottom(at(grammar_.symbols()));
  for (int j = n_; j >= 1; --j)
    for (int i = 0; i < j; ++i) {
      const auto outer_top = [&](int a) { return outer_left[row(a, i) + at(j)] + outer_right[row(a, j) + at(i)]; };
      if (!(scale_[span(i, j)] > trees::kImpossible)) continue;
      if (j == i + 1) {
        const auto& tags = tags_[at(i)];
        for (int t = 0; t < static_cast<int>(tags.size()); ++t) {
          const auto [tag, value] = tags[at(t)];
          double total = outer_tag[at(i)][at(t)] * value;
          for (const int c : grammar_.chains_from(tag)) {
            const double p = outer_top(grammar_.chain(c).top) * grammar_.chain_probability(c) * value;
            if (p > 0) on_chain(c, i, j, p);
            total += p;
          }
          on_tag(i, t, total);
        }
        continue;
      }
      const double* sums = bottom(i, j);
      double most = 0;
      for (int b = 0; b < grammar_.phrases(); ++b) {
        double& outer = outer_bottom[at(b)];
        outer = 0;
        if (sums[b] == 0) continue;
        for (const int c : grammar_.chains_from(b)) {
          const double p = outer_top(grammar_.chain(c).top) * grammar_.chain_probability(c);
          if (p > 0) on_chain(c, i, j, p * sums[b]);
          outer += p;
        }
        const double p = outer * sums[b];
        if (p > 0) on_bottom(b, i, j, p);
        most = std::max(most, p);
        if (p <= skip) outer = 0;
      }
      if (most <= skip) continue;
      weigh_splits(i, j, scale_[span(i, j)]);
      const auto weight_of = [&](const Grammar::Pair& pair) {
        double weight = 0;
        for (const auto& [parent, p] : pair.parents) weight += p * outer_bottom[at(parent)];
        return weight;
      };
      for (const int b : starting_[at(i)]) {
        const auto [first, last] = starts_[place_at(b, i)];
        for (const Grammar::Pair& pair : grammar_.pairs_by_left(b)) {
          const auto [from, to] = ends_[place_at(pair.right, j)];
          const int k0 = std::max({first, from, i + 1}), k1 = std::min({last, to, j - 1});
          if (k0 > k1) continue;
          const double weight = weight_of(pair);
          if (weight == 0) continue;
          double* out_l = outer_left.data() + row(b, i);
          double* out_r = outer_right.data() + row(pair.right, j);
          const double *in_l = top_left(b, i), *in_r = top_right(pair.right, j);
          for (int k = k0; k <= k1; ++k) {
            const double w = weight * split_[at(k)];
            out_l[k] += w * in_r[k];
            out_r[k] += w * in_l[k];
          }
        }
      }
      for_each_pair_with_tag(i, j, [&](const Grammar::Pair& pair, double left, double right, int k, int t, int u) {
        const double weight = weight_of(pair) * split_[at(k)];
        if (weight == 0) return;
        (t >= 0 ? outer_tag[at(i)][at(t)] : outer_left[row(pair.left, i) + at(k)]) += weight * right;
        (u >= 0 ? outer_tag[at(j) - 1][at(u)] : outer_right[row(pair.right, j) + at(k)]) += weight * left;
      });
    }
}

}  // namespace headwise::constituency
