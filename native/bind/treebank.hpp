// What the files that bind headwise._native.treebank share.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

#include "treebank/sentence.hpp"

namespace headwise::bind {

void bind_sentence(nanobind::module_& module);
void bind_tree_shape(nanobind::module_& module);

inline nanobind::bytes raw(std::string_view bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}

inline std::string_view view(const nanobind::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

inline const char* format_name(Format format) { return format == Format::conllu ? "conllu" : "conllx"; }

inline std::optional<Format> parse_format(std::string_view name) {
  if (name == "conllu") return Format::conllu;
  if (name == "conllx") return Format::conllx;
  if (name == "auto") return std::nullopt;
  throw nanobind::value_error(("format must be auto, conllu or conllx, not " + std::string(name)).c_str());
}

}  // namespace headwise::bind
