// Parts that no dynamic program of this library scores: a few words and the arcs between them (Zhang et al. 2014,
// "Steps to excellence", Figure 5).
//
//   any sibling         h m s     two modifiers of h, m before s in the sentence, whether or not others are between
//   great-grandparent   a g h m   a the head of g, g of h, h of m
//   inner sibling-grandchild   h m s c   c a modifier of m, s the next modifier of h from m towards h
//   outer sibling-grandchild   h m s c   … and away from h
//   head bigram         h m k j   k the word after m; h the head of m and j that of k
//
// Their features are templates, as those of other parts (part_features.hpp).
#pragma once
#include "rooms.hpp"
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/part_features.hpp"
#include "trees/linked_tree.hpp"

namespace headwise::scoring {

enum class Kin : int { any_sibling, great_grandparent, inner_sibling_grandchild, outer_sibling_grandchild, head_bigram };
inline constexpr int kinds_of_kin = 5;

// All parts in which x stands as m of a sibling-grandchild, with the neighbours that x has or would have.
template <class Visit>
void for_each_sibling_grandchild(const LinkedTree& tree, int x, int inside, int outside, Visit&& visit) {
  const int h = tree.head(x);
  if (h == nobody || (inside == nobody && outside == nobody)) return;
  tree.each_modifier(x, [&](int c) {
    if (inside != nobody) visit(Kin::inner_sibling_grandchild, h, x, inside, c);
    if (outside != nobody) visit(Kin::outer_sibling_grandchild, h, x, outside, c);
  });
}
template <class Visit>
void for_each_sibling_grandchild(const LinkedTree& tree, int x, Visit&& visit) {
  for_each_sibling_grandchild(tree, x, tree.inner(x), tree.outer(x), visit);
}

// visit(kind, w1, w2, w3, w4) for every part of a tree, or of a forest; w4 is nobody where there are three words.
template <class Visit>
void for_each_kin(const LinkedTree& tree, Visit visit) {
  for (int m = 1; m <= tree.words(); ++m) {
    const int h = tree.head(m);
    if (h == nobody) continue;
    tree.each_modifier(h, [&](int s) {
      if (m < s) visit(Kin::any_sibling, h, m, s, nobody);
    });
    if (const int g = tree.head(h); g != nobody && tree.head(g) != nobody)
      visit(Kin::great_grandparent, tree.head(g), g, h, m);
    for_each_sibling_grandchild(tree, m, visit);
    if (m < tree.words() && tree.head(m + 1) != nobody)
      visit(Kin::head_bigram, h, m, m + 1, tree.head(m + 1));
  }
}

// The same for the parts that the arc into m brings: add(kind, …) for each that is there because of it, and
// remove(kind, …) for each that would be there without it. The head of m is in the tree.
template <class Add, class Remove>
void for_each_kin_of_arc(const LinkedTree& tree, int m, Add add, Remove remove) {
  const int h = tree.head(m), inside = tree.inner(m), outside = tree.outer(m);
  for_each_sibling_grandchild(tree, m, add);
  if (inside != nobody) {
    for_each_sibling_grandchild(tree, inside, add);
    for_each_sibling_grandchild(tree, inside, tree.inner(inside), outside, remove);
  }
  if (outside != nobody) {
    for_each_sibling_grandchild(tree, outside, add);
    for_each_sibling_grandchild(tree, outside, inside, tree.outer(outside), remove);
  }
  tree.each_modifier(h, [&](int s) {
    if (s != m) add(Kin::any_sibling, h, std::min(m, s), std::max(m, s), nobody);
  });
  const int g = tree.head(h);
  if (g != nobody) {
    if (const int s = tree.inner(h); s != nobody) add(Kin::inner_sibling_grandchild, g, h, s, m);
    if (const int s = tree.outer(h); s != nobody) add(Kin::outer_sibling_grandchild, g, h, s, m);
    if (tree.head(g) != nobody) add(Kin::great_grandparent, tree.head(g), g, h, m);
  }
  tree.each_modifier(m, [&](int c) {
    if (g != nobody) add(Kin::great_grandparent, g, h, m, c);
    tree.each_modifier(c, [&](int d) { add(Kin::great_grandparent, h, m, c, d); });
  });
  for (const int first : {m - 1, m})
    if (first >= 1 && first < tree.words() && tree.head(first) != nobody && tree.head(first + 1) != nobody)
      add(Kin::head_bigram, tree.head(first), first, first + 1, tree.head(first + 1));
}

// Templates of each kind, in the order of Kin; none for a kind that is not scored.
class KinTemplates {
 public:
  KinTemplates() : KinTemplates(std::vector<std::vector<std::string>>(kinds_of_kin)) {}
  explicit KinTemplates(std::span<const std::vector<std::string>> lines) {
    static constexpr std::array<std::string_view, 3> sibling = {"h", "m", "s"};
    static constexpr std::array<std::string_view, 4> great = {"a", "g", "h", "m"}, nephew = {"h", "m", "s", "c"},
                                                     bigram = {"h", "m", "k", "j"};
    const std::span<const std::string_view> members[] = {sibling, great, nephew, nephew, bigram};
    if (lines.size() != kinds_of_kin) throw std::invalid_argument("kin: templates for each of five kinds");
    for (std::size_t kind = 0; kind < lines.size(); ++kind) kinds_.emplace_back(lines[kind], members[kind]);
  }
  const PartTemplates& of(int kind) const { return kinds_[at(kind)]; }
  bool any() const {
    for (const PartTemplates& kind : kinds_)
      if (kind.count()) return true;
    return false;
  }

 private:
  std::vector<PartTemplates> kinds_;
};

// The features of the parts of one sentence: indices into the table of weights. Which way arcs point picks the slot of
// a feature's block.
class KinFeatures {
 public:
  void assign(const KinTemplates& templates, const Atoms& atoms) {
    for (int kind = 0; kind < kinds_of_kin; ++kind) keys_[kind].assign(templates.of(kind), atoms);
  }

  bool has(Kin kind) const { return keys_[static_cast<int>(kind)].count() > 0; }

  template <class F>
  void for_each(Kin kind, int w1, int w2, int w3, int w4, std::uint32_t mask, F f) const {
    const PartKeys& keys = keys_[static_cast<int>(kind)];
    const std::uint32_t slot = slot_of(kind, w1, w2, w3, w4), own = salt_of(kind);
    const std::uint32_t *a = keys.of(0, w1), *b = keys.of(1, w2), *c = keys.of(2, w3);
    const std::uint32_t* d = w4 == nobody ? nullptr : keys.of(3, w4);
    for (int t = 0; t < keys.count(); ++t) f(((a[t] ^ b[t] ^ c[t] ^ (d ? d[t] : 0) ^ own) & mask) ^ slot);
  }

 private:
  // Tables of other parts may have lines of the same text.
  static std::uint32_t salt_of(Kin kind) {
    return static_cast<std::uint32_t>(mix(static_cast<std::uint64_t>(kind) + 0x41C1) >> 32);
  }
  static std::uint32_t slot_of(Kin kind, int w1, int w2, int w3, int w4) {
    const auto bits = [](bool x, bool y, bool z = false, bool w = false) {
      return (x ? 1u : 0u) + (y ? 2u : 0u) + (z ? 4u : 0u) + (w ? 8u : 0u);
    };
    switch (kind) {
      case Kin::any_sibling:
        return bits(w1 < w2, w1 < w3);
      case Kin::great_grandparent:
        return bits(w1 < w2, w2 < w3, w3 < w4);
      case Kin::head_bigram:
        return bits(w1 < w2, w4 < w3, w1 == w4, w1 < w4);
      default:
        return bits(w1 < w2, w2 < w4);
    }
  }
  PartKeys keys_[kinds_of_kin];
};

}  // namespace headwise::scoring
