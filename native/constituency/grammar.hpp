// A context-free grammar with at most two symbols on a right-hand side.
//
// Symbols are phrases 0 … phrases − 1 (intermediate ones of binarization among them) and, after them, tags. A tree
// over a span is built in two layers: at the bottom a phrase of two parts, or a tag; on top of that at most one
// chain, a rule A ⇒ B that stands for all phrases with one child from A down to B. Every phrase has a chain to
// itself, of length 0; so each tree has one derivation however its unary rules might loop.
#pragma once
#include "rooms.hpp"
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

namespace headwise::constituency {

struct BinaryRule {
  int parent, left, right;
  double log_probability;
};

struct Chain {
  int top, bottom;
  double log_probability;
};

class Grammar {
 public:
  Grammar(int phrases, int tags, int root, std::vector<BinaryRule> rules, std::vector<Chain> chains)
      : phrases_(phrases), tags_(tags), root_(root), rules_(std::move(rules)), chains_(std::move(chains)) {
    const auto is_symbol = [&](int s) { return s >= 0 && s < symbols(); };
    if (root < 0 || root >= phrases) throw std::invalid_argument("root: not a phrase");
    by_parent_.resize(at(phrases));
    chains_from_.resize(at(symbols()));
    chains_to_.resize(at(phrases));
    for (int r = 0; r < static_cast<int>(rules_.size()); ++r) {
      const BinaryRule& rule = rules_[at(r)];
      if (rule.parent < 0 || rule.parent >= phrases || !is_symbol(rule.left) || !is_symbol(rule.right))
        throw std::invalid_argument("rules: unknown symbol");
      by_parent_[at(rule.parent)].push_back(r);
    }
    for (int c = 0; c < static_cast<int>(chains_.size()); ++c) {
      const Chain& chain = chains_[at(c)];
      if (chain.top < 0 || chain.top >= phrases || !is_symbol(chain.bottom))
        throw std::invalid_argument("chains: unknown symbol");
      chains_from_[at(chain.bottom)].push_back(c);
      chains_to_[at(chain.top)].push_back(c);
    }
    group_pairs();
  }

  // All rules with the same two symbols on the right, so that their product is summed once.
  struct Pair {
    int left, right;
    std::vector<std::pair<int, double>> parents;  // and their probabilities
  };

  int phrases() const { return phrases_; }
  int tags() const { return tags_; }
  int symbols() const { return phrases_ + tags_; }
  int root() const { return root_; }
  bool is_tag(int symbol) const { return symbol >= phrases_; }
  const BinaryRule& rule(int r) const { return rules_[at(r)]; }
  const Chain& chain(int c) const { return chains_[at(c)]; }
  int chains() const { return static_cast<int>(chains_.size()); }
  const std::vector<int>& rules_of(int parent) const { return by_parent_[at(parent)]; }
  const std::vector<int>& chains_from(int bottom) const { return chains_from_[at(bottom)]; }
  const std::vector<int>& chains_to(int top) const { return chains_to_[at(top)]; }
  double chain_probability(int c) const { return chain_probabilities_[at(c)]; }
  // Pairs by their left symbol; those of a phrase and a tag by the tag instead, which few words have.
  const std::vector<Pair>& pairs_by_left(int symbol) const { return by_left_[at(symbol)]; }
  const std::vector<Pair>& pairs_by_right_tag(int tag) const { return by_right_tag_[at(tag - phrases_)]; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void group_pairs() {
    by_left_.resize(at(symbols()));
    by_right_tag_.resize(at(tags_));
    for (const BinaryRule& rule : rules_) {
      const bool by_tag = !is_tag(rule.left) && is_tag(rule.right);
      auto& list = by_tag ? by_right_tag_[at(rule.right - phrases_)] : by_left_[at(rule.left)];
      auto pair = list.begin();
      while (pair != list.end() && (pair->left != rule.left || pair->right != rule.right)) ++pair;
      if (pair == list.end()) pair = list.insert(pair, Pair{rule.left, rule.right, {}});
      pair->parents.emplace_back(rule.parent, std::exp(rule.log_probability));
    }
    for (const Chain& chain : chains_) chain_probabilities_.push_back(std::exp(chain.log_probability));
  }

  int phrases_, tags_, root_;
  std::vector<BinaryRule> rules_;
  std::vector<Chain> chains_;
  std::vector<std::vector<int>> by_parent_, chains_from_, chains_to_;
  std::vector<std::vector<Pair>> by_left_, by_right_tag_;
  std::vector<double> chain_probabilities_;
};

}  // namespace headwise::constituency
