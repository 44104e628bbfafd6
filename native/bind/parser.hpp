// A parser as Python holds it: a shape and its weights, copied from the (memory-mapped) arrays of the model file onto huge
// pages.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/huge_pages.hpp"
#include "bind/arrays.hpp"
#include "parsing/parser.hpp"
#include "parsing/stretches.hpp"
#include "treebank/sentence.hpp"

namespace headwise::bind {

using Sentences = std::vector<const Sentence*>;

class BoundParser {
 public:
  // Takes the tables that the shape asks for out of those of the model, which are by name.
  BoundParser(ParserShape shape, const nanobind::dict& tables) : shape_(std::move(shape)) {
    for (const TableSize& table : shape_.tables()) {
      const char* name = table.name.c_str();
      if (!tables.contains(name)) throw std::invalid_argument("the model has no table '" + table.name + "'");
      if (table.in_bytes) {
        const auto bytes = nanobind::cast<ArrayIn<std::uint8_t>>(tables[name]);
        bytes_.emplace(table.name, checked_bytes(view(bytes), table.size, name));
      } else {
        const auto weights = nanobind::cast<ArrayIn<float>>(tables[name]);
        tables_.emplace(table.name, checked_table(view(weights), table.size, name));
      }
    }
  }

  const ParserShape& shape() const { return shape_; }
  WeightTables tables() const {
    WeightTables tables;
    for (const auto& [name, weights] : tables_) tables.set(name, weights.data());
    for (const auto& [name, bytes] : bytes_) tables.set_bytes(name, bytes.data());
    return tables;
  }

 private:
  ParserShape shape_;
  std::map<std::string, LargeTable<float>> tables_;
  std::map<std::string, LargeTable<std::uint8_t>> bytes_;
};

// What a caller wants of each sentence of a batch; an empty list wants nothing of any, and None nothing of one.
struct BatchWishes {
  template <class T>
  using Lists = std::vector<std::optional<ArrayIn<T>>>;
  Lists<std::uint8_t> allowed;
  Lists<int> labels;
  Lists<double> arc_scores, label_scores;

  void check(const Sentences& sentences, int label_count) const {
    const auto check_list = [&](const auto& list, const char* name, auto size_of) {
      if (list.empty()) return;
      if (list.size() != sentences.size()) throw std::invalid_argument(std::string(name) + ": one entry a sentence");
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i]) continue;
        if (list[i]->size() != size_of(static_cast<std::size_t>(sentences[i]->size())))
          throw std::invalid_argument(std::string(name) + ": wrong size");
        if (sentences[i]->size() > longest_whole)
          throw std::invalid_argument(std::string(name) + ": a sentence of over " + std::to_string(longest_whole) +
                                      " words is parsed in stretches, which takes no wishes");
      }
    };
    const auto arcs = [](std::size_t n) { return (n + 1) * (n + 1); };
    check_list(allowed, "allowed", arcs);
    check_list(labels, "labels", [](std::size_t n) { return n; });
    check_list(arc_scores, "arc_scores", arcs);
    check_list(label_scores, "label_scores", [&](std::size_t n) { return arcs(n) * static_cast<std::size_t>(label_count); });
  }

  bool any(std::size_t i) const {
    const auto has = [&](const auto& list) { return !list.empty() && list[i]; };
    return has(allowed) || has(labels) || has(arc_scores) || has(label_scores);
  }

  Wishes of(std::size_t i, int label_count) const {
    const auto pick = [&](const auto& list) {
      using Span = decltype(view(*list[0]));
      return list.empty() || !list[i] ? Span{} : view(*list[i]);
    };
    return {pick(allowed), pick(labels), {pick(arc_scores), pick(label_scores), label_count}};
  }
};

}  // namespace headwise::bind
