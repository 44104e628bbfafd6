#include "parsing/parser_model.hpp"

#include <stdexcept>
#include <utility>

namespace headwise::parsing {

ParserModel::ParserModel(ParserShape shape, const TableViews& given) : shape_(std::move(shape)) {
  for (const TableSize& table : shape_.tables()) {
    const auto found = given.find(table.name);
    if (found == given.end()) throw std::invalid_argument("the model has no table '" + table.name + "'");
    const auto* floats = std::get_if<std::span<const float>>(&found->second);
    const auto* bytes = std::get_if<std::span<const std::uint8_t>>(&found->second);
    if (table.in_bytes ? !bytes : !floats)
      throw std::invalid_argument("the table '" + table.name + "' must hold " + (table.in_bytes ? "bytes" : "floats"));
    const char* name = table.name.c_str();
    if (bytes)
      bytes_.emplace(table.name, checked_bytes(*bytes, table.size, name));
    else
      floats_.emplace(table.name, checked_table(*floats, table.size, name));
  }
}

}  // namespace headwise::parsing
