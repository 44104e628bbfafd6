// The features that choose the label of an arc: two words, and where the tree is known, their relatives.
//
// The weights of one conjunction for all labels lie side by side from a hashed start, so that all labels
// are scored by vector adds. Neighbouring rows overlap; that is a hash collision like any other.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/arc_features.hpp"
#include "scoring/features/templates.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::scoring {

class LabelTemplates {
 public:
  // g: the head's head; s: the nearest modifier of h between h and m; l, r: the modifiers of m that are
  // outermost on its left and right; c: each modifier of m. A missing relative is the place before the root.
  enum Member { head, modifier, grandparent, sibling, leftmost, rightmost, child };
  static constexpr std::array<std::string_view, 7> members = {"h", "m", "g", "s", "l", "r", "c"};
  static constexpr int nobody = -1;
  // Sets of relatives.
  static constexpr unsigned bit(Member member) { return 1u << member; }

  explicit LabelTemplates(std::span<const std::string> lines) {
    for (const std::string& line : lines) {
      Template t = parse_template(line, members);
      unsigned named = 0;
      for (int member = grandparent; member <= child; ++member)
        if (t.find(member)) named |= 1u << member;
      int many = 0;
      for (const MemberTerms& terms : t.members) many += terms.many.empty() ? 0 : terms.member == child ? 2 : 1;
      if (many > 1)
        throw std::invalid_argument("feature template '" + t.text +
                                    "': one word of a label template may carry a many-valued attribute, and not c");
      Line entry{std::move(t), {}, named};
      relatives |= named;
      for (std::uint32_t slot = 0; slot < arc_slots; ++slot)
        entry.attached[slot] = static_cast<std::uint32_t>(mix(entry.terms.salt + slot) >> 32);
      templates.push_back(std::move(entry));
    }
  }

  struct Line {
    Template terms;
    std::array<std::uint32_t, arc_slots> attached;  // the part of the key that direction and distance give
    unsigned relatives;                             // that it names
  };
  std::vector<Line> templates;
  unsigned relatives = 0;  // that any line names
};

// The relatives of every word in a tree, as the label templates name them. Words without a head (-1) have none.
class Relatives {
 public:
  void assign(std::span<const int> heads) {
    const int n = static_cast<int>(heads.size());
    heads_.assign(1, LabelTemplates::nobody);
    heads_.insert(heads_.end(), heads.begin(), heads.end());
    const auto size = static_cast<std::size_t>(n) + 1;
    for (auto* v : {&sibling_, &leftmost_, &rightmost_, &first_child_, &next_child_, &last_})
      v->assign(size, LabelTemplates::nobody);
    for (int m = 1; m <= n; ++m) {  // left to right: the nearest sibling of a right modifier
      if (heads_[at(m)] < 0) continue;
      const auto h = at(heads_[at(m)]);
      if (heads_[at(m)] < m) sibling_[at(m)] = last_[h];
      if (heads_[at(m)] < m) last_[h] = m;
      if (leftmost_[h] == LabelTemplates::nobody && m < heads_[at(m)]) leftmost_[h] = m;
      if (m > heads_[at(m)]) rightmost_[h] = m;
    }
    std::fill(last_.begin(), last_.end(), LabelTemplates::nobody);
    for (int m = n; m >= 1; --m) {  // right to left: of a left modifier
      if (heads_[at(m)] < 0) continue;
      const auto h = at(heads_[at(m)]);
      if (m < heads_[at(m)]) sibling_[at(m)] = last_[h];
      if (m < heads_[at(m)]) last_[h] = m;
      next_child_[at(m)] = first_child_[h];
      first_child_[h] = m;
    }
  }

  int relative(int m, int member) const {
    const int h = heads_[at(m)];
    switch (member) {
      case LabelTemplates::head: return h;
      case LabelTemplates::modifier: return m;
      case LabelTemplates::grandparent: return h < 0 ? LabelTemplates::nobody : heads_[at(h)];
      case LabelTemplates::sibling: return sibling_[at(m)];
      case LabelTemplates::leftmost: return leftmost_[at(m)];
      case LabelTemplates::rightmost: return rightmost_[at(m)];
      default: return first_child_[at(m)];
    }
  }

  int next_child(int child) const { return next_child_[at(child)]; }

 private:
  std::vector<int> heads_, sibling_, leftmost_, rightmost_, first_child_, next_child_, last_;
};

// An arc and what is known of its relatives; nobody for those that are not there, or not known.
struct ArcRelatives {
  int g, h, m, s, left, right;

  static ArcRelatives alone(int h, int m) { return {nobody, h, m, nobody, nobody, nobody}; }
  static ArcRelatives in(const LinkedTree& tree, int m) {
    const ModifierInTree arc = tree.modifier(m);
    return {arc.g, arc.h, m, arc.s, tree.outermost(m, 0), tree.outermost(m, 1)};
  }
  int relative(int member) const {
    switch (member) {
      case LabelTemplates::grandparent: return g;
      case LabelTemplates::sibling: return s;
      case LabelTemplates::leftmost: return left;
      default: return right;
    }
  }
};

class LabelFeatures {
 public:
  explicit LabelFeatures(const LabelTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) { atoms_ = &atoms; }

  // Calls f(start) for the weight row of every feature of the arc into m of the tree in `relatives`.
  template <class F>
  void for_each(const Relatives& relatives, int m, std::uint32_t mask, F f) const {
    const int h = relatives.relative(m, LabelTemplates::head);
    visit(h, m, mask, f, [](unsigned) { return true; }, [&](int member) { return relatives.relative(m, member); },
          [&](auto visit_child) {
            for (int c = relatives.relative(m, LabelTemplates::child); c > 0; c = relatives.next_child(c)) visit_child(c);
          });
  }

  // The same for an arc whose tree is not known (templates that need no tree).
  template <class F>
  void for_each(int h, int m, std::uint32_t mask, F f) const {
    visit(h, m, mask, f, [](unsigned) { return true; }, [](int) { return nobody; }, [](auto) {});
  }

  // The same for an arc of which so much is known, of the templates whose relatives are these and no others.
  template <class F>
  void for_each(const ArcRelatives& arc, unsigned relatives, std::uint32_t mask, F f) const {
    visit(arc.h, arc.m, mask, f, [=](unsigned named) { return named == relatives; },
          [&](int member) { return arc.relative(member); }, [](auto) {});
  }

 private:
  // is_wanted(relatives that a line names); relative(member) is a word, each_child(f) the modifiers of m.
  template <class F, class IsWanted, class Relative, class EachChild>
  void visit(int h, int m, std::uint32_t mask, F f, IsWanted is_wanted, Relative relative, EachChild each_child) const {
    const ArcSlots slots(h, m);
    const auto word_of = [&](int member) {
      return member == LabelTemplates::head ? h : member == LabelTemplates::modifier ? m : relative(member);
    };
    for (const LabelTemplates::Line& line : templates_->templates) {
      if (!is_wanted(line.relatives)) continue;
      std::uint32_t fixed = line.attached[line.terms.with_distance ? slots.distance : slots.direction];
      const MemberTerms *many = nullptr, *children = nullptr;
      for (const MemberTerms& terms : line.terms.members) {
        if (terms.member == LabelTemplates::child) children = &terms;
        else if (!terms.many.empty()) many = &terms;
        else fixed ^= terms.key(*atoms_, word_of(terms.member));
      }
      const auto with_children = [&](std::uint32_t key) {
        if (!children) return f(key & mask);
        each_child([&](int c) { f((key ^ children->key(*atoms_, c)) & mask); });
      };
      if (many)
        many->for_each_key(*atoms_, word_of(many->member), [&](std::uint32_t key) { with_children(fixed ^ key); });
      else
        with_children(fixed);
    }
  }

  const LabelTemplates* templates_;
  const Atoms* atoms_ = nullptr;
};

}  // namespace headwise::scoring
