// The forest of all trees of a sentence under Model 1, within what a mask allows.
//
// The head of a phrase gathers modifiers on its right, then on its left. Over a span there are
//
//   complete(P, h, t)                a phrase with head word h and tag t; up to `longest_chain` with one child each
//   right(P, H, h, t, previous, verb) a phrase that has got its head child and some modifiers on the right
//   left(P, H, h, t, previous, verb)  one that has got all on the right and some on the left
//
// An edge that adds a modifier has the arc (h, m) as its variable, the one that ends the tree (0, h), that of a word
// its tag. O(n⁵) edges without a mask; with one, about as many as survive.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/index.hpp"
#include "constituency/forest.hpp"
#include "constituency/model1.hpp"
#include "constituency/span_mask.hpp"

namespace headwise::constituency {

struct LexicalizedSentence {
  std::vector<int> words;     // as numbered for the model
  std::vector<char> is_verb;  // likely a verb, whatever its tag
  TaggedWords tags;           // the label of each tag, and the log-probability of the word itself under it
  int root;                   // the label of whole trees
};

class LexicalizedForest {
 public:
  // previous_class[label]: what is remembered of a modifier with this label; > 0.
  LexicalizedForest(const Model1& model, const std::vector<int>& previous_class, const LexicalizedSentence& sentence,
                    const SpanMask& mask, int longest_chain, double beam, std::size_t most_edges)
      : model_(model),
        previous_class_(previous_class),
        sentence_(sentence),
        mask_(mask),
        n_(static_cast<int>(sentence.words.size())),
        longest_chain_(longest_chain),
        beam_(beam),
        most_edges_(most_edges) {
    if (model.labels() > 4095 || n_ > 510) throw std::invalid_argument("too many labels or words");
    verbs_before_.assign(1, 0);
    for (const char verb : sentence.is_verb) verbs_before_.push_back(verbs_before_.back() + (verb ? 1 : 0));
    int variable = (n_ + 1) * (n_ + 1);
    for (const auto& word : sentence.tags) {
      first_tag_variable_.push_back(variable);
      variable += static_cast<int>(word.size());
    }
    variables_ = variable;
    most_.assign(at(model.labels()), trees::kImpossible);
    find_reaches();
    right_.resize(spans());
    left_.resize(spans());
    complete_.resize(spans());
    for (int width = 1; width <= n_ && !overflow_; ++width)
      for (int i = 0; i + width <= n_ && !overflow_; ++i) build(i, i + width);
    if (!overflow_) build_goal();
  }

  // Whether there were more edges than allowed; then there is no forest.
  bool overflow() const { return overflow_; }
  const Forest& forest() const { return forest_; }
  bool has_tree() const { return !overflow_ && forest_.nodes() > 0 && !forest_.edges_of(forest_.goal()).empty(); }
  int words() const { return n_; }
  int variables() const { return variables_; }
  int arc_variable(int head, int modifier) const { return head * (n_ + 1) + modifier; }
  int tag_variable(int word, int place) const { return first_tag_variable_[at(word)] + place; }

  // Adds what a step of a derivation says to a tree.
  void record(int node, const Edge& edge, Bracketing& tree) const {
    const Forest::Node& about = forest_.node(node);
    if (edge.variable >= 0 && edge.variable < (n_ + 1) * (n_ + 1))
      tree.heads[at(edge.variable % (n_ + 1)) - 1] = edge.variable / (n_ + 1);
    if (about.label < 0) return;
    if (edge.left < 0)
      tree.tags[at(about.begin)] = about.label;
    else
      tree.brackets.push_back({about.label, about.begin, about.end});
  }

 private:
  struct Complete {
    int label, head, tag, node;
    int kind = -1, number = -1;  // of its label and tag; of these and its head
  };
  struct Partial {
    int phrase, head_child, head, tag, previous, verb, node;
    bool is_bare = false;                   // no modifiers yet on either side
    int label_scores = -1, word_scores = -1;  // rows of scores of its next modifiers
  };

  static int label_of(const Complete& c) { return c.label; }
  static int label_of(const Partial& p) { return p.phrase; }

  // Nodes of one kind over one span, while their edges come in.
  template <class Item>
  class Gathering {
   public:
    void add(std::uint64_t key, const Item& item, const Edge& edge) {
      if (keys_.empty() || key != last_key_) {  // edges of one node often follow each other
        int& place = places_[key];
        if (place == 0) {
          items_.push_back(item);
          keys_.push_back(key);
          place = static_cast<int>(items_.size());
        }
        last_key_ = key, last_place_ = place - 1;
      }
      edges_.emplace_back(last_place_, edge);
    }
    // Puts all into the forest, as the nodes `node_of(item)` says, and into the list; but for those whose best
    // derivation and head together fall behind the best of the same label by more than the beam.
    template <class NodeOf>
    void flush(LexicalizedForest& self, std::vector<Item>& list, NodeOf node_of) {
      Forest& forest = self.forest_;
      counts_.assign(items_.size() + 1, 0);
      values_.assign(items_.size(), trees::kImpossible);
      for (const auto& [place, edge] : edges_) {
        double value = edge.score;
        if (edge.left >= 0) value += self.values_[at(edge.left)];
        if (edge.right >= 0) value += self.values_[at(edge.right)];
        values_[at(place)] = std::max(values_[at(place)], value);
      }
      merits_.clear();
      for (const Item& item : items_) self.most_[at(label_of(item))] = trees::kImpossible;
      for (std::size_t k = 0; k < items_.size(); ++k) {
        merits_.push_back(values_[k] + self.head_prior(items_[k].head, items_[k].tag));
        double& most = self.most_[at(label_of(items_[k]))];
        most = std::max(most, merits_[k]);
      }
      for (const auto& [place, edge] : edges_) ++counts_[at(place) + 1];
      for (std::size_t k = 0; k < items_.size(); ++k) counts_[k + 1] += counts_[k];
      sorted_.resize(edges_.size());
      std::vector<std::size_t> next(counts_.begin(), counts_.end());
      for (const auto& [place, edge] : edges_) sorted_[next[at(place)]++] = edge;
      for (std::size_t k = 0; k < items_.size(); ++k) {
        if (!(merits_[k] >= self.most_[at(label_of(items_[k]))] - self.beam_)) continue;
        self.values_.push_back(values_[k]);
        forest.add(node_of(items_[k]), std::span<const Edge>(sorted_).subspan(counts_[k], counts_[k + 1] - counts_[k]));
        items_[k].node = forest.nodes() - 1;
        list.push_back(items_[k]);
      }
      places_.clear(keys_);
      keys_.clear();
      items_.clear();
      edges_.clear();
    }

   private:
    base::FlatMap<int> places_;  // from 1
    std::vector<std::uint64_t> keys_;  // of the items
    std::uint64_t last_key_ = 0;
    int last_place_ = 0;
    std::vector<Item> items_;
    std::vector<std::pair<int, Edge>> edges_;
    std::vector<Edge> sorted_;
    std::vector<std::size_t> counts_;
    std::vector<double> values_, merits_;
  };

  std::size_t spans() const { return at(n_ + 1) * at(n_ + 1); }
  std::size_t span(int i, int j) const { return at(i) * at(n_ + 1) + at(j); }
  bool verb_between(int i, int j) const { return verbs_before_[at(j)] > verbs_before_[at(i)]; }
  static Forest::Node part(const Partial&) { return {}; }

  static std::uint64_t key(const Complete& c) {
    return (static_cast<std::uint64_t>(c.label) * 512 + at(c.head)) * 4096 + at(c.tag);
  }
  static std::uint64_t key(const Partial& p) {
    std::uint64_t packed = at(p.phrase);
    for (const int field : {p.head_child, p.tag, p.previous}) packed = packed * 4096 + at(field);
    return (packed * 512 + at(p.head)) * 4 + at(p.verb) * 2 + (p.is_bare ? 1 : 0);
  }

  // How probable a head word is, which no derivation of its phrase has said yet.
  double head_prior(int word, int tag) {
    double& prior = scores_[key_of(3, word, tag)];
    if (prior == 0) prior = std::log(model_.word_given_tag(sentence_.words[at(word)], tag));
    return prior;
  }

  // Log-probabilities of this sentence's events, each computed once. Those of modifiers are rows: what may come next to
  // one partial phrase lies side by side, P1 by kinds of modifiers and P2 by modifiers, so that the loops over edges,
  // which are all the time there is, stay within the cache.
  using Rows = std::vector<std::vector<double>>;

  void find_rows(int side, Partial& p) {
    if (p.label_scores >= 0) return;
    p.label_scores = number_of(label_rows_, event_key(side, p, kStop, 1, 0), label_scores_);
    Partial whatever_came_before = p;
    whatever_came_before.previous = 0;
    p.word_scores = number_of(word_rows_, event_key(side, whatever_came_before, kStop, 2, 0), word_scores_);
  }
  static int number_of(base::FlatMap<int>& numbers, std::uint64_t key, Rows& rows) {
    int& number = numbers[key];  // from 1
    if (number == 0) {
      rows.emplace_back();
      number = static_cast<int>(rows.size());
    }
    return number - 1;
  }
  static double& in_row(std::vector<double>& row, int place) {
    if (at(place) >= row.size()) row.resize(2 * at(place) + 1, 0.0);
    return row[at(place)];
  }
  double modifier_score(int side, const Partial& p, const Complete& m) {
    if (!model_.is_licensed(side, p.phrase, m.label) && p.phrase != sentence_.root) return trees::kImpossible;
    double& label = in_row(label_scores_[at(p.label_scores)], m.kind);
    double& word = in_row(word_scores_[at(p.word_scores)], m.number);
    if (label == 0 || word == 0) {
      const ModifierEvent event{surroundings(side, p), m.label, m.tag, sentence_.words[at(m.head)]};
      if (label == 0) label = model_.log_label(event);
      if (word == 0) word = model_.log_word(event);
    }
    return label + word;
  }
  void number(Complete& c) {
    int& kind = kinds_[key_of(1, c.label, c.tag)];
    if (kind == 0) kind = ++kind_count_;
    int& number = modifiers_[key(c)];
    if (number == 0) number = ++modifier_count_;
    c.kind = kind - 1, c.number = number - 1;
  }
  double stop_score(int side, const Partial& p) {
    double& score = scores_[event_key(side, p, kStop, 0, 0)];
    if (score == 0) score = model_.log_modifier({surroundings(side, p), kStop, kStop, 0});
    return score;
  }
  double head_score(int phrase, const Complete& h) {
    double& score = scores_[key_of(2, phrase, h.label, h.head, h.tag)];
    if (score == 0) score = model_.log_head(phrase, h.label, sentence_.words[at(h.head)], h.tag);
    return score;
  }
  static std::uint64_t event_key(int side, const Partial& p, int label, int head, int tag) {
    const std::uint64_t from = key(p) & ~std::uint64_t{1};
    const std::uint64_t what = ((static_cast<std::uint64_t>(label) * 512 + at(head)) * 4096 + at(tag)) * 2 + at(side);
    return base::combine(base::mix(from), base::mix(what)) >> 1;
  }
  Surroundings surroundings(int side, const Partial& p) const {
    return {side, p.phrase, p.head_child, p.verb, p.previous, sentence_.words[at(p.head)], p.tag};
  }

  void build(int i, int j) {
    attach_right(i, j);
    end_right(i, j);
    attach_left(i, j);
    complete(i, j);
    begin_phrases(i, j);
    overflow_ = forest_.edge_count() > most_edges_;
  }

  void attach_right(int i, int j) {
    for (int k = i + 1; k < j; ++k) {
      const auto& modifiers = complete_[span(k, j)];
      if (modifiers.empty()) continue;
      const int verb = verb_between(k, j);
      for (Partial& p : right_[span(i, k)]) {
        if (!mask_.is_allowed_grown(Growth::right, i, j, p.phrase)) continue;
        find_rows(kRight, p);
        for (const Complete& m : modifiers) {
          const double score = modifier_score(kRight, p, m);
          if (!(score > trees::kImpossible)) continue;
          Partial grown{p.phrase, p.head_child, p.head, p.tag, previous_class_[at(m.label)], p.verb | verb, -1};
          partials_.add(key(grown), grown, {score, p.node, m.node, arc_variable(p.head + 1, m.head + 1), -1});
        }
      }
    }
    partials_.flush(*this, right_[span(i, j)], part);
  }

  // Those with modifiers on their right are done there.
  void end_right(int i, int j) {
    for (const Partial& p : right_[span(i, j)]) {
      const Partial next{p.phrase, p.head_child, p.head, p.tag, 0, 0, -1};
      partials_.add(key(next), next, {stop_score(kRight, p), p.node, -1, -1, -1});
    }
    partials_.flush(*this, left_[span(i, j)], part);
  }

  void attach_left(int i, int j) {
    for (int k = i + 1; k < j; ++k) {
      const auto& modifiers = complete_[span(i, k)];
      if (modifiers.empty()) continue;
      const int verb = verb_between(i, k);
      for (Partial& p : left_[span(k, j)]) {
        if (!mask_.is_allowed_grown(Growth::left, i, j, p.phrase)) continue;
        find_rows(kLeft, p);
        for (const Complete& m : modifiers) {
          const double score = modifier_score(kLeft, p, m);
          if (!(score > trees::kImpossible)) continue;
          Partial grown{p.phrase, p.head_child, p.head, p.tag, previous_class_[at(m.label)], p.verb | verb, -1};
          partials_.add(key(grown), grown, {score, m.node, p.node, arc_variable(p.head + 1, m.head + 1), -1});
        }
      }
    }
    partials_.flush(*this, left_[span(i, j)], part);
  }

  // Phrases of several children (or tags), then chains of phrases with one.
  void complete(int i, int j) {
    const auto node_of = [i, j](const Complete& c) { return Forest::Node{c.label, i, j}; };
    std::vector<Complete> level, all;
    if (j == i + 1) {
      const auto& tags = sentence_.tags[at(i)];
      for (int t = 0; t < static_cast<int>(tags.size()); ++t) {
        const auto [label, score] = tags[at(t)];
        const Complete word{label, i, label, -1};
        const double own = score - std::log(model_.word_given_tag(sentence_.words[at(i)], label));
        completes_.add(key(word), word, {own, -1, -1, tag_variable(i, t), -1});
      }
    }
    for (const Partial& p : left_[span(i, j)]) {
      if (!mask_.is_allowed(Growth::complete, i, j, p.phrase)) continue;
      const Complete whole{p.phrase, p.head, p.tag, -1};
      completes_.add(key(whole), whole, {stop_score(kLeft, p), p.node, -1, -1, -1});
    }
    completes_.flush(*this, level, node_of);
    for (int length = 0; !level.empty(); ++length) {
      all.insert(all.end(), level.begin(), level.end());
      if (length == longest_chain_) break;
      for (const Complete& child : level)
        for (const int phrase : model_.parents_of(child.label)) {
          if (!mask_.is_unary_allowed(i, j, phrase, child.label)) continue;
          const Partial bare{phrase, child.label, child.head, child.tag, 0, 0, -1};
          const double score = head_score(phrase, child) + stop_score(kRight, bare) + stop_score(kLeft, bare);
          const Complete whole{phrase, child.head, child.tag, -1};
          if (score > trees::kImpossible) completes_.add(key(whole), whole, {score, child.node, -1, -1, -1});
        }
      level.clear();
      completes_.flush(*this, level, node_of);
    }
    // The same phrase after chains of several lengths is one to whoever uses it.
    std::vector<std::uint64_t> keys;
    for (const Complete& c : all)
      if (++times_[key(c)] == 1) keys.push_back(key(c));
    for (const Complete& c : all) {
      if (times_[key(c)] == 1)
        complete_[span(i, j)].push_back(c);
      else
        completes_.add(key(c), c, {0.0, c.node, -1, -1, -1});
    }
    times_.clear(keys);
    completes_.flush(*this, complete_[span(i, j)], [](const Complete&) { return Forest::Node{}; });
    for (Complete& c : complete_[span(i, j)]) number(c);
  }

  // What is complete is the head child of phrases that are to get modifiers.
  void begin_phrases(int i, int j) {
    auto& rights = right_[span(i, j)];
    const std::size_t grown = rights.size();
    for (const Complete& c : complete_[span(i, j)])
      for (const int phrase : model_.parents_of(c.label)) {
        if (!can_grow(phrase, i, j)) continue;
        const Partial start{phrase, c.label, c.head, c.tag, 0, 0, -1, true};
        if (const double score = head_score(phrase, c); score > trees::kImpossible)
          partials_.add(key(start), start, {score, c.node, -1, -1, -1});
      }
    partials_.flush(*this, rights, part);
    for (std::size_t k = grown; k < rights.size(); ++k) {
      const Partial& p = rights[k];
      if (can_grow_left(p.phrase, i, j)) partials_.add(key(p), p, {stop_score(kRight, p), p.node, -1, -1, -1});
    }
    partials_.flush(*this, left_[span(i, j)], part);
  }
  bool can_grow(int phrase, int i, int j) const {
    return farthest_[at(phrase) * at(n_ + 1) + at(i)] > j || can_grow_left(phrase, i, j);
  }
  bool can_grow_left(int phrase, int i, int j) const { return foremost_[at(phrase) * at(n_ + 1) + at(j)] < i; }

  void find_reaches() {
    farthest_.assign(at(model_.labels()) * at(n_ + 1), -1);
    foremost_.assign(at(model_.labels()) * at(n_ + 1), n_ + 1);
    for (int i = 0; i < n_; ++i)
      for (int j = i + 1; j <= n_; ++j)
        for (int phrase = 0; phrase < model_.labels(); ++phrase) {
          int& far = farthest_[at(phrase) * at(n_ + 1) + at(i)];
          int& fore = foremost_[at(phrase) * at(n_ + 1) + at(j)];
          if (mask_.is_allowed_grown(Growth::right, i, j, phrase)) far = std::max(far, j);
          if (mask_.is_allowed_grown(Growth::left, i, j, phrase)) fore = std::min(fore, i);
        }
  }

  void build_goal() {
    std::vector<Edge> edges;
    if (n_ > 0)
      for (const Complete& c : complete_[span(0, n_)])
        if (c.label == sentence_.root) {
          const double score =
              model_.log_modifier({{kAbove, kStart, kStart, 0, 0, 0, 0}, c.label, c.tag, sentence_.words[at(c.head)]});
          edges.push_back({score, c.node, -1, arc_variable(0, c.head + 1), -1});
        }
    forest_.add({}, edges);
  }

  const Model1& model_;
  const std::vector<int>& previous_class_;
  const LexicalizedSentence& sentence_;
  const SpanMask& mask_;
  int n_;
  int longest_chain_;
  double beam_;
  std::size_t most_edges_;
  bool overflow_ = false;
  int variables_ = 0;
  std::vector<int> verbs_before_, first_tag_variable_;
  std::vector<std::vector<Partial>> right_, left_;
  std::vector<std::vector<Complete>> complete_;
  Gathering<Partial> partials_;
  Gathering<Complete> completes_;
  base::FlatMap<int> times_;
  base::FlatMap<double> scores_;
  base::FlatMap<int> label_rows_, word_rows_, kinds_, modifiers_;  // numbered from 1
  Rows label_scores_, word_scores_;
  int kind_count_ = 0, modifier_count_ = 0;
  std::vector<double> most_;                 // by label, of the span that is being built
  std::vector<int> farthest_, foremost_;  // by label and word: where a phrase that begins (ends) here may end (begin)
  std::vector<double> values_;  // of the best derivation of each node
  Forest forest_;
};

}  // namespace headwise::constituency
