// A pattern over trees: nodes, what is asked of each, how they stand to one another, and blocks that filter matches.
//
// The language is that of Grew (Guillaume 2021), of trees: a positive block binds its nodes, all to different words;
// each further block says of a match that it can, or cannot, be extended.
#pragma once
#include "rooms.hpp"
#include <charconv>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "patterns/attribute.hpp"

namespace headwise::patterns {

// The number that a value is; nothing where it is none.
inline std::optional<double> number_of(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

enum class Comparison { equal, different, less, less_or_equal, greater, greater_or_equal };

inline bool holds(Comparison comparison, double a, double b) {
  switch (comparison) {
    case Comparison::equal: return a == b;
    case Comparison::different: return a != b;
    case Comparison::less: return a < b;
    case Comparison::less_or_equal: return a <= b;
    case Comparison::greater: return a > b;
    case Comparison::greater_or_equal: return a >= b;
  }
  return false;
}

// Whether a value is one of those that a regular expression describes. Expressions are Python's: each different value is
// asked about once.
class Expression {
 public:
  explicit Expression(std::function<bool(std::string_view)> ask) : ask_(std::move(ask)) {}

  bool operator()(std::string_view value) const {
    const auto found = known_.find(value);
    if (found != known_.end()) return found->second;
    if (known_.size() >= most_known) known_.clear();
    return known_.emplace(std::string(value), ask_(value)).first->second;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  static constexpr std::size_t most_known = 1 << 20;  // a corpus has no end, memory has

  std::function<bool(std::string_view)> ask_;
  mutable std::unordered_map<std::string, bool, Hash, std::equal_to<>> known_;
};

// One condition on the value of an attribute of a word.
struct Test {
  enum class Kind { defined, undefined, one_of, none_of, like, unlike, compare };

  Attribute attribute;
  Kind kind;
  std::vector<std::string> values;        // one_of, none_of
  std::vector<Expression> expressions;    // like, unlike: one of them
  Comparison comparison = Comparison::equal;
  double number = 0.0;

  bool operator()(const Sentence& sentence, int word) const {
    const auto value = attribute.of(sentence, word);
    if (!value) return kind == Kind::undefined;
    switch (kind) {
      case Kind::defined: return true;
      case Kind::undefined: return false;
      case Kind::one_of: return is_among(*value);
      case Kind::none_of: return !is_among(*value);
      case Kind::like: return is_like(*value);
      case Kind::unlike: return !is_like(*value);
      case Kind::compare: {
        const auto own = number_of(*value);
        return own && holds(comparison, *own, number);
      }
    }
    return false;
  }

 private:
  bool is_among(std::string_view value) const {
    for (const auto& one : values) {
      if (one == value) return true;
    }
    return false;
  }
  bool is_like(std::string_view value) const {
    for (const auto& one : expressions) {
      if (one(value)) return true;
    }
    return false;
  }
};

// How two nodes stand to one another.
struct Relation {
  enum class Kind {
    edge,       // a is the head of b
    dominates,  // b is below a
    next,       // b is the word after a
    before,     // b comes after a
    numbered,   // a's number is the smaller one: of two nodes that are alike, one order
    compare,    // the values of an attribute of either
  };

  Kind kind = Kind::edge;
  int a = 0, b = 0;
  Attribute of_a{Column::form, ""}, of_b{Column::form, ""};  // compare
  Comparison comparison = Comparison::equal;
};

// Nodes that are bound together, with those of the blocks before.
struct Block {
  bool wanted = true;              // whether a match must, or must not, extend to it
  int first = 0, last = 0;         // its own nodes
  std::vector<std::pair<int, Test>> tests;
  std::vector<Relation> relations;
};

// The first block binds what a match is made of.
struct Pattern {
  int nodes = 0;
  std::vector<Block> blocks;
};

}  // namespace headwise::patterns
