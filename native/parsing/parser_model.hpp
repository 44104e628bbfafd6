// A parser whole: its shape and its weights, copied from where they were read onto huge pages.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>

#include "base/huge_pages.hpp"
#include "parsing/shape.hpp"

namespace headwise::parsing {

// The tables of a model by name, as they lie in a file.
using TableViews = std::map<std::string, std::variant<std::span<const float>, std::span<const std::uint8_t>>>;

class ParserModel {
 public:
  // Takes the tables that the shape asks for. Throws std::invalid_argument where one is missing, of another size, or
  // holds what is no weight.
  ParserModel(ParserShape shape, const TableViews& given);

  const ParserShape& shape() const { return shape_; }
  WeightTables tables() const {
    WeightTables tables;
    for (const auto& [name, weights] : floats_) tables.set(name, weights.data());
    for (const auto& [name, bytes] : bytes_) tables.set_bytes(name, bytes.data());
    return tables;
  }

 private:
  ParserShape shape_;
  std::map<std::string, LargeTable<float>> floats_;
  std::map<std::string, LargeTable<std::uint8_t>> bytes_;
};

}  // namespace headwise::parsing
