// headwise._native.constituency: grammars, their charts and forests. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "constituency/lexicalized.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using namespace headwise::constituency;

using Tree = std::tuple<double, std::vector<std::tuple<int, int, int>>, std::vector<int>, std::vector<int>>;

Tree handed_over(const Bracketing& tree) {
  std::vector<std::tuple<int, int, int>> brackets;
  for (const Bracket& b : tree.brackets) brackets.emplace_back(b.label, b.begin, b.end);
  return {tree.score, std::move(brackets), tree.tags, tree.heads};
}

// A grammar, and what its symbols mean.
struct PhraseGrammar {
  Grammar grammar;
  Meaning meaning;

  void check(const TaggedWords& words) const {
    for (const auto& word : words)
      for (const auto& [tag, score] : word)
        if (tag < 0 || tag >= grammar.tags()) throw std::invalid_argument("words: unknown tag");
  }
  // The tags of words as symbols of the grammar.
  TaggedWords symbols(TaggedWords words) const {
    check(words);
    for (auto& word : words)
      for (auto& candidate : word) candidate.first += grammar.phrases();
    return words;
  }
  std::vector<Tree> top_k(const TaggedWords& tagged, int k) const {
    const TaggedWords words = symbols(tagged);
    CkyChart chart(grammar, words);
    std::vector<Tree> trees;
    if (!(chart.best() > kImpossible)) return trees;
    KBest ranked(chart, [&](int node) { return chart.value(node); });
    Bracketing tree;
    for (int rank = 0; rank < k; ++rank) {
      tree.clear(chart.words());
      const bool found = ranked.walk(rank, tree.score, [&](int node, const Edge& edge) {
        const auto step = chart.step(node, edge);
        if (step.chain >= 0)
          for (const int label : meaning.chains[static_cast<std::size_t>(step.chain)])
            tree.brackets.push_back({label, step.begin, step.end});
        if (step.tag >= 0) tree.tags[static_cast<std::size_t>(step.begin)] = meaning.tag_label[static_cast<std::size_t>(step.tag)];
      });
      if (!found) break;
      trees.push_back(handed_over(tree));
    }
    return trees;
  }
  double log_sum(const TaggedWords& tagged) const {
    const TaggedWords words = symbols(tagged);
    return CkyChart(grammar, words).sum();
  }
  // Probabilities of brackets (label, begin, end, p), and of each word's tags.
  std::pair<std::vector<std::tuple<int, int, int, double>>, std::vector<std::vector<double>>> marginals(
      const TaggedWords& tagged) const {
    const TaggedWords words = symbols(tagged);
    CkyChart chart(grammar, words);
    if (!(chart.sum() > kImpossible)) return {};
    std::vector<std::tuple<int, int, int, double>> brackets;
    std::vector<std::vector<double>> tags;
    for (const auto& word : words) tags.emplace_back(word.size(), 0.0);
    chart.probabilities(
        0.0,
        [&](int c, int i, int j, double p) {
          for (const int label : meaning.chains[static_cast<std::size_t>(c)]) brackets.emplace_back(label, i, j, p);
        },
        [](int, int, int, double) {},
        [&](int word, int t, double p) { tags[static_cast<std::size_t>(word)][static_cast<std::size_t>(t)] = p; });
    return {std::move(brackets), std::move(tags)};
  }
};

PhraseGrammar make_grammar(int phrases, int tags, int root, const ArrayIn<std::int32_t>& rules,
                           const ArrayIn<double>& rule_scores, const ArrayIn<std::int32_t>& chains,
                           const ArrayIn<double>& chain_scores, std::vector<int> labels, const std::vector<int>& growth,
                           std::vector<std::vector<int>> chain_labels, std::vector<int> tag_labels) {
  if (rules.size() != 3 * rule_scores.size() || chains.size() != 2 * chain_scores.size())
    throw std::invalid_argument("rules and chains: one score a row");
  if (static_cast<int>(labels.size()) != phrases || growth.size() != labels.size() ||
      static_cast<int>(tag_labels.size()) != tags || chain_labels.size() != chain_scores.size())
    throw std::invalid_argument("labels: one for each symbol");
  std::vector<BinaryRule> binary;
  for (std::size_t r = 0; r < rule_scores.size(); ++r)
    binary.push_back({rules.data()[3 * r], rules.data()[3 * r + 1], rules.data()[3 * r + 2], rule_scores.data()[r]});
  std::vector<Chain> unary;
  for (std::size_t c = 0; c < chain_scores.size(); ++c)
    unary.push_back({chains.data()[2 * c], chains.data()[2 * c + 1], chain_scores.data()[c]});
  Meaning meaning{std::move(labels), {}, std::move(chain_labels), {}, std::move(tag_labels)};
  for (const Chain& chain : unary)
    meaning.chain_bottom.push_back(chain.bottom < phrases ? meaning.label[static_cast<std::size_t>(chain.bottom)]
                                                          : meaning.tag_label[static_cast<std::size_t>(chain.bottom - phrases)]);
  for (const int g : growth) meaning.growth.push_back(static_cast<Growth>(g));
  return {Grammar(phrases, tags, root, std::move(binary), std::move(unary)), std::move(meaning)};
}

// All trees of one sentence under Model 1, and what they refer to.
class LexicalizedTrees {
 public:
  // Tags are those of the grammar; with a threshold it prunes, without one everything is considered.
  LexicalizedTrees(const Model1& model, const PhraseGrammar& grammar, std::vector<int> previous_class,
                   const std::vector<int>& verb_tags, int root, std::vector<int> words, const TaggedWords& tagged,
                   double threshold, int longest_chain, double beam, std::size_t most_edges)
      : previous_class_(std::move(previous_class)) {
    if (static_cast<int>(previous_class_.size()) != model.labels()) throw std::invalid_argument("previous_class: one a label");
    if (words.size() != tagged.size()) throw std::invalid_argument("words: one list of tags each");
    const int n = static_cast<int>(words.size());
    sentence_.words = std::move(words);
    sentence_.root = root;
    TaggedWords candidates = grammar.symbols(tagged);
    const bool prunes = threshold > 0;
    mask_.emplace(n, model.labels(), !prunes);
    std::vector<int> best;
    if (prunes) {
      CkyChart chart(grammar.grammar, candidates);
      if (!(chart.sum() > kImpossible)) return;
      best = prune(chart, grammar.meaning, threshold, *mask_, candidates);
    } else {
      for (const auto& word : candidates)
        best.push_back(std::max_element(word.begin(), word.end(), [](auto& a, auto& b) { return a.second < b.second; })->first);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const int tag = best[i] - grammar.grammar.phrases();
      sentence_.is_verb.push_back(verb_tags[static_cast<std::size_t>(tag)] != 0);
      for (auto& candidate : candidates[i])
        candidate.first = grammar.meaning.tag_label[static_cast<std::size_t>(candidate.first - grammar.grammar.phrases())];
    }
    sentence_.tags = std::move(candidates);
    trees_ = std::make_unique<LexicalizedForest>(model, previous_class_, sentence_, *mask_, longest_chain, beam, most_edges);
  }
  LexicalizedTrees(const LexicalizedTrees&) = delete;
  LexicalizedTrees& operator=(const LexicalizedTrees&) = delete;

  bool has_tree() const { return trees_ && trees_->has_tree(); }
  bool overflow() const { return trees_ && trees_->overflow(); }
  std::size_t edges() const { return trees_ ? trees_->forest().edge_count() : 0; }
  int variables() const { return trees_ ? trees_->variables() : 0; }
  const TaggedWords& tags() const { return sentence_.tags; }

  std::optional<Tree> best(const std::optional<ArrayIn<double>>& prices) {
    const auto given = checked(prices);
    Bracketing tree;
    {
      const nb::gil_scoped_release release;
      trees_->forest().best(given, chart_);
      tree.score = chart_.back();
      if (!(tree.score > kImpossible)) return std::nullopt;
      clear(tree);
      trees_->forest().walk_best(given, chart_, [&](int node, const Edge& edge) { trees_->record(node, edge, tree); });
    }
    return handed_over(tree);
  }
  std::vector<Tree> top_k(int k, const std::optional<ArrayIn<double>>& prices) {
    const auto given = checked(prices);
    const Priced priced{trees_->forest(), given};
    trees_->forest().best(given, chart_);
    KBest ranked(priced, [&](int node) { return chart_[static_cast<std::size_t>(node)]; });
    std::vector<Tree> found;
    Bracketing tree;
    for (int rank = 0; rank < k; ++rank) {
      clear(tree);
      if (!ranked.walk(rank, tree.score, [&](int node, const Edge& edge) { trees_->record(node, edge, tree); })) break;
      found.push_back(handed_over(tree));
    }
    return found;
  }
  // The log-partition, the probability of each variable, and brackets (label, begin, end, p).
  std::tuple<double, Array<double>, std::vector<std::tuple<int, int, int, double>>> marginals(
      const std::optional<ArrayIn<double>>& prices) {
    const auto given = checked(prices);
    std::vector<double> usage, shares(static_cast<std::size_t>(variables()), 0.0);
    const Forest& forest = trees_->forest();
    forest.sums(given, chart_);
    forest.probabilities(given, chart_, usage, [&](const Edge& edge, double p) {
      if (edge.variable >= 0) shares[static_cast<std::size_t>(edge.variable)] += p;
    });
    std::vector<std::tuple<int, int, int, double>> brackets;
    for (int node = 0; node < forest.nodes(); ++node) {
      const Forest::Node& about = forest.node(node);
      if (about.label >= 0 && usage[static_cast<std::size_t>(node)] > 0 && forest.edges_of(node).front().left >= 0)
        brackets.emplace_back(about.label, about.begin, about.end, usage[static_cast<std::size_t>(node)]);
    }
    return {chart_.back(), to_array(std::move(shares)), std::move(brackets)};
  }
  // The arcs (head, modifier) of any tree.
  std::vector<std::pair<int, int>> arcs() const {
    const int n = trees_->words();
    std::vector<char> seen(static_cast<std::size_t>((n + 1) * (n + 1)), 0);
    for (int node = 0; node < trees_->forest().nodes(); ++node)
      for (const Edge& edge : trees_->forest().edges_of(node))
        if (edge.variable >= 0 && edge.variable < (n + 1) * (n + 1)) seen[static_cast<std::size_t>(edge.variable)] = 1;
    std::vector<std::pair<int, int>> found;
    for (int v = 0; v < (n + 1) * (n + 1); ++v)
      if (seen[static_cast<std::size_t>(v)]) found.emplace_back(v / (n + 1), v % (n + 1));
    return found;
  }

 private:
  struct Priced {
    const Forest& forest;
    std::span<const double> prices;
    int goal() const { return forest.goal(); }
    template <class F>
    void edges(int node, F f) const {
      forest.edges(node, [&](Edge edge) {
        edge.score += Forest::price(edge, prices);
        f(edge);
      });
    }
  };
  std::span<const double> checked(const std::optional<ArrayIn<double>>& prices) const {
    if (!has_tree()) throw std::invalid_argument("there is no tree");
    if (!prices) return {};
    if (static_cast<int>(prices->size()) != variables()) throw std::invalid_argument("prices: one for each variable");
    return {prices->data(), prices->size()};
  }
  void clear(Bracketing& tree) const {
    tree.clear(trees_->words());
    tree.heads.assign(static_cast<std::size_t>(trees_->words()), 0);
  }

  std::vector<int> previous_class_;
  LexicalizedSentence sentence_;
  std::optional<SpanMask> mask_;
  std::unique_ptr<LexicalizedForest> trees_;
  std::vector<double> chart_;
};

}  // namespace

void constituency(nb::module_ module) {
  nb::class_<PhraseGrammar>(module, "PhraseGrammar", "A context-free grammar with two symbols on right-hand sides.")
      .def("__init__",
           [](PhraseGrammar* self, int phrases, int tags, int root, const ArrayIn<std::int32_t>& rules,
              const ArrayIn<double>& rule_scores, const ArrayIn<std::int32_t>& chains, const ArrayIn<double>& chain_scores,
              std::vector<int> labels, const std::vector<int>& growth, std::vector<std::vector<int>> chain_labels,
              std::vector<int> tag_labels) {
             new (self) PhraseGrammar(make_grammar(phrases, tags, root, rules, rule_scores, chains, chain_scores,
                                                   std::move(labels), growth, std::move(chain_labels), std::move(tag_labels)));
           },
           nb::kw_only(), "phrases"_a, "tags"_a, "root"_a, "rules"_a, "rule_scores"_a, "chains"_a, "chain_scores"_a,
           "labels"_a, "growth"_a, "chain_labels"_a, "tag_labels"_a)
      .def("top_k", &PhraseGrammar::top_k, "words"_a, "k"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("log_sum", &PhraseGrammar::log_sum, "words"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("marginals", &PhraseGrammar::marginals, "words"_a, nb::call_guard<nb::gil_scoped_release>());

  nb::class_<Model1>(module, "Model1", "The probabilities of Collins' Model 1.")
      .def("__init__",
           [](Model1* self, int labels, int words, const ArrayIn<std::int32_t>& modifiers, const ArrayIn<float>& modifier_times,
              const ArrayIn<std::int32_t>& heads, const ArrayIn<float>& head_times, double factor) {
             new (self) Model1(labels, words, view(modifiers), view(modifier_times), view(heads), view(head_times), factor);
           },
           nb::kw_only(), "labels"_a, "words"_a, "modifiers"_a, "modifier_times"_a, "heads"_a, "head_times"_a, "factor"_a)
      .def("log_head", &Model1::log_head, "phrase"_a, "head_child"_a, "word"_a, "tag"_a)
      .def("log_modifier",
           [](const Model1& self, const std::vector<int>& e) {
             if (e.size() != Model1::kModifierColumns) throw std::invalid_argument("event: ten numbers");
             return self.log_modifier({{e[0], e[1], e[2], e[3], e[4], e[5], e[6]}, e[7], e[8], e[9]});
           },
           "event"_a)
      .def("word_given_tag", &Model1::word_given_tag, "word"_a, "tag"_a);

  nb::class_<LexicalizedTrees>(module, "LexicalizedTrees", "All trees of a sentence under Model 1.")
      .def(nb::init<const Model1&, const PhraseGrammar&, std::vector<int>, const std::vector<int>&, int, std::vector<int>,
                    const TaggedWords&, double, int, double, std::size_t>(),
           nb::keep_alive<1, 2>(), nb::kw_only(), "model"_a, "grammar"_a, "previous_class"_a, "verb_tags"_a, "root"_a, "words"_a,
           "tags"_a, "threshold"_a, "longest_chain"_a, "beam"_a, "most_edges"_a)
      .def_prop_ro("has_tree", &LexicalizedTrees::has_tree)
      .def_prop_ro("overflow", &LexicalizedTrees::overflow)
      .def_prop_ro("edges", &LexicalizedTrees::edges)
      .def_prop_ro("variables", &LexicalizedTrees::variables)
      .def_prop_ro("tags", &LexicalizedTrees::tags)
      .def("arcs", &LexicalizedTrees::arcs)
      .def("best", &LexicalizedTrees::best, "prices"_a = nb::none())
      .def("top_k", &LexicalizedTrees::top_k, "k"_a, "prices"_a = nb::none())
      .def("marginals", &LexicalizedTrees::marginals, "prices"_a = nb::none());
}

}  // namespace headwise::bind
