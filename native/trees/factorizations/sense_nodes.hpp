// Which nodes are senses of the same word (Koo's thesis, 5.5.3 and B.5.1).
//
// Where words have senses, a node is a word with one of them, and those of a word lie side by side. A tree has one node
// of every word. The spans of all factorizations are then built as ever, between nodes; only, a half ends where a word
// does, so that it covers all senses of the words inside: the empty halves of a node are those that reach to the first
// and to the last sense of its own word. Halves with other ends are never built, and what would need one does not exist;
// neither do arcs between senses of one word.
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "base/index.hpp"

namespace headwise::trees {

class SenseNodes {
 public:
  // Every word a node.
  explicit SenseNodes(int words) : first_(static_cast<std::size_t>(words) + 1), last_(first_.size()), word_(first_.size()) {
    for (int node = 0; node <= words; ++node) first_[at(node)] = last_[at(node)] = word_[at(node)] = node;
  }
  // counts[w - 1] nodes for word w.
  explicit SenseNodes(std::span<const int> counts) : first_(1), last_(1), word_(1) {
    for (const int count : counts) {
      const int first = nodes(), word = words() + 1;
      for (int sense = 0; sense < count; ++sense) {
        first_.push_back(first);
        last_.push_back(first + count - 1);
        word_.push_back(word);
      }
    }
  }

  int nodes() const { return static_cast<int>(word_.size()); }
  int words() const { return word_.back(); }
  bool any() const { return nodes() > words() + 1; }
  int word(int node) const { return word_[at(node)]; }
  int sense(int node) const { return node - first(node); }
  int first(int node) const { return first_[at(node)]; }
  int last(int node) const { return last_[at(node)]; }
  bool is_first(int node) const { return first(node) == node; }
  bool is_last(int node) const { return last(node) == node; }
  bool same_word(int a, int b) const { return word(a) == word(b); }

 private:
  std::vector<int> first_, last_, word_;  // of each node
};

}  // namespace headwise::trees
