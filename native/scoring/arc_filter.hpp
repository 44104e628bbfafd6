// A first sieve: an arc longer than any seen in training between two such tags is not considered.
//
// The limits are a table [head tag][modifier tag][direction] of distances. Neighbours and the root may
// always be heads, so that a tree of every kind is left (the chain 0 → 1 → 2 → …), whatever the table says.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/atoms.hpp"

namespace headwise::scoring {

class ArcFilter {
 public:
  ArcFilter() = default;

  // `limits` holds tags × tags × 2 distances; the second direction is head before modifier.
  ArcFilter(std::span<const std::string> tags, std::span<const int> limits) : tags_(tags.size()) {
    if (limits.size() != 2 * tags_ * tags_) throw std::invalid_argument("arc limits: must have shape (tags, tags, 2)");
    limits_.assign(limits.begin(), limits.end());
    for (std::size_t t = 0; t < tags_; ++t) number_[hash_bytes(tags[t])] = static_cast<int>(t);
  }

  // The tags of a sentence, once for all its arcs; -1 for a tag never seen.
  void read_tags(const Atoms& atoms, std::vector<int>& tags) const {
    tags.assign(1, -1);
    for (int w = 1; w <= atoms.words(); ++w) {
      const auto found = number_.find(atoms.value(w, Attribute::tag));
      tags.push_back(found == number_.end() ? -1 : found->second);
    }
  }

  bool allows(const std::vector<int>& tags, int h, int m) const {
    const int distance = std::abs(h - m);
    if (h == 0 || distance == 1) return true;
    const int a = tags[at(h)], b = tags[at(m)];
    if (a < 0 || b < 0) return true;
    return distance <= limits_[2 * (at(a) * tags_ + at(b)) + (h < m)];
  }

 private:
  std::size_t tags_ = 0;
  std::vector<int> limits_;
  std::unordered_map<std::uint64_t, int> number_;
};

}  // namespace headwise::scoring
