// Parsing many sentences at once: flat arrays in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <vector>

#include "parsing/parser.hpp"
#include "parsing/parser_model.hpp"
#include "treebank/blocks.hpp"

namespace headwise::parsing {

struct Parses {
  std::vector<int> heads, labels;  // of all words
  // Of each sentence its score, how much higher another tree may score (0 where this one is proved to be the best),
  // whether that is proved, and whether a limit decided which arcs were considered.
  std::vector<double> scores, gaps;
  std::vector<std::uint8_t> exact, limited;
};

struct BatchOptions {
  int threads = 1;
  Decoder decoder = Decoder::map;
  DecodeOptions decoding{};
};

// `conditions`: none, or one for each sentence. Sentences that are too long are parsed in stretches, and take none.
Parses parse_batch(const ParserModel& model, Batch sentences, const BatchOptions& options,
                   std::span<const Conditions> conditions = {});

// Throws std::invalid_argument where conditions are not those of such sentences.
void check(std::span<const Conditions> conditions, Batch sentences, int label_count);

}  // namespace headwise::parsing
