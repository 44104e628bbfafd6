#include "confidence/batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/index.hpp"
#include "base/threads.hpp"

namespace headwise::confidence {
namespace {

void check_lengths(Batch sentences) {
  for (const Sentence* s : sentences)
    if (s->size() > longest_judged)
      throw std::invalid_argument(*s->source().file + ":" + std::to_string(s->source().line) + ": a sentence of " +
                                  std::to_string(s->size()) + " words is too long for probabilities (" +
                                  std::to_string(longest_judged) + " at most); split it");
}

// That numbers laid end to end belong to the sentences: −1 or more, or heads of words.
void check_words(std::span<const int> given, const char* name, Batch sentences, const std::vector<std::size_t>& begin,
                 bool are_heads) {
  if (given.size() != begin.back())
    throw std::invalid_argument(std::string(name) + " must have one entry for each of the " +
                                std::to_string(begin.back()) + " words");
  for (std::size_t i = 0; i < sentences.size(); ++i)
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k)
      if (given[k] < (are_heads ? 0 : -1) || (are_heads && given[k] > sentences[i]->size()))
        throw std::invalid_argument(std::string(name) + ": " + std::to_string(given[k]) + " is out of range");
}

void check(const GivenTrees& given, Batch sentences, const std::vector<std::size_t>& begin) {
  if (given.labels.data() && !given.heads.data())
    throw std::invalid_argument("labels are judged together with heads");
  if (given.heads.data()) check_words(given.heads, "heads", sentences, begin, true);
  if (given.labels.data()) check_words(given.labels, "labels", sentences, begin, false);
}

// answer(judge, i) for each sentence, once the judge has read it. Each thread has a judge of its own.
template <class Answer>
void for_each_judged(const ParserModel& model, Batch sentences, int threads, std::span<const Conditions> conditions,
                     Answer answer) {
  check_lengths(sentences);
  parsing::check(conditions, sentences, model.shape().labels.count);
  struct Reader {
    Judge judge;
    Atoms atoms;
    const Sentence* read = nullptr;
  };
  parallel_for_with(
      sentences.size(), threads,
      [&] { return Reader{Judge(model.shape(), model.tables()), Atoms(model.shape().words)}; },
      [&](std::size_t i, Reader& mine) {
        const Conditions own = conditions.empty() ? Conditions{} : conditions[i];
        if (mine.read != sentences[i] || own.any()) {  // several trees of one sentence stand together
          mine.atoms.assign(*sentences[i]);
          mine.judge.read(mine.atoms, own);
          mine.read = own.any() ? nullptr : sentences[i];  // under other conditions it is another problem
        }
        answer(mine.judge, i);
      });
}

}  // namespace

Judgements judge_batch(const ParserModel& model, Batch sentences, const GivenTrees& given, const ConfidenceScale& scale,
                       int threads, std::span<const Conditions> conditions) {
  const std::vector<std::size_t> begin = word_offsets(sentences);
  check(given, sentences, begin);
  const std::size_t words = begin.back(), count = sentences.size();
  Judgements all{std::vector<int>(words),    std::vector<int>(words),    std::vector<double>(words),
                 std::vector<double>(words), std::vector<double>(words), std::vector<double>(count),
                 std::vector<double>(count), std::vector<std::uint8_t>(count)};
  for_each_judged(model, sentences, threads, conditions, [&](Judge& judge, std::size_t i) {
    thread_local ParseResult tree;
    thread_local TreeConfidence confidence;
    tree = judge.result();
    const std::size_t size = begin[i + 1] - begin[i];
    if (given.heads.data()) {
      const auto heads = given.heads.subspan(begin[i], size);
      tree.heads.assign(heads.begin(), heads.end());
      if (given.labels.data()) {
        const auto labels = given.labels.subspan(begin[i], size);
        tree.labels.assign(labels.begin(), labels.end());
      } else {
        judge.find_labels(tree.heads, tree.labels);
      }
      tree.score = judge.score(tree.heads);
    }
    judge.judge(tree.heads, tree.labels, scale, confidence);
    const auto put = [&](const auto& from, auto& into) {
      std::copy(from.begin(), from.end(), into.begin() + static_cast<Index>(begin[i]));
    };
    put(tree.heads, all.heads);
    put(tree.labels, all.labels);
    put(confidence.arcs, all.arcs);
    put(confidence.labels, all.label_probabilities);
    put(confidence.entropies, all.entropies);
    all.scores[i] = tree.score;
    all.log_probabilities[i] = confidence.log_probability;
    all.limited[i] = tree.limited;
  });
  return all;
}

std::vector<double> arc_probabilities_batch(const ParserModel& model, Batch sentences, const ConfidenceScale& scale,
                                            int threads, std::span<const Conditions> conditions) {
  check_lengths(sentences);
  std::vector<std::size_t> begin(1, 0);
  for (const Sentence* s : sentences) begin.push_back(begin.back() + at(s->size() + 1) * at(s->size() + 1));
  std::vector<double> all(begin.back());
  for_each_judged(model, sentences, threads, conditions, [&](Judge& judge, std::size_t i) {
    const std::vector<double>& table = judge.arc_probabilities(scale);
    std::copy(table.begin(), table.end(), all.begin() + static_cast<Index>(begin[i]));
  });
  return all;
}

FittingTable probabilities_at(const ParserModel& model, Batch sentences, const GivenTrees& given,
                              std::span<const double> temperatures, std::span<const double> label_temperatures,
                              int threads) {
  const std::vector<std::size_t> begin = word_offsets(sentences);
  check_words(given.heads, "heads", sentences, begin, true);
  check_words(given.labels, "labels", sentences, begin, false);
  const std::size_t words = begin.back();
  FittingTable all{std::vector<double>(temperatures.size() * words),
                   std::vector<double>(label_temperatures.size() * words), std::vector<double>(words)};
  for_each_judged(model, sentences, threads, {}, [&](Judge& judge, std::size_t i) {
    thread_local std::vector<double> table;
    const auto heads = given.heads.subspan(begin[i], begin[i + 1] - begin[i]);
    const std::size_t nodes = heads.size() + 1;
    const auto pick = [&](const std::vector<double>& from, double* into) {
      for (std::size_t m = 1; m < nodes; ++m) into[m - 1] = from[at(heads[m - 1]) * nodes + m];
    };
    pick(judge.background_probabilities(), all.background.data() + begin[i]);
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      judge.sum(temperatures[t], table);
      pick(table, all.arcs.data() + t * words + begin[i]);
    }
    for (std::size_t t = 0; t < label_temperatures.size(); ++t) {
      judge.label_probabilities(heads, given.labels.subspan(begin[i], heads.size()), label_temperatures[t], table);
      std::copy(table.begin(), table.end(), all.labels.begin() + static_cast<Index>(t * words + begin[i]));
    }
  });
  return all;
}

}  // namespace headwise::confidence
