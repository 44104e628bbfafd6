// The nodes of a search as features see them. Keys are computed once a node, whatever part it is in.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <span>
#include <vector>

#include "scoring/features/atoms.hpp"

namespace headwise::scoring {

// Every word of a sentence is a node.
struct WordNodes {
  const Atoms& atoms;

  int count() const { return atoms.words() + 1; }
  int word(int node) const { return node; }
  const Atoms& seen(int) const { return atoms; }
};

// A node is a word with one of its tags (trees/factorizations/sense_nodes.hpp), and is seen in a reading of the sentence
// in which it has this tag, and the words around it those of the first reading.
class TaggedNodes {
 public:
  // of_node[x]: a word, and the reading in which x is seen; the first node of a word is of the first reading.
  struct Node {
    int word, reading;
  };
  TaggedNodes(std::span<const Atoms> readings, std::span<const Node> of_node) : readings_(readings), of_node_(of_node) {}

  int count() const { return static_cast<int>(of_node_.size()); }
  int word(int node) const { return node < 0 ? node : at(node).word; }
  const Atoms& seen(int node) const {
    return readings_[node < 0 ? 0 : static_cast<std::size_t>(at(node).reading)];
  }

 private:
  const Node& at(int node) const { return of_node_[static_cast<std::size_t>(node)]; }
  std::span<const Atoms> readings_;
  std::span<const Node> of_node_;
};

}  // namespace headwise::scoring
