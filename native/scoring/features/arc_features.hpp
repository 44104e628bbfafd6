// The features of an arc (h, m), and its score: McDonald et al. (2005), Koo's thesis 3.3.1 and 4.6.1.
//
// Every conjunction owns one block of 16 neighbouring weights, a cache line: slot 0 and 1 for the two
// directions, the others for direction and binned distance. The slot is XORed into the block, so that
// conjunctions that share a block by accident still use their favourite slots apart.
//
// What depends on h or on m alone is summed once a word, all 16 slots in one go (so these keep their slots in
// order); an arc then costs one XOR and two loads of the same cache line for each pair template.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "scoring/features/feature_nodes.hpp"
#include "scoring/features/templates.hpp"

namespace headwise::scoring {

inline constexpr int arc_slots = 16;
inline constexpr std::uint32_t block_of(std::uint32_t index) { return index & ~std::uint32_t{arc_slots - 1}; }

// Binned distance |h - m|: 1, 2, 3, 4, 5-6, 7-10, more.
inline int distance_bin(int distance) {
  return distance <= 4 ? distance - 1 : distance <= 6 ? 4 : distance <= 10 ? 5 : 6;
}

struct ArcSlots {
  std::uint32_t direction;
  std::uint32_t distance;
  ArcSlots(int head, int modifier) {
    const bool right = head < modifier;
    direction = right ? 1 : 0;
    distance = 2 + 2 * static_cast<std::uint32_t>(distance_bin(right ? modifier - head : head - modifier)) + direction;
  }
};

// The template table, sorted into groups that are scored in different ways.
class ArcTemplates {
 public:
  enum Member { head = 0, modifier = 1, between = 2 };
  static constexpr std::array<std::string_view, 3> members = {"h", "m", "between"};

  explicit ArcTemplates(std::span<const std::string> lines) {
    for (const std::string& line : lines) {
      Template t = parse_template(line, members);
      const bool h = t.find(head), m = t.find(modifier);
      if (t.find(between)) {
        if (t.has_many_values())
          throw std::invalid_argument("feature template '" + t.text + "': 'between' takes no many-valued attribute");
        (h && m ? in_between : h ? between_and_head : between_and_modifier).push_back(std::move(t));
      } else if (h != m) {
        (h ? head_only : modifier_only).push_back(std::move(t));
      } else if (t.has_many_values()) {
        many_valued.push_back(std::move(t));
      } else {
        (t.with_distance ? pairs : pairs_by_direction).push_back(std::move(t));
      }
    }
  }

  std::vector<Template> head_only, modifier_only;  // one word
  std::vector<Template> pairs, pairs_by_direction;  // both words, one value each
  std::vector<Template> many_valued;                // both words, several values
  std::vector<Template> in_between;                 // and each distinct value between them
  std::vector<Template> between_and_head, between_and_modifier;  // one of them and the values between

  bool looks_between() const {
    return !in_between.empty() || !between_and_head.empty() || !between_and_modifier.empty();
  }
};

// The weights of an arc's pair templates: where they lie, so that they can be asked for some arcs before they are
// added up (no cache holds the table), and their sum. Eight lanes, whatever the machine: the same sum.
class PairBlocks {
 public:
  void find(const float* weights, const std::uint32_t* a, const std::uint32_t* b, int count, std::uint32_t mask) {
    if (blocks_.size() < static_cast<std::size_t>(count)) blocks_.resize(static_cast<std::size_t>(count));
    for (int t = 0; t < count; ++t) blocks_[t] = (a[t] ^ b[t]) & mask;
    for (int t = 0; t < count; ++t) __builtin_prefetch(weights + blocks_[t]);  // all slots are in one cache line
  }

  float sum(const float* weights, int with_distance, int count, ArcSlots slots) const {
    const std::uint32_t* x = blocks_.data();
    float lanes[8] = {};
    int t = 0;
    for (; t + 8 <= with_distance; t += 8)
      for (int k = 0; k < 8; ++k) lanes[k] += weights[x[t + k] ^ slots.direction] + weights[x[t + k] ^ slots.distance];
    for (; t < with_distance; ++t) lanes[t & 7] += weights[x[t] ^ slots.direction] + weights[x[t] ^ slots.distance];
    for (; t < count; ++t) lanes[t & 7] += weights[x[t] ^ slots.direction];
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }

 private:
  std::vector<std::uint32_t> blocks_;
};

// The keys of one sentence, reused from sentence to sentence.
class ArcFeatures {
 public:
  explicit ArcFeatures(const ArcTemplates& templates) : templates_(&templates) {}

  void assign(const Atoms& atoms) { assign(WordNodes{atoms}); }
  // score() is for words as nodes; the features of an arc are listed for any.
  template <class Nodes>
  void assign(const Nodes& nodes) {
    const ArcTemplates& t = *templates_;
    n_ = nodes.count() - 1;
    const int positions = n_ + 1;
    word_.clear();
    first_node_.clear();
    for (int node = 0; node < positions; ++node) {
      word_.push_back(nodes.word(node));
      if (node == 0 || word_.back() != nodes.word(node - 1)) first_node_.push_back(node);
    }
    pair_count_ = static_cast<int>(t.pairs.size() + t.pairs_by_direction.size());
    fill_keys(nodes, {&t.pairs, &t.pairs_by_direction}, ArcTemplates::head, head_keys_);
    fill_keys(nodes, {&t.pairs, &t.pairs_by_direction}, ArcTemplates::modifier, modifier_keys_);
    fill_keys(nodes, {&t.in_between, &t.between_and_head}, ArcTemplates::head, between_head_);
    fill_keys(nodes, {&t.in_between, &t.between_and_modifier}, ArcTemplates::modifier, between_modifier_);
    fill_keys(nodes, {&t.in_between, &t.between_and_head, &t.between_and_modifier}, ArcTemplates::between,
              between_word_);
    // Two words with the same keys between are one feature, not two: number the distinct ones.
    kind_.assign(static_cast<std::size_t>(positions), 0);
    kinds_ = 0;
    const std::size_t width = between_width();
    for (int w = 1; w <= n_ && width > 0; ++w) {
      int same = 0;
      for (int v = 1; v < w && same == 0; ++v)
        if (std::equal(between_key(v), between_key(v) + width, between_key(w))) same = v;
      kind_[at(w)] = same ? kind_[at(same)] : kinds_++;
    }
    head_only_.assign(nodes, t.head_only, ArcTemplates::head);
    modifier_only_.assign(nodes, t.modifier_only, ArcTemplates::modifier);
    many_head_.assign(nodes, t.many_valued, ArcTemplates::head);
    many_modifier_.assign(nodes, t.many_valued, ArcTemplates::modifier);
  }

  int words() const { return n_; }

  // Calls f(index) for every feature of the arc: the definition that scoring must agree with.
  template <class F>
  void for_each(int h, int m, std::uint32_t mask, F f) const {
    const ArcTemplates& t = *templates_;
    const ArcSlots slots(word_[at(h)], word_[at(m)]);
    const auto emit = [&](std::uint32_t key, bool with_distance) {
      const std::uint32_t x = key & mask;
      f(x ^ slots.direction);
      if (with_distance) f(x ^ slots.distance);
    };
    const auto emit_straight = [&](std::uint32_t key, bool with_distance) {
      const std::uint32_t block = block_of(key & mask);
      f(block + slots.direction);
      if (with_distance) f(block + slots.distance);
    };
    head_only_.for_each(h, t.head_only, emit_straight);
    modifier_only_.for_each(m, t.modifier_only, emit_straight);
    for (int k = 0; k < pair_count_; ++k)
      emit(head_keys(h)[k] ^ modifier_keys(m)[k], k < static_cast<int>(t.pairs.size()));
    for (std::size_t k = 0; k < t.many_valued.size(); ++k)
      for (std::uint32_t a : many_head_.keys(h, k))
        for (std::uint32_t b : many_modifier_.keys(m, k)) emit(a ^ b, t.many_valued[k].with_distance);
    for_each_kind_between(h, m, [&](const std::uint32_t* between) {
      for (std::size_t k = 0; k < t.in_between.size(); ++k)
        emit(between_head(h)[k] ^ between_modifier(m)[k] ^ between[k], t.in_between[k].with_distance);
      for_each_with_head(h, between, emit_straight);
      for_each_with_modifier(m, between, emit_straight);
    });
  }

  // Scores all arcs that `allowed(h, m)` admits into scores[h * (n + 1) + m]; the others become -inf.
  template <class Allowed>
  void score(const float* weights, std::uint32_t mask, double* scores, Allowed allowed) {
    const ArcTemplates& t = *templates_;
    const int positions = n_ + 1;
    head_only_.sum_slots(weights, mask, t.head_only, head_sums_);
    modifier_only_.sum_slots(weights, mask, t.modifier_only, modifier_sums_);
    const int with_distance = static_cast<int>(t.pairs.size());
    const double forbidden = -std::numeric_limits<double>::infinity();
    for (int h = 0; h < positions; ++h) scores[h * positions] = forbidden;
    seen_.resize(static_cast<std::size_t>(kinds_));
    for (int m = 1; m < positions; ++m) {
      scores[m * positions + m] = forbidden;
      for (const int step : {-1, 1}) {
        std::fill(seen_.begin(), seen_.end(), 0);
        open_.clear();
        allowed_heads_.clear();
        for (int h = m + step; h >= 0 && h < positions; h += step)
          if (allowed(h, m)) allowed_heads_.push_back(h);
        const auto find_pairs = [&](std::size_t arc) {
          if (arc < allowed_heads_.size())
            pairs_[arc % pairs_ahead].find(weights, head_keys(allowed_heads_[arc]), modifier_keys(m), pair_count_, mask);
        };
        for (std::size_t arc = 0; arc + 1 < pairs_ahead; ++arc) find_pairs(arc);
        std::size_t arc = 0;
        Slots between{};  // what the words between and m give, whatever the head
        for (int h = m + step; h >= 0 && h < positions; h += step) {
          if (t.looks_between() && h - step != m && is_new_kind(h - step)) {
            open_.push_back(h - step);
            for_each_with_modifier(m, between_key(h - step), [&](std::uint32_t key, bool with_distance) {
              between.add(weights + block_of(key & mask), with_distance);
            });
          }
          if (arc == allowed_heads_.size() || allowed_heads_[arc] != h) {
            scores[h * positions + m] = forbidden;
            continue;
          }
          find_pairs(arc + pairs_ahead - 1);
          const ArcSlots slots(h, m);
          const float* hs = head_sums_[at(h)].sum;
          const float* ms = modifier_sums_[at(m)].sum;
          double score = static_cast<double>(hs[slots.direction]) + hs[slots.distance] + ms[slots.direction] +
                         ms[slots.distance];
          score += pairs_[arc++ % pairs_ahead].sum(weights, with_distance, pair_count_, slots);
          score += sum_between(weights, mask, h, m, slots);
          score += between.sum[slots.direction] + between.sum[slots.distance];
          if (!t.many_valued.empty()) score += sum_many(weights, mask, h, m, slots);
          scores[h * positions + m] = score;
        }
      }
    }
    if (!t.between_and_head.empty()) add_between_and_head(weights, mask, scores);
  }

 private:
  // Sums for all slots of an arc at once.
  struct Slots {
    float sum[arc_slots];
    void add(const float* block, bool with_distance) {
      for (int slot = 0; slot < (with_distance ? arc_slots : 2); ++slot) sum[slot] += block[slot];
    }
  };

  // Keys of templates with any number of values a word: offsets into one flat list.
  class ManyKeys {
   public:
    template <class Nodes>
    void assign(const Nodes& nodes, const std::vector<Template>& templates, int member) {
      width_ = templates.size();
      positions_ = static_cast<std::size_t>(nodes.count());
      keys_.clear();
      begin_.assign(1, 0);
      for (int node = 0; node < nodes.count(); ++node)
        for (const Template& t : templates) {
          t.find(member)->for_each_key(nodes.seen(node), nodes.word(node), [&](std::uint32_t key) { keys_.push_back(key); });
          begin_.push_back(static_cast<std::uint32_t>(keys_.size()));
        }
    }

    std::span<const std::uint32_t> keys(int word, std::size_t k) const {
      const std::size_t i = static_cast<std::size_t>(word) * width_ + k;
      return {keys_.data() + begin_[i], begin_[i + 1] - begin_[i]};
    }

    template <class F>
    void for_each(int word, const std::vector<Template>& templates, F f) const {
      for (std::size_t k = 0; k < width_; ++k)
        for (std::uint32_t key : keys(word, k)) f(key, templates[k].with_distance);
    }

    // sums[word][slot]: everything that depends on this word alone.
    void sum_slots(const float* weights, std::uint32_t mask, const std::vector<Template>& templates,
                   std::vector<Slots>& sums) const {
      sums.assign(positions_, Slots{});
      std::size_t next = 0;
      for (std::size_t w = 0; w < positions_; ++w) {
        for (std::size_t k = 0; k < width_; ++k)
          for (const std::uint32_t end = begin_[w * width_ + k + 1]; next < end; ++next) {
            if (next + ahead < keys_.size()) __builtin_prefetch(weights + block_of(keys_[next + ahead] & mask));
            sums[w].add(weights + block_of(keys_[next] & mask), templates[k].with_distance);
          }
      }
    }

   private:
    static constexpr std::size_t ahead = 16;  // blocks asked for before they are needed
    std::size_t width_ = 0, positions_ = 0;
    std::vector<std::uint32_t> keys_, begin_;
  };

  template <class Nodes>
  void fill_keys(const Nodes& nodes, std::initializer_list<const std::vector<Template>*> groups, int member,
                 std::vector<std::uint32_t>& keys) const {
    keys.clear();
    for (int node = 0; node <= n_; ++node)
      for (const std::vector<Template>* group : groups)
        for (const Template& t : *group) keys.push_back(t.key(nodes.seen(node), member, nodes.word(node)));
  }

  const std::uint32_t* head_keys(int h) const { return head_keys_.data() + static_cast<std::size_t>(h * pair_count_); }
  const std::uint32_t* modifier_keys(int m) const {
    return modifier_keys_.data() + static_cast<std::size_t>(m * pair_count_);
  }
  // The keys of a word between: of in_between, then of between_and_head, then of between_and_modifier.
  std::size_t between_width() const {
    return templates_->in_between.size() + templates_->between_and_head.size() +
           templates_->between_and_modifier.size();
  }
  const std::uint32_t* between_head(int h) const {
    return between_head_.data() +
           static_cast<std::size_t>(h) * (templates_->in_between.size() + templates_->between_and_head.size());
  }
  const std::uint32_t* between_modifier(int m) const {
    return between_modifier_.data() +
           static_cast<std::size_t>(m) * (templates_->in_between.size() + templates_->between_and_modifier.size());
  }

  template <class F>
  void for_each_with_head(int h, const std::uint32_t* between, F f) const {
    const std::size_t first = templates_->in_between.size();
    for (std::size_t k = 0; k < templates_->between_and_head.size(); ++k)
      f(between_head(h)[first + k] ^ between[first + k], templates_->between_and_head[k].with_distance);
  }
  template <class F>
  void for_each_with_modifier(int m, const std::uint32_t* between, F f) const {
    const std::size_t first = templates_->in_between.size(), skip = templates_->between_and_head.size();
    for (std::size_t k = 0; k < templates_->between_and_modifier.size(); ++k)
      f(between_modifier(m)[first + k] ^ between[first + skip + k], templates_->between_and_modifier[k].with_distance);
  }

  // What a head and the words between give, whatever the modifier: the same walk from the other end.
  void add_between_and_head(const float* weights, std::uint32_t mask, double* scores) {
    const int positions = n_ + 1;
    for (int h = 0; h < positions; ++h)
      for (const int step : {-1, 1}) {
        std::fill(seen_.begin(), seen_.end(), 0);
        Slots between{};
        for (int m = h + step; m >= 1 && m < positions; m += step) {
          if (m - step != h && is_new_kind(m - step))
            for_each_with_head(h, between_key(m - step), [&](std::uint32_t key, bool with_distance) {
              between.add(weights + block_of(key & mask), with_distance);
            });
          const ArcSlots slots(h, m);
          scores[h * positions + m] += between.sum[slots.direction] + between.sum[slots.distance];
        }
      }
  }
  const std::uint32_t* between_key(int w) const {
    return between_word_.data() + static_cast<std::size_t>(w) * between_width();
  }

  bool is_new_kind(int word) {
    auto& seen = seen_[at(kind_[at(word)])];
    const bool is_new = !seen;
    seen = 1;
    return is_new;
  }

  // From the modifier outwards, the order in which score() meets them; each word as its first node.
  template <class F>
  void for_each_kind_between(int h, int m, F f) const {
    if (between_width() == 0) return;
    std::vector<char> seen(static_cast<std::size_t>(kinds_), 0);
    const int step = h < m ? -1 : 1, end = word_[at(h)];
    for (int word = word_[at(m)] + step; word != end; word += step) {
      const int w = first_node_[at(word)];
      auto& s = seen[at(kind_[at(w)])];
      if (!s) f(between_key(w));
      s = 1;
    }
  }

  double sum_between(const float* weights, std::uint32_t mask, int h, int m, ArcSlots slots) const {
    float sum = 0;
    for (std::size_t k = 0; k < templates_->in_between.size(); ++k) {
      const std::uint32_t hm = between_head(h)[k] ^ between_modifier(m)[k];
      const bool with_distance = templates_->in_between[k].with_distance;
      for (int w : open_) {
        const std::uint32_t x = (hm ^ between_key(w)[k]) & mask;
        sum += weights[x ^ slots.direction];
        if (with_distance) sum += weights[x ^ slots.distance];
      }
    }
    return sum;
  }

  double sum_many(const float* weights, std::uint32_t mask, int h, int m, ArcSlots slots) const {
    float sum = 0;
    for (std::size_t k = 0; k < templates_->many_valued.size(); ++k) {
      const bool with_distance = templates_->many_valued[k].with_distance;
      for (std::uint32_t a : many_head_.keys(h, k))
        for (std::uint32_t b : many_modifier_.keys(m, k)) {
          const std::uint32_t x = (a ^ b) & mask;
          sum += weights[x ^ slots.direction];
          if (with_distance) sum += weights[x ^ slots.distance];
        }
    }
    return sum;
  }

  const ArcTemplates* templates_;
  int n_ = 0, pair_count_ = 0, kinds_ = 0;
  std::vector<std::uint32_t> head_keys_, modifier_keys_;
  std::vector<std::uint32_t> between_head_, between_modifier_, between_word_;
  std::vector<int> word_, first_node_;  // of each node; of each word
  std::vector<int> kind_, open_, allowed_heads_;
  static constexpr std::size_t pairs_ahead = 4;
  std::array<PairBlocks, pairs_ahead> pairs_;
  std::vector<char> seen_;
  ManyKeys head_only_, modifier_only_, many_head_, many_modifier_;
  std::vector<Slots> head_sums_, modifier_sums_;
};

}  // namespace headwise::scoring
