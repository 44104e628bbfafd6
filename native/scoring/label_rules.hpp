// Rules that the labels of a tree have to obey together, such as those of Universal Dependencies: at most one subject, a
// determiner is tagged as one, a conjunction has no children. Which rules there are is said in tables; what is here finds
// out where they are broken, and chooses the best labels that break none.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "scoring/features/atoms.hpp"
#include "scoring/label_candidates.hpp"

namespace headwise::scoring {

// What a label counts as among the children of a head.
enum class LabelKind : std::uint8_t { plain, subject, object, oblique, clause, goeswith };
inline constexpr int label_kind_count = 6;

// A rule is a number from 1 on; 0 stands for no rule.
struct LabelRuleTables {
  std::vector<std::string> tags;
  std::vector<int> by_tag;        // [label][tag]: the rule that such a word breaks; the tag after the last is any other
  std::vector<int> by_parent;     // [label of the head][label]: the rule that such a child breaks …
  std::vector<int> excuses;       // … unless: 1, it negates; 2, its head is possessive
  std::vector<int> head_on_left;  // [label]: the rule that a head on the right breaks
  std::vector<int> kinds;         // [label], see LabelKind
  std::vector<int> nominal;       // [label]: a nominal with this label takes no oblique without a sign of a clause
  int one_subject = 0, one_object = 0, no_oblique = 0, goeswith = 0;
  int leaf_tag = -1;  // words with this tag are heads of their like alone
  int rule_count = 0;
};

// What rules ask of the words of a sentence.
struct RuledWords {
  std::vector<int> tags;  // by position, from 1 on
  std::vector<std::uint8_t> negates, possessive, nominal, typo, bare, glued;
};

class LabelRules {
 public:
  LabelRules(LabelRuleTables tables, int label_count);

  void read(const Atoms& atoms, RuledWords& words) const;

  // How often each rule is broken, added to counts[rule]. Labels that are −1 break none.
  void count_broken(const RuledWords& words, std::span<const int> heads, std::span<const int> labels,
                    std::span<int> counts) const;
  bool is_broken(const RuledWords& words, std::span<const int> heads, std::span<const int> labels) const;

  // The best labels, among the options of each word, of those that break the fewest rules: exact, from the leaves up.
  void choose(const RuledWords& words, std::span<const int> heads, std::span<const std::vector<LabelChoice>> options,
              std::span<int> labels) const;

  // Whether an arc, whatever its label, breaks a rule, unless its head is under the root.
  bool forbids(const RuledWords& words, int h, int m) const {
    return tables_.leaf_tag >= 0 && h > 0 && words.tags[index(h)] == tables_.leaf_tag &&
           words.tags[index(m)] != tables_.leaf_tag;
  }
  bool forbids_any(const RuledWords& words, std::span<const int> heads) const;
  int rule_count() const { return tables_.rule_count; }
  int label_count() const { return labels_; }

 private:
  class Chooser;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  LabelKind kind(int label) const { return static_cast<LabelKind>(tables_.kinds[index(label)]); }
  int by_tag(int label, int tag) const {
    return tables_.by_tag[index(label) * (tables_.tags.size() + 1) + index(tag)];
  }
  // The rule that a word breaks by its label and its place; −1 for the head's label where that is not known.
  int broken_by_word(const RuledWords& words, int h, int m, int label) const;
  int broken_by_child(const RuledWords& words, int h, int head_label, int m, int label) const;
  bool takes_no_oblique(const RuledWords& words, int h, int head_label) const {
    return tables_.no_oblique && head_label >= 0 && tables_.nominal[index(head_label)] && words.nominal[index(h)];
  }

  LabelRuleTables tables_;
  int labels_;
  std::unordered_map<std::uint64_t, int> tag_number_, outward_tag_;  // by the hash of UPOS, and of ExtPos=UPOS
  std::vector<int> family_;                                          // labels that are alike as labels of heads
  int family_count_ = 0;
};

}  // namespace headwise::scoring
