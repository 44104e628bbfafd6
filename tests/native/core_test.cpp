// Learns a tagger and a parser from three sentences, then tags, parses and judges a batch, without Python: what a library
// in another language would call. Says what is wrong and ends with 1, or ends with 0.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "confidence/batch.hpp"
#include "learning/trainer.hpp"
#include "parsing/batch.hpp"
#include "tagging/batch.hpp"
#include "tagging/sequence_trainer.hpp"
#include "treebank/conll_parse.hpp"

using namespace headwise::confidence;
using namespace headwise::tagging;

namespace {

constexpr int bits = 12, epochs = 10;
const std::vector<std::string> tags = {"DET", "NOUN", "VERB"}, labels = {"det", "nsubj", "root", "obj"};

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  ++failures;
}

template <class Exception>
void expect_error(const std::function<void()>& call, std::string_view message, const char* what) {
  try {
    call();
  } catch (const Exception& error) {
    expect(std::string_view(error.what()).find(message) != std::string_view::npos, what);
    return;
  }
  expect(false, what);
}

struct TaggedWord {
  std::string form, tag;
  int head;
  std::string label;
};
using TaggedWords = std::vector<TaggedWord>;

const std::vector<TaggedWords> treebank = {
    {{"the", "DET", 2, "det"}, {"dog", "NOUN", 3, "nsubj"}, {"barks", "VERB", 0, "root"}},
    {{"she", "NOUN", 2, "nsubj"}, {"sees", "VERB", 0, "root"}, {"the", "DET", 4, "det"}, {"cat", "NOUN", 2, "obj"}},
    {{"cats", "NOUN", 2, "nsubj"}, {"sleep", "VERB", 0, "root"}}};

int number_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

Sentence sentence_of(const TaggedWords& words, bool tagged) {
  std::string bytes;
  for (std::size_t i = 0; i < words.size(); ++i)
    bytes += std::to_string(i + 1) + "\t" + words[i].form + "\t_\t" + (tagged ? words[i].tag : "_") +
             "\t_\t_\t_\t_\t_\t_\n";
  return SentenceParser::parse(bytes + "\n", 0, Format::conllu, Validation::columns,
                               {std::make_shared<const std::string>("core_test"), 1});
}

const std::vector<std::int64_t> order = [] {
  std::vector<std::int64_t> numbers(treebank.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}();

std::vector<float> average_of(const AveragedWeights& weights) {
  std::vector<float> average(weights.size());
  weights.average(average);
  return average;
}

ParserShape parser_shape() {
  const std::vector<int> no_limit(2 * tags.size() * tags.size(), 100);
  const std::vector<std::string> arc_lines = {"h.pos m.pos", "h.lower m.lower"}, label_lines = {"m.pos", "m.lower"};
  ParserShape shape{.filter = ArcFilter(tags, no_limit),
                    .arc_templates = ArcTemplates(arc_lines),
                    .label_templates = LabelTemplates(label_lines),
                    .labels = LabelSet(static_cast<int>(labels.size()), static_cast<int>(tags.size()), {}),
                    .label_mode = LabelMode::separate,
                    .projective = true,
                    .single_root = true,
                    .arc_mask = mask_of_bits(bits),
                    .label_mask = mask_of_bits(bits)};
  check(shape);
  return shape;
}

ParserModel learned_parser() {
  const ParserShape shape = parser_shape();
  Trainer trainer(shape, update_rule("mira", {.aggressiveness = 0.1}), {});
  for (const TaggedWords& words : treebank) {
    auto example = std::make_shared<TrainingExample>();
    example->atoms.assign(sentence_of(words, true));
    for (const TaggedWord& word : words) {
      example->heads.push_back(word.head);
      example->labels.push_back(number_of(labels, word.label));
    }
    trainer.add({example});
  }
  for (int epoch = 0; epoch < epochs; ++epoch) trainer.train(order, 1);
  const std::vector<float> arcs = average_of(trainer.arcs()), of_labels = average_of(trainer.labels());
  const TableViews tables = {{"arcs", std::span(arcs)}, {"labels", std::span(of_labels)}};
  expect_error<std::invalid_argument>([&] { ParserModel(shape, {{"arcs", std::span(arcs)}}); },
                                      "no table 'labels'", "a model without a table is refused");
  expect_error<std::invalid_argument>(
      [&] { ParserModel(shape, {{"arcs", std::span(arcs).first(7)}, {"labels", std::span(of_labels)}}); },
      "wrong table size", "a table of another size is refused");
  return ParserModel(shape, tables);
}

Tagger learned_tagger() {
  TaggedWords names;
  for (const std::string& tag : tags) names.push_back({tag, tag, 0, "_"});
  const Sentence tag_names = sentence_of(names, true);
  const std::vector<std::string> lines = {"w.lower t.tag", "w.suffix t.tag", "t.tag u.tag"};
  const SequenceShape shape{SequenceTemplates(tag_names, lines), mask_of_bits(bits)};
  SequenceTrainer trainer(shape, Margins::mira(0.1));
  const std::vector<int> all = {0, 1, 2};
  for (const TaggedWords& words : treebank) {
    SequenceExample example;
    example.atoms.assign(sentence_of(words, false));
    example.forgetting.assign(words.size(), 0.0f);
    for (const TaggedWord& word : words) {
      example.candidates.add(all);
      example.gold.push_back(number_of(tags, word.tag));
    }
    trainer.add(std::move(example));
  }
  for (int epoch = 0; epoch < epochs; ++epoch) trainer.train(order);
  // A lexicon that knows no word: the empty ending may have any tag.
  std::uint64_t ending = 0;
  Lexicon::for_each_suffix_key("", "", [&](std::uint64_t key) {
    ending = key;
    return true;
  });
  const std::vector<std::int64_t> keys = {static_cast<std::int64_t>(ending)};
  const std::vector<std::int32_t> begins = {0, 3}, of_ending = {0, 1, 2};
  const std::vector<float> weights = average_of(trainer.weights());
  return {{shape, Lexicon(keys, begins, of_ending, 3), LargeTable<float>(weights.begin(), weights.end())},
          {tag_names, /*upos=*/true, /*xpos=*/false, /*feats=*/false}};
}

std::vector<const Sentence*> pointers(const std::vector<Sentence>& sentences) {
  std::vector<const Sentence*> all;
  for (const Sentence& sentence : sentences) all.push_back(&sentence);
  return all;
}

}  // namespace

int main() {
  expect_error<std::invalid_argument>([] { (void)mask_of_bits(31); }, "table.bits is 31, must be from 4 to 30",
                                      "tables beyond their limit are refused");
  const Tagger tagger = learned_tagger();
  const ParserModel parser = learned_parser();

  std::vector<Sentence> raw;
  for (const TaggedWords& words : treebank) raw.push_back(sentence_of(words, false));
  const std::vector<Sentence> tagged = tag_batch(tagger, pointers(raw), 2);
  for (std::size_t i = 0; i < treebank.size(); ++i)
    for (std::size_t m = 0; m < treebank[i].size(); ++m)
      expect(tagged[i].field(static_cast<int>(m) + 1, Column::upos) == treebank[i][m].tag, "tags are those learned");

  const Parses parses = parse_batch(parser, pointers(tagged), {});
  const std::vector<std::size_t> begin = word_offsets(pointers(tagged));
  expect(parses.heads.size() == begin.back() && parses.scores.size() == treebank.size(), "one number a word");
  for (std::size_t i = 0; i < treebank.size(); ++i) {
    expect(parses.exact[i] && !parses.limited[i] && parses.gaps[i] == 0, "arcs alone are searched exactly");
    for (std::size_t m = 0; m < treebank[i].size(); ++m) {
      expect(parses.heads[begin[i] + m] == treebank[i][m].head, "heads are those learned");
      expect(labels[static_cast<std::size_t>(parses.labels[begin[i] + m])] == treebank[i][m].label,
             "labels are those learned");
    }
  }
  const Parses by_two = parse_batch(parser, pointers(tagged), {.threads = 2});
  expect(by_two.heads == parses.heads && by_two.scores == parses.scores, "threads change nothing");

  // The first word of the first sentence may hang from the third alone.
  std::vector<std::uint8_t> allowed(16, 1);
  allowed[0 * 4 + 1] = allowed[2 * 4 + 1] = 0;
  std::vector<Conditions> conditions(treebank.size());
  conditions[0].allowed = allowed;
  const Parses constrained = parse_batch(parser, pointers(tagged), {}, conditions);
  expect(constrained.heads[0] == 3, "arcs that are not allowed are in no tree");
  expect(constrained.scores[0] < parses.scores[0] && constrained.scores[1] == parses.scores[1],
         "conditions are those of their sentence");
  conditions.pop_back();
  expect_error<std::invalid_argument>([&] { parse_batch(parser, pointers(tagged), {}, conditions); }, "one entry a sentence",
                                      "conditions of another batch are refused");

  const Judgements judged = judge_batch(parser, pointers(tagged), {}, {}, 1);
  expect(judged.heads == parses.heads, "the trees judged are the best ones");
  for (const double probability : judged.arcs) expect(probability > 0 && probability <= 1, "probabilities of arcs");
  if (!failures) std::printf("tagged, parsed and judged %zu words\n", parses.heads.size());
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
