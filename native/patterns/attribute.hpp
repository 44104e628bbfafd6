// What a pattern may ask of a word: a column, or one key of FEATS or MISC.
#pragma once
#include "rooms.hpp"
#include <optional>
#include <string>
#include <string_view>

#include "treebank/sentence.hpp"

namespace headwise::patterns {

struct Attribute {
  Column column;
  std::string key;  // of FEATS and MISC: which item; of DEPREL: "1" before the colon, "2" behind it, "" all of it

  // The value at word 1…n, nothing where the word has none. Node 0 has a form alone.
  std::optional<std::string_view> of(const Sentence& sentence, int word) const {
    if (word == 0) return column == Column::form ? std::optional<std::string_view>("__0__") : std::nullopt;
    const auto field = sentence.field(word, column);
    if (column == Column::deprel) return part_of_label(field);
    if (!key.empty()) return item(field);
    // A form or a lemma may be an underscore; elsewhere it says that there is nothing.
    if (field == "_" && column != Column::form && !(column == Column::lemma && is_underscore(sentence, word))) return {};
    return field;
  }

 private:
  static bool is_underscore(const Sentence& sentence, int word) { return sentence.field(word, Column::form) == "_"; }

  std::optional<std::string_view> part_of_label(std::string_view label) const {
    if (label == "_") return {};
    const auto colon = label.find(':');
    if (key.empty()) return label;
    if (key == "1") return label.substr(0, colon);
    if (colon == std::string_view::npos) return {};
    return label.substr(colon + 1);
  }

  std::optional<std::string_view> item(std::string_view field) const {
    for (std::size_t at = 0; at <= field.size();) {
      const auto end = std::min(field.find('|', at), field.size());
      const auto one = field.substr(at, end - at);
      if (one.size() > key.size() && one[key.size()] == '=' && one.substr(0, key.size()) == key) {
        return one.substr(key.size() + 1);
      }
      at = end + 1;
    }
    return {};
  }
};

}  // namespace headwise::patterns
