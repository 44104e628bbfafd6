// Feature templates are data: a line such as "h.form m.pos" or "h.pos h+1.pos m-1.pos m.pos".
//
// A term is MEMBER[+k|-k].ATTRIBUTE. The members are the words of a part (h and m for an arc; others for
// bigger parts), given by whoever owns the template table. "@direction" at the end of a line keeps the
// distance between head and modifier out of the feature; otherwise a feature comes twice, with the
// direction of the arc and with direction and distance. "@outer", in parts with a grandparent g, is for those whose
// modifier lies beyond h as seen from g: the two arcs point the same way.
//
// A conjunction is hashed member by member: index(h, m) = key_h(h) XOR key_m(m), with every key salted by
// the text of its template. Keys cost one hash a word; a part costs one XOR a member (this is Zobrist, or
// tabulation, hashing, which is 3-independent: as good here as hashing the whole tuple).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/atoms.hpp"

namespace headwise::scoring {

struct Term {
  int member;
  int offset;
  Attribute attribute;
};

// The terms of a template that speak of one word of the part.
struct MemberTerms {
  int member;
  std::uint64_t seed;        // the template's text and the member
  std::vector<Term> single;  // terms with one value
  std::vector<Term> many;    // at most one term with several

  // The key of this member when the word at `position` fills it. Not for many-valued terms.
  std::uint32_t key(const Atoms& atoms, int position) const {
    return static_cast<std::uint32_t>(combine_single(atoms, position) >> 32);
  }

  // Calls f(key) for each value of the many-valued term, or once where there is none.
  template <class F>
  void for_each_key(const Atoms& atoms, int position, F f) const {
    const std::uint64_t h = combine_single(atoms, position);
    if (many.empty()) return f(static_cast<std::uint32_t>(h >> 32));
    for (std::uint64_t value : atoms.values(position + many[0].offset))
      f(static_cast<std::uint32_t>(combine(h, value) >> 32));
  }

 private:
  std::uint64_t combine_single(const Atoms& atoms, int position) const {
    std::uint64_t h = seed;
    for (const Term& term : single) h = combine(h, atoms.value(position + term.offset, term.attribute));
    return h;
  }
};

struct Template {
  std::string text;
  std::uint64_t salt = 0;
  std::vector<MemberTerms> members;  // each member that occurs, once
  bool with_distance = true;
  bool outer_only = false;

  const MemberTerms* find(int member) const {
    for (const MemberTerms& terms : members)
      if (terms.member == member) return &terms;
    return nullptr;
  }

  bool has_many_values() const {
    for (const MemberTerms& terms : members)
      if (!terms.many.empty()) return true;
    return false;
  }

  // The key of a member filled by the word at `position`; 0 when the member does not occur.
  std::uint32_t key(const Atoms& atoms, int member, int position) const {
    const MemberTerms* terms = find(member);
    return terms ? terms->key(atoms, position) : 0;
  }
};

// Lines for the outer side alone are for those who ask for them.
inline Template parse_template(std::string_view line, std::span<const std::string_view> members,
                               bool may_be_outer = false) {
  const auto fail = [&](const std::string& what) -> std::invalid_argument {
    return std::invalid_argument("feature template '" + std::string(line) + "': " + what);
  };
  Template result;
  std::vector<MemberTerms> by_member(members.size());
  std::size_t i = 0;
  while (i < line.size()) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && line[end] != ' ' && line[end] != '\t') ++end;
    const std::string_view token = line.substr(i, end - i);
    i = end;
    if (!result.text.empty()) result.text += ' ';
    result.text += token;
    if (token == "@direction") {
      result.with_distance = false;
      continue;
    }
    if (may_be_outer && token == "@outer") {
      result.outer_only = true;
      continue;
    }
    const std::size_t dot = token.find('.');
    if (dot == std::string_view::npos) throw fail("'" + std::string(token) + "' is not of the form word.attribute");
    std::string_view word = token.substr(0, dot);
    const std::string_view attribute = token.substr(dot + 1);
    Term term{-1, 0, Attribute::form};
    if (const std::size_t sign = word.find_first_of("+-"); sign != std::string_view::npos) {
      if (sign + 2 != word.size() || word[sign + 1] < '1' || word[sign + 1] > '9')
        throw fail("the offset in '" + std::string(token) + "' must be one digit from 1 to 9");
      term.offset = (word[sign + 1] - '0') * (word[sign] == '-' ? -1 : 1);
      word = word.substr(0, sign);
    }
    for (std::size_t r = 0; r < members.size(); ++r)
      if (members[r] == word) term.member = static_cast<int>(r);
    if (term.member < 0) {
      std::string known;
      for (auto member : members) known += (known.empty() ? "" : ", ") + std::string(member);
      throw fail("no word is called '" + std::string(word) + "' here (use one of: " + known + ")");
    }
    try {
      term.attribute = attribute_named(attribute);
    } catch (const std::invalid_argument& unknown) {
      throw fail(unknown.what());
    }
    MemberTerms& terms = by_member[at(term.member)];
    (has_many_values(term.attribute) ? terms.many : terms.single).push_back(term);
    if (terms.many.size() > 1) throw fail("a word may carry one many-valued attribute");
  }
  result.salt = hash_bytes(result.text);
  for (std::size_t member = 0; member < by_member.size(); ++member) {
    MemberTerms& terms = by_member[member];
    if (terms.single.empty() && terms.many.empty()) continue;
    terms.member = static_cast<int>(member);
    terms.seed = mix(result.salt + member + 1);
    result.members.push_back(std::move(terms));
  }
  if (result.members.empty()) throw fail("it is empty");
  return result;
}

}  // namespace headwise::scoring
