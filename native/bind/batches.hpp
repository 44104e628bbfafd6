// Parsing many sentences at once: flat arrays in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/blocks.hpp"
#include "bind/parser.hpp"
#include "treebank/sentence.hpp"
#include "parsing/stretches.hpp"
#include "base/index.hpp"
#include "base/threads.hpp"

namespace headwise::bind {

// Heads and labels of all words; for each sentence its score, how much higher another tree may score (0 where this
// one is proved to be the best), whether that is proved, and whether a limit decided which arcs were considered.
using Parses = std::tuple<Array<int>, Array<int>, Array<double>, Array<double>, Array<std::uint8_t>, Array<std::uint8_t>>;

// Where the words of each sentence begin when all are laid end to end, and where the last ends.
inline std::vector<std::size_t> word_offsets(const Sentences& sentences) {
  std::vector<std::size_t> begin(1, 0);
  for (const Sentence* s : sentences) begin.push_back(begin.back() + static_cast<std::size_t>(s->size()));
  return begin;
}

// How many sentences scorers would like to expect at once.
inline std::size_t expected_at_once(const ParserShape& shape) {
  std::size_t most = 1;
  for (const auto& scorer : shape.scorers) most = std::max(most, static_cast<std::size_t>(scorer->expected_at_once()));
  return most;
}

inline Parses parse_batch(const BoundParser& bound, const Sentences& sentences, int threads, Decoder decoder,
                          const DecodeOptions& options, const BatchWishes& wishes) {
  const ParserShape& shape = bound.shape();
  wishes.check(sentences, shape.labels.count);
  const std::vector<std::size_t> begin = word_offsets(sentences);
  std::vector<int> heads(begin.back()), labels(begin.back());
  std::vector<double> scores(sentences.size()), gaps(sentences.size());
  std::vector<std::uint8_t> exact(sentences.size()), limited(sentences.size());
  {
    const nanobind::gil_scoped_release release;
    struct Scratch {
      std::vector<Atoms> atoms;
      std::optional<Parser> parser;
      ParseResult result;
    };
    std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
    const Blocks blocks(sentences, expected_at_once(shape), threads);
    parallel_for(blocks.count(), threads, [&](std::size_t number, int thread) {
      auto& [atoms, parser, result] = scratch[at(thread)];
      if (!parser) {
        parser.emplace(shape, bound.tables(), options);
        atoms.assign(blocks.most(), Atoms(shape.words));
      }
      const std::span<const std::size_t> block = blocks[number];
      const auto in_stretches = [&](std::size_t i) {
        return sentences[i]->size() > (wishes.any(i) ? longest_whole : longest_searched(shape));
      };
      for (std::size_t k = 0; k < block.size(); ++k) {
        if (in_stretches(block[k])) {
          atoms[k] = Atoms(shape.words);  // of no words, so that nothing expects it
        } else {
          atoms[k].assign(*sentences[block[k]]);
        }
      }
      if (block.size() > 1) parser->expect(std::span(atoms).first(block.size()));
      for (std::size_t k = 0; k < block.size(); ++k) {
        const std::size_t i = block[k];
        if (in_stretches(i)) {
          parse_in_stretches(*sentences[i], *parser, decoder, atoms[k], result);
        } else {
          parser->parse(atoms[k], decoder, result, wishes.of(i, shape.labels.count));
        }
        const auto at = static_cast<std::ptrdiff_t>(begin[i]);
        std::copy(result.heads.begin(), result.heads.end(), heads.begin() + at);
        std::copy(result.labels.begin(), result.labels.end(), labels.begin() + at);
        scores[i] = result.score;
        gaps[i] = result.exact ? 0.0 : result.bound - result.score;
        exact[i] = result.exact;
        limited[i] = result.limited;
      }
    });
  }
  return {to_array(std::move(heads)), to_array(std::move(labels)), to_array(std::move(scores)),
          to_array(std::move(gaps)), to_array(std::move(exact)), to_array(std::move(limited))};
}

}  // namespace headwise::bind
