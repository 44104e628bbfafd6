// The features of parts larger than an arc. A part is a tuple of words, one for each member of its templates:
//
//   sibling        h m s      m and the next modifier s of h towards h, or nobody
//   tri-sibling    h m s t    and the one after it, or nobody
//   grandchild     g h m      the head g of h; m may be nobody: h has no modifier on a side
//   grand-sibling  g h m s
//
// and so on for all kinds of trees/part_kinds.hpp.
//
// Carreras (2007, 2.2), Koo's thesis (5.7.1). As for arcs, a member's keys are computed once a word and a
// feature costs one XOR and one load; the directions of the arcs pick a slot of the feature's block.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/feature_nodes.hpp"
#include "scoring/features/templates.hpp"
#include "trees/linked_tree.hpp"
#include "trees/part_kinds.hpp"

namespace headwise::scoring {

// The members of a kind, the letters of part_kinds.hpp.
inline constexpr std::string_view part_members[] = {"f", "g", "h", "m", "s", "t"};
template <class Kind>
std::span<const std::string_view> members_of() {
  return std::span(part_members).subspan(2 - Kind::ancestors, Kind::words);
}

class PartTemplates {
 public:
  PartTemplates() = default;
  PartTemplates(std::span<const std::string> lines, std::span<const std::string_view> members,
                bool has_sides = false)
      : members_(static_cast<int>(members.size())) {
    for (const std::string& line : lines) {
      Template t = parse_template(line, members, has_sides);
      if (t.has_many_values() || !t.with_distance)
        throw std::invalid_argument("feature template '" + t.text +
                                    "': no many-valued attributes and no @direction in parts of more than an arc");
      templates_.push_back(std::move(t));
    }
    const auto is_for_both = [](const Template& t) { return !t.outer_only; };
    for_both_ = static_cast<int>(
        std::stable_partition(templates_.begin(), templates_.end(), is_for_both) - templates_.begin());
  }

  int members() const { return members_; }
  int count() const { return static_cast<int>(templates_.size()); }
  // Those of the first so many are for inner and outer parts, the others for outer ones.
  int for_both() const { return for_both_; }
  const std::vector<Template>& templates() const { return templates_; }

 private:
  int members_ = 0, for_both_ = 0;
  std::vector<Template> templates_;
};

// The keys of one sentence for one kind of part.
class PartKeys {
 public:
  void assign(const PartTemplates& templates, const Atoms& atoms) { assign(templates, WordNodes{atoms}); }
  template <class Nodes>
  void assign(const PartTemplates& templates, const Nodes& nodes) {
    count_ = templates.count();
    for_both_ = templates.for_both();
    positions_ = nodes.count() + 1;
    keys_.clear();
    keys_.reserve(static_cast<std::size_t>(templates.members()) * static_cast<std::size_t>(positions_ * count_));
    for (int member = 0; member < templates.members(); ++member)
      for (int node = nobody; node < nodes.count(); ++node)
        for (const Template& t : templates.templates())
          keys_.push_back(t.key(nodes.seen(node), member, nodes.word(node)));
  }

  int count() const { return count_; }
  // Of an inner part, and of an outer one.
  int count(bool is_outer) const { return is_outer ? count_ : for_both_; }
  const std::uint32_t* of(int member, int position) const {
    return keys_.data() + static_cast<std::size_t>(member * positions_ + position + 1) * static_cast<std::size_t>(count_);
  }

 private:
  int count_ = 0, for_both_ = 0, positions_ = 0;
  std::vector<std::uint32_t> keys_;
};

// out = a XOR b: the keys of two members joined, to be shared by all parts that have both words.
inline void join_keys(const std::uint32_t* a, const std::uint32_t* b, int count, std::vector<std::uint32_t>& out) {
  out.resize(static_cast<std::size_t>(count));
  for (int t = 0; t < count; ++t) out[at(t)] = a[t] ^ b[t];
}

// Sums of the weights of parts' features. Weights lie all over a table that no cache holds, so those of a part
// are asked for some parts before they are added up. Four lanes, whatever the machine: the same sum.
class WeightSums {
 public:
  // Between begin() and end(), the sum of a part may come late.
  void begin(const float* weights, std::uint32_t mask) {
    weights_ = weights;
    mask_ = mask;
  }
  void end() {
    for (Pending& part : pending_) finish(part);
  }

  // *to = the sum over all t of the weight that (a XOR b)[t] and the slot name.
  void add(const std::uint32_t* a, const std::uint32_t* b, int count, std::uint32_t slot, double* to) {
    Pending& part = pending_[turn_ = (turn_ + 1) % ahead];
    finish(part);
    if (part.indices.size() < static_cast<std::size_t>(count)) part.indices.resize(static_cast<std::size_t>(count));
    std::uint32_t* indices = part.indices.data();
    for (int t = 0; t < count; ++t) indices[t] = ((a[t] ^ b[t]) & mask_) ^ slot;
    for (int t = 0; t < count; ++t) __builtin_prefetch(weights_ + indices[t]);
    part.count = count;
    part.to = to;
  }

 private:
  static constexpr int ahead = 4;
  struct Pending {
    std::vector<std::uint32_t> indices;
    int count = 0;
    double* to = nullptr;
  };

  void finish(Pending& part) const {
    if (!part.to) return;
    const std::uint32_t* x = part.indices.data();
    float lanes[4] = {};
    int t = 0;
    for (; t + 4 <= part.count; t += 4) {
      lanes[0] += weights_[x[t]];
      lanes[1] += weights_[x[t + 1]];
      lanes[2] += weights_[x[t + 2]];
      lanes[3] += weights_[x[t + 3]];
    }
    for (; t < part.count; ++t) lanes[t & 3] += weights_[x[t]];
    *part.to = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    part.to = nullptr;
  }

  const float* weights_ = nullptr;
  std::uint32_t mask_ = 0;
  int turn_ = 0;
  Pending pending_[ahead];
};

}  // namespace headwise::scoring
