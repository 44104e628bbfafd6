#include "tagging/batch.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/index.hpp"
#include "base/threads.hpp"
#include "tagging/tag_probabilities.hpp"

namespace headwise::tagging {
namespace {

// work(i, scratch) for each sentence. Those that a network reads several at once come together, of similar length.
template <class Scratch, class Work>
void for_each_expected(const Tagger& tagger, Batch sentences, int threads, Work work) {
  const Blocks blocks(sentences, at(tagger.expected_at_once()), threads);
  parallel_for_with(
      blocks.count(), threads, [&] { return Scratch(tagger); },
      [&](std::size_t number, Scratch& mine) {
        if (mine.network) {
          std::vector<const Sentence*> expected;
          for (const std::size_t i : blocks[number]) expected.push_back(sentences[i]);
          mine.network->expect(expected);
        }
        for (const std::size_t i : blocks[number]) work(i, mine);
      });
}

void check_labels(const Tagger& tagger, Batch sentences, const LabelSequences& labels) {
  if (labels.size() != sentences.size()) throw std::invalid_argument("labels: one list a sentence");
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (labels[i].size() != at(sentences[i]->size())) throw std::invalid_argument("labels: one entry a word");
    for (const int label : labels[i])
      if (label < 0 || label >= tagger.tags().shape.templates.labels())
        throw std::invalid_argument("labels: out of range");
  }
}

}  // namespace

std::vector<Sentence> tag_batch(const Tagger& tagger, Batch sentences, int threads) {
  std::vector<Sentence> tagged(sentences.size());
  for_each_expected<Tagger::Scratch>(tagger, sentences, threads, [&](std::size_t i, Tagger::Scratch& mine) {
    tagged[i] = tagger.tag(*sentences[i], mine);
  });
  return tagged;
}

std::vector<double> tag_probabilities(const Tagger& tagger, Batch sentences, Column column,
                                      std::span<const double> temperatures, int threads) {
  for (const double temperature : temperatures)
    if (!(temperature > 0 && std::isfinite(temperature))) throw std::invalid_argument("a temperature must be positive");
  const std::vector<std::size_t> begin = word_offsets(sentences);
  std::vector<double> found(begin.back() * temperatures.size());
  for_each_expected<TagProbabilities>(tagger, sentences, threads, [&](std::size_t i, TagProbabilities& mine) {
    mine.find(*sentences[i], column, temperatures, [&](std::size_t k, int word, double probability) {
      found[k * begin.back() + begin[i] + at(word)] = probability;
    });
  });
  return found;
}

std::vector<Sentence> with_labels(const Tagger& tagger, Batch sentences, const LabelSequences& labels, int threads) {
  check_labels(tagger, sentences, labels);
  std::vector<Sentence> tagged(sentences.size());
  parallel_for_with(
      sentences.size(), threads, [&] { return Tagger::Scratch(tagger); },
      [&](std::size_t i, Tagger::Scratch& mine) { tagged[i] = tagger.with_labels(*sentences[i], labels[i], mine); });
  return tagged;
}

std::vector<std::vector<RankedSequence>> find_detours(const Tagger& tagger, Batch sentences, double margin, int most,
                                                      int threads) {
  std::vector<std::vector<RankedSequence>> found(sentences.size());
  parallel_for_with(
      sentences.size(), threads, [&] { return Detours(tagger); },
      [&](std::size_t i, Detours& mine) { found[i] = mine.find(*sentences[i], margin, most); });
  return found;
}

std::vector<double> score_labels(const Tagger& tagger, Batch sentences, const LabelSequences& labels, int threads) {
  check_labels(tagger, sentences, labels);
  std::vector<double> scores(sentences.size());
  parallel_for_with(
      sentences.size(), threads, [&] { return Detours(tagger); },
      [&](std::size_t i, Detours& mine) { scores[i] = mine.score(*sentences[i], labels[i]); });
  return scores;
}

}  // namespace headwise::tagging
