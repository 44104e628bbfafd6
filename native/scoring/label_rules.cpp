#include "scoring/label_rules.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/index.hpp"

namespace headwise::scoring {
namespace {

constexpr double broken_rule = 1e6;  // costs more than labels can gain
constexpr double worst = -std::numeric_limits<double>::infinity();

// What the children of a head have been so far, from left to right.
enum Seen : unsigned { subject = 1, object = 2, clause = 4, oblique = 8, goeswith = 16 };
constexpr unsigned state_count = 32;

}  // namespace

LabelRules::LabelRules(LabelRuleTables tables, int label_count) : tables_(std::move(tables)), labels_(label_count) {
  const std::size_t labels = at(label_count);
  const auto check = [](const std::vector<int>& table, std::size_t size, int most) {
    if (table.size() != size) throw std::invalid_argument("label rules: a table has the wrong size");
    for (const int value : table)
      if (value < 0 || value > most) throw std::invalid_argument("label rules: a number is out of range");
  };
  const int rules = tables_.rule_count;
  check(tables_.by_tag, labels * (tables_.tags.size() + 1), rules);
  check(tables_.by_parent, labels * labels, rules);
  check(tables_.excuses, labels * labels, 3);
  check(tables_.head_on_left, labels, rules);
  check(tables_.kinds, labels, label_kind_count - 1);
  check(tables_.nominal, labels, 1);
  check({tables_.one_subject, tables_.one_object, tables_.no_oblique, tables_.goeswith}, 4, rules);
  if (tables_.leaf_tag < -1 || tables_.leaf_tag >= static_cast<int>(tables_.tags.size()))
    throw std::invalid_argument("label rules: there is no such leaf tag");
  for (std::size_t t = 0; t < tables_.tags.size(); ++t) {
    tag_number_[hash_bytes(tables_.tags[t])] = static_cast<int>(t);
    outward_tag_[hash_bytes("ExtPos=" + tables_.tags[t])] = static_cast<int>(t);
  }
  const auto same = [&](int a, int b) {
    const auto row = [&](const std::vector<int>& table, int l) { return table.begin() + static_cast<int>(labels) * l; };
    return tables_.nominal[at(a)] == tables_.nominal[at(b)] &&
           std::equal(row(tables_.by_parent, a), row(tables_.by_parent, a + 1), row(tables_.by_parent, b)) &&
           std::equal(row(tables_.excuses, a), row(tables_.excuses, a + 1), row(tables_.excuses, b));
  };
  std::vector<int> firsts;
  for (int l = 0; l < labels_; ++l) {
    const auto found = std::find_if(firsts.begin(), firsts.end(), [&](int first) { return same(first, l); });
    family_.push_back(static_cast<int>(found - firsts.begin()));
    if (found == firsts.end()) firsts.push_back(l);
  }
  family_count_ = static_cast<int>(firsts.size());
}

void LabelRules::read(const Atoms& atoms, RuledWords& words) const {
  static const std::uint64_t negative = hash_bytes("Polarity=Neg"), possessive = hash_bytes("Poss=Yes"),
                             typo = hash_bytes("Typo=Yes"), other = hash_bytes("X"), nothing = hash_bytes("_");
  static const std::array nominals = {hash_bytes("NOUN"), hash_bytes("PROPN"), hash_bytes("PRON")};
  static const std::array negators = {hash_bytes("PART"), hash_bytes("ADV")};
  const auto is_one_of = [](const auto& list, std::uint64_t tag) {
    return std::find(list.begin(), list.end(), tag) != list.end();
  };
  const std::size_t positions = at(atoms.words()) + 1;
  words.tags.assign(positions, static_cast<int>(tables_.tags.size()));
  for (auto* flags : {&words.negates, &words.possessive, &words.nominal, &words.typo, &words.bare, &words.glued})
    flags->assign(positions, 0);
  for (int m = 1; m <= atoms.words(); ++m) {
    const std::uint64_t tag = atoms.value(m, Attribute::tag);
    if (const auto found = tag_number_.find(tag); found != tag_number_.end()) words.tags[at(m)] = found->second;
    for (const std::uint64_t piece : atoms.values(m)) {
      if (const auto found = outward_tag_.find(piece); found != outward_tag_.end()) words.tags[at(m)] = found->second;
      if (piece == negative && is_one_of(negators, tag)) words.negates[at(m)] = 1;
      if (piece == possessive) words.possessive[at(m)] = 1;
      if (piece == typo) words.typo[at(m)] = 1;
    }
    words.nominal[at(m)] = is_one_of(nominals, tag);
    words.bare[at(m)] = tag == other && atoms.values(m).empty() && atoms.value(m, Attribute::lemma) == nothing;
    words.glued[at(m)] = atoms.is_glued(m);
  }
}

int LabelRules::broken_by_word(const RuledWords& words, int h, int m, int label) const {
  if (const int rule = by_tag(label, words.tags[at(m)])) return rule;
  if (h > m && tables_.head_on_left[at(label)]) return tables_.head_on_left[at(label)];
  // A part of a word that was written apart has no tag and lemma of its own, and a space before it.
  const bool apart = words.bare[at(m)] && words.typo[at(h)] && !words.glued[at(m - 1)];
  return kind(label) == LabelKind::goeswith && !apart ? tables_.goeswith : 0;
}

int LabelRules::broken_by_child(const RuledWords& words, int h, int head_label, int m, int label) const {
  if (head_label < 0) return 0;
  const std::size_t place = at(head_label) * at(labels_) + at(label);
  const int excuse = tables_.excuses[place];
  if (((excuse & 1) && words.negates[at(m)]) || ((excuse & 2) && words.possessive[at(h)])) return 0;
  return tables_.by_parent[place];
}

bool LabelRules::is_broken(const RuledWords& words, std::span<const int> heads, std::span<const int> labels) const {
  std::vector<int> counts(at(tables_.rule_count) + 1, 0);
  count_broken(words, heads, labels, counts);
  return std::any_of(counts.begin() + 1, counts.end(), [](int count) { return count > 0; });
}

void LabelRules::count_broken(const RuledWords& words, std::span<const int> heads, std::span<const int> labels,
                              std::span<int> counts) const {
  std::vector<unsigned> seen(heads.size() + 1, 0);
  const auto label_of = [&](int m) { return m > 0 ? labels[at(m - 1)] : -1; };
  for (int m = 1; m <= static_cast<int>(heads.size()); ++m) {
    const int h = heads[at(m - 1)], label = label_of(m);
    if (h < 0 || label < 0) continue;
    ++counts[at(broken_by_word(words, h, m, label))];
    if (h == 0) continue;
    ++counts[at(broken_by_child(words, h, label_of(h), m, label))];
    unsigned& own = seen[at(h)];
    switch (kind(label)) {
      case LabelKind::subject:
        if (own & subject) ++counts[at(tables_.one_subject)];
        own |= subject | clause;
        break;
      case LabelKind::object:
        if (own & object) ++counts[at(tables_.one_object)];
        own |= object;
        break;
      case LabelKind::clause: own |= clause; break;
      case LabelKind::oblique: own |= oblique; break;
      case LabelKind::goeswith: {
        const bool next = m == h + 1 || (m - 1 > h && heads[at(m - 2)] == h && label_of(m - 1) >= 0 &&
                                         kind(label_of(m - 1)) == LabelKind::goeswith);
        if (!next) ++counts[at(tables_.goeswith)];
        break;
      }
      case LabelKind::plain: break;
    }
  }
  for (int h = 1; h <= static_cast<int>(heads.size()); ++h)
    if ((seen[at(h)] & (oblique | clause)) == oblique && takes_no_oblique(words, h, label_of(h)))
      ++counts[at(tables_.no_oblique)];
}

bool LabelRules::forbids_any(const RuledWords& words, std::span<const int> heads) const {
  for (int m = 1; m <= static_cast<int>(heads.size()); ++m)
    if (const int h = heads[at(m - 1)]; h > 0 && heads[at(h - 1)] != 0 && forbids(words, h, m)) return true;
  return false;
}

// Below a word with a given label, the labels of its children depend on each other only by what has been seen among those
// to the left, and on what lies below them by their own labels: a dynamic program over states, inside one over the tree.
class LabelRules::Chooser {
 public:
  Chooser(const LabelRules& rules, const RuledWords& words, std::span<const int> heads,
          std::span<const std::vector<LabelChoice>> options)
      : rules_(rules), words_(words), heads_(heads), options_(options), children_(heads.size() + 1),
        below_((heads.size() + 1) * at(rules.family_count_), worst) {
    for (int m = 1; m <= static_cast<int>(heads.size()); ++m) children_[at(heads[at(m - 1)])].push_back(m);
    std::vector<int> order = {0};  // heads before their children
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const int m : children_[at(order[i])]) order.push_back(m);
    for (std::size_t i = order.size(); i-- > 1;)
      for (const LabelChoice& option : options_[at(order[i] - 1)])
        if (double& value = below(order[i], option.label); value == worst) value = solve(order[i], option.label);
    order_ = std::move(order);
  }

  void assign(std::span<int> labels) {
    for (const int m : children_[0]) labels[at(m - 1)] = best(0, -1, m, -1).label;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const int h = order_[i];
      if (children_[at(h)].empty()) continue;
      solve(h, labels[at(h - 1)]);
      trace(h, labels);
    }
  }

 private:
  struct Step {
    double value = worst;
    unsigned from = 0;
    int label = -1;
  };

  double& below(int m, int label) {
    return below_[at(m) * at(rules_.family_count_) + at(rules_.family_[at(label)])];
  }

  // The best label of a child of such a kind (−1: of any), with all that is below it.
  LabelChoice best(int h, int head_label, int m, int kind) {
    LabelChoice found;
    for (const LabelChoice& option : options_[at(m - 1)]) {
      if (kind >= 0 && static_cast<int>(rules_.kind(option.label)) != kind) continue;
      double score = option.score + below(m, option.label);
      if (rules_.broken_by_word(words_, h, m, option.label)) score -= broken_rule;
      if (rules_.broken_by_child(words_, h, head_label, m, option.label)) score -= broken_rule;
      if (score > found.score) found = {option.label, score};
    }
    return found;
  }

  // The best that the children of h can have where it has this label; steps_ says how.
  double solve(int h, int head_label) {
    const std::vector<int>& children = children_[at(h)];
    steps_.assign(children.size() + 1, {});
    steps_[0][0].value = 0;
    for (std::size_t i = 0; i < children.size(); ++i)
      for (int kind = 0; kind < label_kind_count; ++kind) {
        const LabelChoice choice = best(h, head_label, children[i], kind);
        if (choice.label < 0) continue;
        const bool neighbour = children[i] == h + 1, after_last = i > 0 && children[i - 1] + 1 == children[i];
        for (unsigned state = 0; state < state_count; ++state) {
          const Step& before = steps_[i][state];
          if (before.value == worst) continue;
          const auto [next, broken] = moved(state, static_cast<LabelKind>(kind), neighbour, after_last);
          const double value = before.value + choice.score - (broken ? broken_rule : 0);
          if (Step& step = steps_[i + 1][next]; value > step.value) step = {value, state, choice.label};
        }
      }
    const bool no_oblique = rules_.takes_no_oblique(words_, h, head_label);
    double best_value = worst;
    for (unsigned state = 0; state < state_count; ++state) {
      const bool broken = no_oblique && (state & (oblique | clause)) == oblique;
      const double value = steps_.back()[state].value - (broken ? broken_rule : 0);
      if (value > best_value) best_value = value, end_ = state;
    }
    return best_value;
  }

  std::pair<unsigned, bool> moved(unsigned state, LabelKind kind, bool neighbour, bool after_last) const {
    const LabelRuleTables& tables = rules_.tables_;
    const unsigned next = state & ~static_cast<unsigned>(goeswith);
    switch (kind) {
      case LabelKind::subject: return {next | subject | clause, tables.one_subject && (state & subject)};
      case LabelKind::object: return {next | object, tables.one_object && (state & object)};
      case LabelKind::clause: return {next | clause, false};
      case LabelKind::oblique: return {next | oblique, false};
      case LabelKind::goeswith:
        return {next | goeswith, tables.goeswith && !neighbour && !(after_last && (state & goeswith))};
      default: return {next, false};
    }
  }

  void trace(int h, std::span<int> labels) const {
    unsigned state = end_;
    for (std::size_t i = children_[at(h)].size(); i > 0; --i) {
      const Step& step = steps_[i][state];
      labels[at(children_[at(h)][i - 1] - 1)] = step.label;
      state = step.from;
    }
  }

  const LabelRules& rules_;
  const RuledWords& words_;
  std::span<const int> heads_;
  std::span<const std::vector<LabelChoice>> options_;
  std::vector<std::vector<int>> children_;
  std::vector<double> below_;  // [word][family of its label]: what its children and all below them score
  std::vector<int> order_;
  std::vector<std::array<Step, state_count>> steps_;
  unsigned end_ = 0;
};

void LabelRules::choose(const RuledWords& words, std::span<const int> heads,
                        std::span<const std::vector<LabelChoice>> options, std::span<int> labels) const {
  Chooser(*this, words, heads, options).assign(labels);
}

}  // namespace headwise::scoring
