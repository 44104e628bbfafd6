// The features of a label in its context, from the same template language as the features of arcs.
//
// A template names the word w (and its neighbours), its label t, the label u before it and the label v
// before that. The label set is given as a sentence whose "words" are the labels: t.form is the whole
// label, t.tag, t.pos, t.feats and t.feat are its parts. So a line may tie a suffix to a whole tag, to its
// part of speech, or to each of its morphological features, and the labels share what they have in common.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/templates.hpp"
#include "sentence.hpp"

namespace headwise {

class SequenceTemplates {
 public:
  enum Role { word, label, previous, before };
  static constexpr std::array<std::string_view, 4> roles = {"w", "t", "u", "v"};

  // A label by its number; `start` stands before the first word.
  static constexpr int start = -1;

  SequenceTemplates(const Sentence& labels, std::span<const std::string> lines) : count_(labels.size()) {
    Atoms atoms;
    atoms.assign(labels);
    for (const std::string& line : lines) {
      Template t = parse_template(line, roles);
      const auto fail = [&](const char* why) { return std::invalid_argument("feature template '" + t.text + "': " + why); };
      if (!t.find(label)) throw fail("it must speak of the label t");
      for (const RoleTerms& terms : t.roles) {
        if (terms.many.empty()) continue;
        if (terms.role != label || t.find(previous) || t.find(before))
          throw fail("only t.feat, and without u and v, may have many values");
      }
      Group& group = t.find(before) ? trigrams : t.find(previous) ? bigrams : emissions;
      group.add(atoms, std::move(t));
    }
    index_emissions(atoms);
  }

  int labels() const { return count_; }
  bool has_history() const { return !bigrams.lines.empty() || !trigrams.lines.empty(); }

  // Templates that look equally far back, and the keys that labels contribute to them.
  struct Group {
    std::vector<Template> lines;
    std::vector<std::array<std::vector<std::uint32_t>, 3>> keys;  // [line][t, u, v][label + 1]

    void add(const Atoms& labels, Template t) {
      std::array<std::vector<std::uint32_t>, 3> line;
      for (int role = label; role <= before; ++role)
        for (int position = 0; position <= labels.words(); ++position)
          line[static_cast<std::size_t>(role - label)].push_back(
              t.has_many_values() && role == label ? 0 : t.key(labels, role, position));
      lines.push_back(std::move(t));
      keys.push_back(std::move(line));
    }
    std::uint32_t key(std::size_t line, int role, int label_number) const {
      return keys[line][static_cast<std::size_t>(role - label)][static_cast<std::size_t>(label_number + 1)];
    }
  };
  Group emissions, bigrams, trigrams;

  // What a label adds to the word keys of the emission templates: one entry a feature.
  struct LabelKey {
    std::uint32_t line, key;
  };
  std::span<const LabelKey> emission_keys(int label_number) const {
    const auto l = static_cast<std::size_t>(label_number);
    return {emission_keys_.data() + emission_begin_[l], emission_begin_[l + 1] - emission_begin_[l]};
  }

 private:
  void index_emissions(const Atoms& labels) {
    emission_begin_.assign(1, 0);
    for (int l = 0; l < count_; ++l) {
      for (std::size_t k = 0; k < emissions.lines.size(); ++k)
        emissions.lines[k].find(label)->for_each_key(labels, l + 1, [&](std::uint32_t key) {
          emission_keys_.push_back({static_cast<std::uint32_t>(k), key});
        });
      emission_begin_.push_back(emission_keys_.size());
    }
  }

  int count_;
  std::vector<LabelKey> emission_keys_;
  std::vector<std::size_t> emission_begin_;
};

// The word keys of one sentence, reused from sentence to sentence.
class SequenceFeatures {
 public:
  explicit SequenceFeatures(const SequenceTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) {
    fill(atoms, templates_->emissions, emission_words_);
    fill(atoms, templates_->bigrams, bigram_words_);
    fill(atoms, templates_->trigrams, trigram_words_);
  }

  // Calls f(index) for every feature of label t at a word (numbered from 0), of the pair u t, of v u t.
  template <class F>
  void emission(int word, int t, std::uint32_t mask, F f) const {
    const std::uint32_t* keys = row(emission_words_, templates_->emissions, word);
    for (const auto& entry : templates_->emission_keys(t)) f((keys[entry.line] ^ entry.key) & mask);
  }
  template <class F>
  void bigram(int word, int u, int t, std::uint32_t mask, F f) const {
    using Role = SequenceTemplates::Role;
    const auto& group = templates_->bigrams;
    const std::uint32_t* keys = row(bigram_words_, group, word);
    for (std::size_t k = 0; k < group.lines.size(); ++k)
      f((keys[k] ^ group.key(k, Role::previous, u) ^ group.key(k, Role::label, t)) & mask);
  }
  template <class F>
  void trigram(int word, int v, int u, int t, std::uint32_t mask, F f) const {
    using Role = SequenceTemplates::Role;
    const auto& group = templates_->trigrams;
    const std::uint32_t* keys = row(trigram_words_, group, word);
    for (std::size_t k = 0; k < group.lines.size(); ++k)
      f((keys[k] ^ group.key(k, Role::before, v) ^ group.key(k, Role::previous, u) ^
         group.key(k, Role::label, t)) & mask);
  }

 private:
  static void fill(const Atoms& atoms, const SequenceTemplates::Group& group, std::vector<std::uint32_t>& keys) {
    keys.clear();
    for (int position = 1; position <= atoms.words(); ++position)
      for (const Template& t : group.lines) keys.push_back(t.key(atoms, SequenceTemplates::word, position));
  }
  static const std::uint32_t* row(const std::vector<std::uint32_t>& keys, const SequenceTemplates::Group& group,
                                  int word) {
    return keys.data() + static_cast<std::size_t>(word) * group.lines.size();
  }

  const SequenceTemplates* templates_;
  std::vector<std::uint32_t> emission_words_, bigram_words_, trigram_words_;
};

}  // namespace headwise
