// Parsing many sentences at once: flat arrays in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "scoring/features/atoms.hpp"
#include "parsing/parser_shape.hpp"
#include "treebank/sentence.hpp"
#include "parsing/stretches.hpp"
#include "base/threads.hpp"

namespace headwise::bind {

// Heads and labels of all words; for each sentence its score, how much higher another tree may score (0 where this
// one is proved to be the best), whether that is proved, and whether a limit decided which arcs were considered.
using Parses = std::tuple<Array<int>, Array<int>, Array<double>, Array<double>, Array<std::uint8_t>, Array<std::uint8_t>>;

// Where the words of each sentence begin when all are laid end to end, and where the last ends.
inline std::vector<std::size_t> word_offsets(const std::vector<const Sentence*>& sentences) {
  std::vector<std::size_t> begin(1, 0);
  for (const Sentence* s : sentences) begin.push_back(begin.back() + static_cast<std::size_t>(s->size()));
  return begin;
}

// make() gives each thread a worker of its own; work(worker, atoms, result) parses one sentence, and
// label(worker, atoms, result) labels a tree that is there already.
template <class Make, class Work, class Label>
Parses parse_batch(const std::vector<const Sentence*>& sentences, bool single_root, int threads, Make make, Work work,
                   Label label) {
  const std::vector<std::size_t> begin = word_offsets(sentences);
  std::vector<int> heads(begin.back()), labels(begin.back());
  std::vector<double> scores(sentences.size()), gaps(sentences.size());
  std::vector<std::uint8_t> exact(sentences.size()), limited(sentences.size());
  {
    const nanobind::gil_scoped_release release;
    struct Scratch {
      Atoms atoms;
      decltype(make()) worker;
      ParseResult result;
    };
    std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(1, threads)));
    parallel_for(sentences.size(), threads, [&](std::size_t i, int thread) {
      Scratch& mine = scratch[static_cast<std::size_t>(thread)];
      if (!mine.worker) mine.worker = make();
      if (sentences[i]->size() > longest_whole) {
        parse_in_stretches(
            *sentences[i], single_root, mine.atoms, mine.result,
            [&](const Atoms& atoms, ParseResult& result) { work(*mine.worker, atoms, result); },
            [&](const Atoms& atoms, ParseResult& result) { label(*mine.worker, atoms, result); });
      } else {
        mine.atoms.assign(*sentences[i]);
        work(*mine.worker, mine.atoms, mine.result);
      }
      const auto at = static_cast<std::ptrdiff_t>(begin[i]);
      std::copy(mine.result.heads.begin(), mine.result.heads.end(), heads.begin() + at);
      std::copy(mine.result.labels.begin(), mine.result.labels.end(), labels.begin() + at);
      scores[i] = mine.result.score;
      gaps[i] = mine.result.exact ? 0.0 : mine.result.bound - mine.result.score;
      exact[i] = mine.result.exact;
      limited[i] = mine.result.limited;
    });
  }
  return {to_array(std::move(heads)), to_array(std::move(labels)), to_array(std::move(scores)),
          to_array(std::move(gaps)), to_array(std::move(exact)), to_array(std::move(limited))};
}

}  // namespace headwise::bind
