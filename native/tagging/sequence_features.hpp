// The features of a label in its context, from the same template language as the features of arcs.
//
// A template names the word w (and its neighbours), its label t, the label u before it and the label v
// before that. The label set is given as a sentence whose "words" are the labels: t.form is the whole
// label, t.tag, t.pos, t.feats and t.feat are its parts. So a line may tie a suffix to a whole tag, to its
// part of speech, or to each of its morphological features, and the labels share what they have in common.
//
// What labels share is also computed once: lines that look at the same parts of labels form a group, and
// all labels that look the same to a group (all nouns, all accusatives) are one view of it.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/templates.hpp"
#include "treebank/sentence.hpp"

namespace headwise::tagging {

class SequenceTemplates {
 public:
  enum Member { word, label, previous, before };
  static constexpr std::array<std::string_view, 4> members = {"w", "t", "u", "v"};

  // A label by its number; `start` stands before the first word.
  static constexpr int start = -1;

  // What one member contributes to the keys of a group: the views, and which of them each label has.
  class Views {
   public:
    int count() const { return count_; }
    int of(int label_number) const { return of_labels_[begin(label_number)]; }
    // One view, or several for t.feat.
    std::span<const int> all_of(int label_number) const {
      const std::size_t from = begin(label_number);
      return std::span(of_labels_).subspan(from, begin(label_number + 1) - from);
    }
    // Of all lines.
    const std::uint32_t* keys(int view) const { return keys_.data() + static_cast<std::size_t>(view) * lines_; }

    // The views of the next label: the start, then all labels.
    void add(std::span<const std::vector<std::uint32_t>> of_label) {
      for (const auto& keys : of_label) {
        const auto [found, is_new] = numbers_.emplace(keys, count_);
        if (is_new) {
          keys_.insert(keys_.end(), keys.begin(), keys.end());
          lines_ = keys.size();
          ++count_;
        }
        of_labels_.push_back(found->second);
      }
      begins_.push_back(of_labels_.size());
    }
    // Sixteen views share a cache line: the candidates of a word are then scored from few of them. Views are
    // numbered as labels are, the most frequent first.
    void gather_in_blocks() {
      constexpr std::uint32_t block = views_in_block;
      for (std::size_t view = 0; view < static_cast<std::size_t>(count_); ++view) {
        const auto slot = static_cast<std::uint32_t>(view % block);
        for (std::size_t line = 0; line < lines_; ++line)
          keys_[view * lines_ + line] = (keys_[(view - slot) * lines_ + line] & ~(block - 1)) | slot;
      }
    }

   private:
    std::size_t begin(int label_number) const { return begins_[at(label_number + 1)]; }

    int count_ = 0;
    std::size_t lines_ = 0;
    std::vector<std::uint32_t> keys_;                    // [view][line]
    std::vector<int> of_labels_;                         // of the start and of each label, one after the other
    std::vector<std::size_t> begins_{0};                 // where those of each begin
    std::map<std::vector<std::uint32_t>, int> numbers_;  // of views
  };
  static constexpr int views_in_block = 16;

  struct Group {
    std::vector<Template> lines;
    Views t, u, v;
  };
  std::vector<Group> emissions, bigrams, trigrams;

  SequenceTemplates(const Sentence& labels, std::span<const std::string> lines) : count_(labels.size()) {
    Atoms atoms;
    atoms.assign(labels);
    std::map<std::string, std::size_t> emission_groups, bigram_groups, trigram_groups;
    for (const std::string& line : lines) {
      Template t = checked(parse_template(line, members));
      const bool long_history = t.find(before), history = t.find(previous);
      auto& groups = long_history ? trigrams : history ? bigrams : emissions;
      auto& numbers = long_history ? trigram_groups : history ? bigram_groups : emission_groups;
      const auto [found, is_new] = numbers.emplace(label_terms(t), groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].lines.push_back(std::move(t));
    }
    for (auto* groups : {&emissions, &bigrams, &trigrams})
      for (Group& group : *groups) {
        group.t = views(group, label, atoms);
        group.t.gather_in_blocks();
        group.u = views(group, previous, atoms);
        group.v = views(group, before, atoms);
      }
  }

  int labels() const { return count_; }
  bool has_history() const { return !bigrams.empty() || !trigrams.empty(); }

 private:
  static Template checked(Template t) {
    const auto fail = [&](const char* why) {
      return std::invalid_argument("feature template '" + t.text + "': " + why);
    };
    if (!t.find(label)) throw fail("it must speak of the label t");
    for (const MemberTerms& terms : t.members) {
      if (terms.many.empty()) continue;
      if (terms.member != label || t.find(previous) || t.find(before))
        throw fail("only t.feat, and without u and v, may have many values");
    }
    for (const MemberTerms& terms : t.members)
      for (const Term& term : terms.single)
        if (terms.member != word && term.offset != 0) throw fail("u and v are the labels before t; none has an offset");
    return t;
  }

  // The parts of labels that a template looks at, as text.
  static std::string label_terms(const Template& t) {
    std::string text;
    for (int member = label; member <= before; ++member) {
      text += '|';
      if (const MemberTerms* terms = t.find(member))
        for (const auto* list : {&terms->single, &terms->many})
          for (const Term& term : *list) text.append(attribute_names[at(term.attribute)]) += ' ';
    }
    return text;
  }

  static Views views(const Group& group, int member, const Atoms& labels) {
    Views result;
    for (int position = 0; position <= labels.words(); ++position) {
      std::vector<std::vector<std::uint32_t>> values;  // [value][line]
      for (const Template& t : group.lines) {
        std::size_t value = 0;
        const auto put = [&](std::uint32_t key) {
          if (value == values.size()) values.emplace_back();
          values[value++].push_back(key);
        };
        if (const MemberTerms* terms = t.find(member)) terms->for_each_key(labels, position, put);
        else put(0);
      }
      result.add(values);
    }
    return result;
  }

  int count_;
};

// The word keys of one sentence, reused from sentence to sentence.
class SequenceFeatures {
 public:
  using Group = SequenceTemplates::Group;
  using Groups = std::vector<Group>;

  explicit SequenceFeatures(const SequenceTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) {
    emissions_.assign(atoms, templates_->emissions);
    bigrams_.assign(atoms, templates_->bigrams);
    trigrams_.assign(atoms, templates_->trigrams);
  }

  // Calls f(index) for the features of one view of a group at a word (numbered from 0): of labels t, of pairs
  // u t, of triples v u t.
  template <class F>
  void emission_view(std::size_t group, int word, int t, std::uint32_t mask, F f) const {
    const auto& g = templates_->emissions[group];
    const std::uint32_t *keys = emissions_.row(group, word), *of_t = g.t.keys(t);
    for (std::size_t k = 0; k < g.lines.size(); ++k) f((keys[k] ^ of_t[k]) & mask);
  }
  template <class F>
  void bigram_view(std::size_t group, int word, int u, int t, std::uint32_t mask, F f) const {
    const auto& g = templates_->bigrams[group];
    const std::uint32_t *keys = bigrams_.row(group, word), *of_u = g.u.keys(u), *of_t = g.t.keys(t);
    for (std::size_t k = 0; k < g.lines.size(); ++k) f((keys[k] ^ of_u[k] ^ of_t[k]) & mask);
  }
  template <class F>
  void trigram_view(std::size_t group, int word, int v, int u, int t, std::uint32_t mask, F f) const {
    const auto& g = templates_->trigrams[group];
    const std::uint32_t *keys = trigrams_.row(group, word), *of_v = g.v.keys(v), *of_u = g.u.keys(u),
                        *of_t = g.t.keys(t);
    for (std::size_t k = 0; k < g.lines.size(); ++k) f((keys[k] ^ of_v[k] ^ of_u[k] ^ of_t[k]) & mask);
  }

  // The same for labels, over all groups: the definition that scoring must agree with.
  template <class F>
  void emission(int word, int t, std::uint32_t mask, F f) const {
    for (std::size_t g = 0; g < templates_->emissions.size(); ++g)
      for (const int view : templates_->emissions[g].t.all_of(t)) emission_view(g, word, view, mask, f);
  }
  template <class F>
  void bigram(int word, int u, int t, std::uint32_t mask, F f) const {
    for (std::size_t g = 0; g < templates_->bigrams.size(); ++g) {
      const Group& group = templates_->bigrams[g];
      bigram_view(g, word, group.u.of(u), group.t.of(t), mask, f);
    }
  }
  template <class F>
  void trigram(int word, int v, int u, int t, std::uint32_t mask, F f) const {
    for (std::size_t g = 0; g < templates_->trigrams.size(); ++g) {
      const Group& group = templates_->trigrams[g];
      trigram_view(g, word, group.v.of(v), group.u.of(u), group.t.of(t), mask, f);
    }
  }

  const SequenceTemplates& templates() const { return *templates_; }

 private:
  // Word keys of the lines of some groups, a word after the other.
  class WordKeys {
   public:
    void assign(const Atoms& atoms, const Groups& groups) {
      begins_.clear();
      width_ = 0;
      for (const Group& group : groups) {
        begins_.push_back(width_);
        width_ += group.lines.size();
      }
      keys_.clear();
      for (int position = 1; position <= atoms.words(); ++position)
        for (const Group& group : groups)
          for (const Template& t : group.lines) keys_.push_back(t.key(atoms, SequenceTemplates::word, position));
    }
    const std::uint32_t* row(std::size_t group, int word) const {
      return keys_.data() + static_cast<std::size_t>(word) * width_ + begins_[group];
    }

   private:
    std::vector<std::size_t> begins_;
    std::size_t width_ = 0;
    std::vector<std::uint32_t> keys_;
  };

  const SequenceTemplates* templates_;
  WordKeys emissions_, bigrams_, trigrams_;
};

}  // namespace headwise::tagging
