#include "parsing/batch.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "parsing/stretches.hpp"

namespace headwise::parsing {
namespace {

// How many sentences scorers would like to expect at once.
std::size_t expected_at_once(const ParserShape& shape) {
  int most = 1;
  for (const auto& scorer : shape.scorers) most = std::max(most, scorer->expected_at_once());
  return at(most);
}

// What a thread needs: it takes a block of sentences after the other.
struct BlockParser {
  BlockParser(const ParserModel& model, const DecodeOptions& decoding, std::size_t most)
      : parser(model.shape(), model.tables(), decoding), atoms(most, Atoms(model.shape().words)) {}

  // found(i, result) for each sentence of the block, by its number in the batch.
  template <class Found>
  void parse(Batch sentences, std::span<const std::size_t> block, std::span<const Conditions> conditions, Decoder decoder,
             Found found) {
    const ParserShape& shape = parser.shape();
    const auto conditions_of = [&](std::size_t i) { return conditions.empty() ? Conditions{} : conditions[i]; };
    const auto in_stretches = [&](std::size_t i) {
      return sentences[i]->size() > (conditions_of(i).any() ? longest_whole : longest_searched(shape));
    };
    for (std::size_t k = 0; k < block.size(); ++k)
      if (in_stretches(block[k]))
        atoms[k] = Atoms(shape.words);  // of no words, so that nothing expects it
      else
        atoms[k].assign(*sentences[block[k]]);
    if (block.size() > 1) parser.expect(std::span(atoms).first(block.size()));
    for (std::size_t k = 0; k < block.size(); ++k) {
      const std::size_t i = block[k];
      if (in_stretches(i))
        parse_in_stretches(*sentences[i], parser, decoder, atoms[k], result);
      else
        parser.parse(atoms[k], decoder, result, conditions_of(i));
      found(i, result);
    }
  }

  Parser parser;
  std::vector<Atoms> atoms;
  ParseResult result;
};

}  // namespace

void check(std::span<const Conditions> conditions, Batch sentences, int label_count) {
  if (conditions.empty()) return;
  if (conditions.size() != sentences.size()) throw std::invalid_argument("conditions: one entry a sentence");
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::size_t words = at(sentences[i]->size()), arcs = (words + 1) * (words + 1);
    const auto check_size = [&](const auto& given, const char* name, std::size_t size) {
      if (given.data() == nullptr) return;
      if (given.size() != size) throw std::invalid_argument(std::string(name) + ": wrong size");
      if (sentences[i]->size() > longest_whole)
        throw std::invalid_argument(std::string(name) + ": a sentence of over " + std::to_string(longest_whole) +
                                    " words is parsed in stretches, which takes no conditions");
    };
    check_size(conditions[i].allowed, "allowed", arcs);
    check_size(conditions[i].labels, "labels", words);
    check_size(conditions[i].scores.arcs, "arc_scores", arcs);
    check_size(conditions[i].scores.labels, "label_scores", arcs * at(label_count));
  }
}

Parses parse_batch(const ParserModel& model, Batch sentences, const BatchOptions& options,
                   std::span<const Conditions> conditions) {
  check(conditions, sentences, model.shape().labels.count);
  const std::vector<std::size_t> begin = word_offsets(sentences);
  const std::size_t words = begin.back(), count = sentences.size();
  Parses parses{std::vector<int>(words),    std::vector<int>(words),          std::vector<double>(count),
                std::vector<double>(count), std::vector<std::uint8_t>(count), std::vector<std::uint8_t>(count)};
  const Blocks blocks(sentences, expected_at_once(model.shape()), options.threads);
  parallel_for_with(
      blocks.count(), options.threads, [&] { return BlockParser(model, options.decoding, blocks.most()); },
      [&](std::size_t number, BlockParser& mine) {
        mine.parse(sentences, blocks[number], conditions, options.decoder, [&](std::size_t i, const ParseResult& result) {
          const auto place = static_cast<Index>(begin[i]);
          std::copy(result.heads.begin(), result.heads.end(), parses.heads.begin() + place);
          std::copy(result.labels.begin(), result.labels.end(), parses.labels.begin() + place);
          parses.scores[i] = result.score;
          parses.gaps[i] = result.exact ? 0.0 : result.bound - result.score;
          parses.exact[i] = result.exact;
          parses.limited[i] = result.limited;
        });
      });
  return parses;
}

}  // namespace headwise::parsing
