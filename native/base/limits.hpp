// What numbers of a stored model may be: far more than is of use, so that what a damaged file asks for is refused before
// memory is. They stand here and nowhere else: the core checks them, and Python reads them as `base.limits`.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headwise::base {

struct Limit {
  std::string_view name;  // as messages have it: the component, a point, and its field
  double least, most;
};

inline constexpr Limit limits[] = {
    {"table.bits", 4, 30},  // of every table of 2^bits weights for which nothing else is said
    {"labels.count", 0, 240},
    {"pruner.threshold", 0, 1},
    {"pruner.most_heads", 1, 1 << 20},
    {"words.clusterings", 0, 3},
    {"words.vectors", 0, 4096},
    {"roles.bits", 4, 28},
    {"roles.count", 1, 240},
    {"whole_tree.bits", 4, 28},
    {"whole_tree.restarts", 0, 10'000},
    {"tensor.rank", 1, 1024},
    {"tensor.weight", 0, 1},
    {"tensor.vectors", 0, 4096},
    {"tensor.labels", 0, 240},
    {"tensor.features", 0, (1 << 24) - 1},
    {"network.vectors", 1, 4096},
    {"network.lstm", 16, 4096},
    {"network.layers", 1, 16},
    {"network.arcs", 1, 4096},
    {"network.labels", 1, 4096},
    {"network.given", 0, 4096},
    {"network.pieces", 0, 16},
    {"network.tags", 0, 4096},
    {"network.label_count", 0, 240},
    {"network.tag_count", 0, 1 << 20},
    {"network.members", 1, 16},
    {"tagger.network_weight", 0, 1e6},
    {"joint_tags.parser_weight", 0, 1e6},
    {"joint_tags.margin", 0, 1e6},
    {"joint_tags.most", 0, 1000},
    {"reranker.k", 2, 100'000},
    {"phrases.smoothing", 0, 1e9},
    {"phrases.threshold", 0, 1},
    {"phrases.beam", 0, 1e9},
};

// The limit of a name. A name that is not there does not compile.
consteval const Limit& limit(std::string_view name) {
  for (const Limit& one : limits)
    if (one.name == name) return one;
  throw "there is no such limit";
}

// Throws std::invalid_argument where a value is beyond its limit, or no number.
inline void check(const Limit& limit, double value) {
  if (value >= limit.least && value <= limit.most) return;
  const auto shown = [](double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", number);
    return std::string(text);
  };
  throw std::invalid_argument(std::string(limit.name) + " is " + shown(value) + ", must be from " + shown(limit.least) +
                              " to " + shown(limit.most));
}

// A table of 2^bits weights is as large as this and one more.
inline std::uint32_t mask_of_bits(int bits, const Limit& allowed = limit("table.bits")) {
  check(allowed, bits);
  return (std::uint32_t{1} << bits) - 1;
}

}  // namespace headwise::base
