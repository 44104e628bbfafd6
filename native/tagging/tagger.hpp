// From words to tags and lemmas: one model chooses the tag of every word (part of speech, language-specific
// tag and features together), a second one chooses, for each word with its tag, how its lemma is made.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "treebank/conll_edit.hpp"
#include "base/huge_pages.hpp"
#include "base/index.hpp"
#include "tagging/lemma_script.hpp"
#include "tagging/lexicon.hpp"
#include "tagging/sequence_model.hpp"
#include "tagging/tag_network.hpp"

namespace headwise::tagging {

struct SequenceModel {
  SequenceShape shape;
  Lexicon lexicon;
  LargeTable<float> weights;
};

// The tags of a treebank; a column that it does not use is left alone in the sentences that are tagged.
struct TagSet {
  Sentence labels;  // one "word" a tag
  bool upos, xpos, feats;
};

class Tagger {
 public:
  Tagger(SequenceModel tags, TagSet tag_set) : tags_(std::move(tags)), tag_set_(std::move(tag_set)) {}

  void add_lemmas(SequenceModel lemmas, const std::vector<std::string>& scripts) {
    scripts_ = std::vector<LemmaScript>(scripts.begin(), scripts.end());
    lemmas_ = std::move(lemmas);
  }

  // From now on tags are chosen with the opinion of a network, which must stay where it is.
  void use_network(TagNetwork network) {
    for (const NetworkScorerShape* member : network.members)
      if (member->network().widths.tag_count != tags_.shape.templates.labels())
        throw std::invalid_argument("the network knows other tags than the tagger");
    network_ = std::move(network);
  }
  // How many sentences are better expected at once.
  int expected_at_once() const { return network_ ? sentences_at_once : 1; }

  // What the tags of a sentence are chosen by, and chosen from. One for each thread.
  struct Choices {
    explicit Choices(const Tagger& tagger) : atoms(tagger.tags_.shape.words) {
      if (tagger.network_) network.emplace(*tagger.network_);
    }
    Atoms atoms;
    Candidates candidates;
    std::optional<TagListener> network;
  };

  // What a thread needs while it works.
  struct Scratch : Choices {
    explicit Scratch(const Tagger& tagger) : Choices(tagger), tags(tagger.tags_.shape) {
      if (tagger.lemmas_) lemmas.emplace(tagger.lemmas_->shape);
    }
    SequenceDecoder tags;
    std::optional<SequenceDecoder> lemmas;
    std::vector<int> labels, word;
    std::vector<std::string> texts;
    std::vector<std::string_view> lemma_column, upos, xpos, feats;
  };

  Sentence tag(const Sentence& sentence, Scratch& mine) const {
    find_choices(sentence, mine);
    mine.tags.decode(mine.atoms, mine.candidates, tags_.weights.data(), mine.labels);
    return with_labels(sentence, mine);
  }

  // The sentence with tags that somebody else has chosen, and with lemmas of them.
  Sentence with_labels(const Sentence& sentence, std::span<const int> labels, Scratch& mine) const {
    read_words(sentence, mine.atoms);
    mine.labels.assign(labels.begin(), labels.end());
    return with_labels(sentence, mine);
  }

  void find_choices(const Sentence& sentence, Choices& choices) const {
    read_words(sentence, choices.atoms);
    choices.candidates.clear();
    std::vector<int> word;
    for (int m = 1; m <= sentence.size(); ++m) {
      tags_.lexicon.candidates(sentence.field(m, Column::form), {}, {}, word);
      choices.candidates.add(word);
    }
    if (choices.network) choices.network->add_to(sentence, choices.candidates);
  }

  const SequenceModel& tags() const { return tags_; }
  const TagSet& tag_set() const { return tag_set_; }

 private:
  void read_words(const Sentence& sentence, Atoms& atoms) const {
    atoms.assign(sentence);
    for (int m = 1; m <= sentence.size(); ++m)
      if (!tags_.lexicon.knows(sentence.field(m, Column::form), {})) atoms.forget(m);
  }
  // With those in `mine.labels`; the atoms are those of the sentence.
  Sentence with_labels(const Sentence& sentence, Scratch& mine) const {
    const auto column = [&](bool used, Column c, std::vector<std::string_view>& texts) {
      texts.clear();
      for (int m = 1; m <= sentence.size(); ++m)
        texts.push_back(used ? tag_set_.labels.field(mine.labels[at(m) - 1] + 1, c)
                             : sentence.field(m, c));
    };
    column(tag_set_.upos, Column::upos, mine.upos);
    column(tag_set_.xpos, Column::xpos, mine.xpos);
    column(tag_set_.feats, Column::feats, mine.feats);
    mine.lemma_column.clear();
    if (lemmas_) find_lemmas(sentence, mine);
    return with_tags(sentence,
                     {.lemmas = mine.lemma_column, .upos = mine.upos, .xpos = mine.xpos, .feats = mine.feats});
  }

  // Fills lemma_column, given the tags in the other columns.
  void find_lemmas(const Sentence& sentence, Scratch& mine) const {
    const int n = sentence.size();
    mine.candidates.clear();
    std::string context;
    for (int m = 1; m <= n; ++m) {
      const auto i = static_cast<std::size_t>(m) - 1;
      mine.atoms.set_tags(m, mine.upos[i], mine.xpos[i], mine.feats[i]);
      const auto form = sentence.field(m, Column::form);
      context.assign(mine.upos[i]).append("\t").append(mine.feats[i]);
      lemmas_->lexicon.candidates(form, context, mine.upos[i], mine.word);
      const auto characters = static_cast<int>(count_characters(form));
      std::erase_if(mine.word, [&](int s) { return !scripts_[at(s)].fits(characters); });
      if (mine.word.empty()) mine.word.push_back(keep_form_);
      mine.candidates.add(mine.word);
    }
    mine.lemmas->decode(mine.atoms, mine.candidates, lemmas_->weights.data(), mine.labels);
    mine.texts.clear();
    for (int m = 1; m <= n; ++m)
      mine.texts.push_back(scripts_[at(mine.labels[at(m) - 1])].apply(
          sentence.field(m, Column::form)));
    mine.lemma_column.assign(mine.texts.begin(), mine.texts.end());
  }

  static constexpr int keep_form_ = 0;  // the first script leaves the form as it is
  SequenceModel tags_;
  TagSet tag_set_;
  std::optional<TagNetwork> network_;
  std::optional<SequenceModel> lemmas_;
  std::vector<LemmaScript> scripts_;
};

}  // namespace headwise::tagging
