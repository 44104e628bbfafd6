// Whether heads make a tree, and if not, why: the checks of native readers and of headwise.treebank.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/index.hpp"

namespace headwise::treebank {

struct TreeProblem {
  enum class Kind : std::uint8_t { missing_head, out_of_range, self_loop, cycle, no_root, several_roots };

  Kind kind;
  int word;  // 1…n; 0 for the whole sentence
  std::string explanation;
};

struct TreeRules {
  bool single_root = false;
  bool missing_heads = false;  // whether a word may have no head yet (-1): a partial tree
};

// Every reason why heads (heads[m - 1] in 0…n, -1 for none) are not a tree, in the order of the words.
// O(n) time and memory.
inline std::vector<TreeProblem> check_tree(std::span<const std::int32_t> heads, TreeRules rules) {
  using Kind = TreeProblem::Kind;
  const int n = static_cast<int>(heads.size());
  const auto head = [&](int word) { return heads[at(word) - 1]; };
  const auto in_range = [&](int word) { return head(word) >= 0 && head(word) <= n; };
  std::vector<TreeProblem> problems;

  std::vector<int> roots;
  bool missing = false;
  for (int word = 1; word <= n; ++word) {
    const auto name = [word] { return "word " + std::to_string(word); };
    if (head(word) == 0) {
      roots.push_back(word);
    } else if (head(word) == -1) {
      missing = true;
      if (!rules.missing_heads) problems.push_back({Kind::missing_head, word, name() + " has no head"});
    } else if (!in_range(word)) {
      problems.push_back({Kind::out_of_range, word,
                          name() + " has head " + std::to_string(head(word)) + ", but the sentence has words 1 to " +
                              std::to_string(n)});
    } else if (head(word) == word) {
      problems.push_back({Kind::self_loop, word, name() + " is its own head"});
    }
  }

  // Climb from every word; a climb that meets its own trail has closed a cycle.
  std::vector<int> trail_of(static_cast<std::size_t>(n) + 1, 0);
  for (int start = 1; start <= n; ++start) {
    int word = start;
    while (word > 0 && trail_of[at(word)] == 0) {
      trail_of[at(word)] = start;
      word = in_range(word) && head(word) != word ? head(word) : 0;
    }
    if (word == 0 || trail_of[at(word)] != start) continue;
    int lowest = word;
    for (int other = head(word); other != word; other = head(other)) lowest = std::min(lowest, other);
    std::string path = std::to_string(lowest);
    int shown = 0;
    for (int other = head(lowest); other != lowest && shown < 8; other = head(other), ++shown) {
      path += " → " + std::to_string(other);
    }
    path += (shown == 8 ? " → … → " : " → ") + std::to_string(lowest);
    problems.push_back({Kind::cycle, lowest, "the heads go round in a cycle: " + path});
  }

  if (roots.empty() && !missing) {
    problems.push_back({Kind::no_root, 0, "no word has head 0, so the tree has no root"});
  }
  if (rules.single_root && roots.size() > 1) {
    problems.push_back({Kind::several_roots, roots[1],
                        std::to_string(roots.size()) + " words have head 0 (the first are " +
                            std::to_string(roots[0]) + " and " + std::to_string(roots[1]) +
                            "), and one root was asked for"});
  }
  std::stable_sort(problems.begin(), problems.end(), [n](const TreeProblem& a, const TreeProblem& b) {
    const auto position = [n](const TreeProblem& p) { return p.word == 0 ? n + 1 : p.word; };
    return position(a) < position(b);
  });
  return problems;
}

}  // namespace headwise::treebank
