// All matches of a pattern in a tree, by search with backtracking: the words that a node may be are found first, so most
// sentences are left after one look at each word.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "patterns/pattern.hpp"

namespace headwise::patterns {

class Matcher {
 public:
  explicit Matcher(Pattern pattern)
      : pattern_(std::move(pattern)), may_be_root_(index(pattern_.nodes), 0), bound_(index(pattern_.nodes), unbound) {
    for (const auto& block : pattern_.blocks) {
      plans_.push_back(plan(block));
      for (const auto& relation : block.relations) {
        const bool down = relation.kind == Relation::Kind::edge || relation.kind == Relation::Kind::dominates;
        if (down) may_be_root_[index(relation.a)] = 1;
      }
    }
  }
  Matcher(const Matcher&) = delete;  // plans point into the pattern
  Matcher& operator=(const Matcher&) = delete;

  const Pattern& pattern() const noexcept { return pattern_; }
  int width() const noexcept { return pattern_.blocks.front().last; }

  // Appends the words of each match to found: one for each node of the first block. At most `most` matches.
  void find(const Sentence& sentence, std::vector<std::int32_t>& found, std::size_t most) {
    sentence_ = &sentence;
    candidates_.assign(index(pattern_.nodes), {});
    if (!gather(0)) return;
    gathered_.assign(pattern_.blocks.size(), 0);
    std::fill(bound_.begin(), bound_.end(), unbound);
    std::size_t count = 0;
    extend(0, 0, [&] {
      for (std::size_t k = 1; k < pattern_.blocks.size(); ++k) {
        if (can_extend(k) != pattern_.blocks[k].wanted) return true;
      }
      found.insert(found.end(), bound_.begin(), bound_.begin() + width());
      return ++count < most;
    });
  }

 private:
  static constexpr std::int32_t unbound = -1;

  // The order in which a block binds its nodes, and what can be checked once each of them is bound.
  struct Step {
    int node = -1;                       // -1: none, but relations of nodes that earlier blocks bound
    std::vector<const Test*> tests;      // of nodes of earlier blocks: not among candidates
    std::vector<int> tested;             // the nodes of these
    std::vector<const Relation*> relations;
    const Relation* by = nullptr;        // the edge that leads here from a bound node
  };

  static std::size_t index(int k) noexcept { return static_cast<std::size_t>(k); }

  bool is_own(const Block& block, int node) const { return node >= block.first && node < block.last; }

  std::vector<Step> plan(const Block& block) const {
    std::vector<Step> steps(1);
    std::vector<bool> known(index(pattern_.nodes), false);
    std::fill(known.begin(), known.begin() + block.first, true);
    for (const auto& [node, test] : block.tests) {
      if (is_own(block, node)) continue;
      steps.front().tests.push_back(&test);
      steps.front().tested.push_back(node);
    }
    std::vector<const Relation*> left;
    for (const auto& relation : block.relations) left.push_back(&relation);
    const auto settle = [&](Step& step) {
      std::erase_if(left, [&](const Relation* relation) {
        const bool ready = known[index(relation->a)] && known[index(relation->b)];
        if (ready) step.relations.push_back(relation);
        return ready;
      });
    };
    settle(steps.front());
    for (int bound = block.first; bound < block.last; ++bound) {
      const auto [node, by] = next_node(block, known, left);
      known[index(node)] = true;
      Step step;
      step.node = node, step.by = by;
      settle(step);
      steps.push_back(std::move(step));
    }
    return steps;
  }

  // The node to be bound next: one that an edge leads to, from its modifier if there is one; else one that is tested.
  std::pair<int, const Relation*> next_node(const Block& block, const std::vector<bool>& known,
                                            const std::vector<const Relation*>& left) const {
    const Relation* down = nullptr;
    for (const auto* relation : left) {
      if (relation->kind != Relation::Kind::edge) continue;
      if (known[index(relation->b)] && !known[index(relation->a)]) return {relation->a, relation};
      if (known[index(relation->a)] && !known[index(relation->b)]) down = relation;
    }
    if (down) return {down->b, down};
    int best = -1, most = -1;
    for (int node = block.first; node < block.last; ++node) {
      if (known[index(node)]) continue;
      const int tests = static_cast<int>(std::count_if(block.tests.begin(), block.tests.end(),
                                                       [&](const auto& test) { return test.first == node; }));
      if (tests > most) best = node, most = tests;
    }
    return {best, nullptr};
  }

  // The words that each node of a block may be; false where one has none.
  bool gather(std::size_t number) {
    const auto& block = pattern_.blocks[number];
    for (int node = block.first; node < block.last; ++node) {
      auto& words = candidates_[index(node)];
      words.assign(index(sentence_->size() + 1), 1);
      words[0] = may_be_root_[index(node)];
      for (const auto& [tested, test] : block.tests) {
        if (tested != node) continue;
        for (int word = 0; word <= sentence_->size(); ++word) {
          if (words[index(word)] && !test(*sentence_, word)) words[index(word)] = 0;
        }
      }
      if (std::find(words.begin(), words.end(), 1) == words.end()) return false;
    }
    return true;
  }

  bool can_extend(std::size_t number) {
    if (!gathered_[number]) gathered_[number] = gather(number) ? 1 : 2;
    if (gathered_[number] == 2) return false;
    bool found = false;
    extend(number, 0, [&] {
      found = true;
      return false;
    });
    return found;
  }

  // Calls f for each way to bind the nodes of a block from a step on, until f returns false; false where it did.
  template <class F>
  bool extend(std::size_t number, std::size_t at, const F& f) {
    const auto& steps = plans_[number];
    if (at == steps.size()) return f();
    const Step& step = steps[at];
    if (step.node < 0) return !fits(step) || extend(number, at + 1, f);
    const auto& words = candidates_[index(step.node)];
    const auto try_word = [&](int word) {
      if (!words[index(word)] || std::find(bound_.begin(), bound_.end(), word) != bound_.end()) return true;
      bound_[index(step.node)] = word;
      const bool goes_on = !fits(step) || extend(number, at + 1, f);
      bound_[index(step.node)] = unbound;
      return goes_on;
    };
    if (step.by && step.by->a == step.node) {  // upwards there is one way
      const int word = bound_[index(step.by->b)];
      const int head = word == 0 ? unbound : sentence_->head(word);
      return head < 0 || try_word(head);
    }
    for (int word = 0; word <= sentence_->size(); ++word) {
      if (!try_word(word)) return false;
    }
    return true;
  }

  bool fits(const Step& step) const {
    for (std::size_t i = 0; i < step.tests.size(); ++i) {
      if (!(*step.tests[i])(*sentence_, bound_[index(step.tested[i])])) return false;
    }
    return std::all_of(step.relations.begin(), step.relations.end(), [&](const Relation* relation) {
      return related(*relation, bound_[index(relation->a)], bound_[index(relation->b)]);
    });
  }

  bool related(const Relation& relation, int a, int b) const {
    switch (relation.kind) {
      case Relation::Kind::edge: return b != 0 && sentence_->head(b) == a;
      case Relation::Kind::dominates: return dominates(a, b);
      case Relation::Kind::next: return a != 0 && b == a + 1;
      case Relation::Kind::before: return a != 0 && a < b;
      case Relation::Kind::numbered: return a < b;
      case Relation::Kind::compare: return compare(relation, a, b);
    }
    return false;
  }

  // A file that nobody checked may hold a cycle: no path is longer than the sentence.
  bool dominates(int a, int b) const {
    for (int steps = 0; b > 0 && steps <= sentence_->size(); ++steps) {
      b = sentence_->head(b);
      if (b == a) return true;
    }
    return false;
  }

  bool compare(const Relation& relation, int a, int b) const {
    const auto left = relation.of_a.of(*sentence_, a), right = relation.of_b.of(*sentence_, b);
    if (!left || !right) return false;
    if (relation.comparison == Comparison::equal) return *left == *right;
    if (relation.comparison == Comparison::different) return *left != *right;
    const auto x = number_of(*left), y = number_of(*right);
    return x && y && holds(relation.comparison, *x, *y);
  }

  Pattern pattern_;
  std::vector<std::vector<Step>> plans_;   // a block each; they point into pattern_
  std::vector<std::uint8_t> may_be_root_;  // of nodes that something hangs from
  const Sentence* sentence_ = nullptr;
  std::vector<std::vector<std::uint8_t>> candidates_;  // by node and word
  std::vector<std::uint8_t> gathered_;                 // of a block: 0 not yet, 1 yes, 2 some node can be no word
  std::vector<std::int32_t> bound_;
};

}  // namespace headwise::patterns
