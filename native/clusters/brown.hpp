// Brown clusters (Brown et al. 1992; Liang 2005; Koo 2010, section 3.2): words come in by falling frequency, each as a
// cluster of its own; where there are more than C, the two clusters whose merger loses least of the mutual information of
// neighbouring clusters become one. What is left at the end is merged into a binary tree.
//
// The information is Σ p(a, b) log p(a, b) / (p(a) p(b)) over pairs of clusters that are there. The probabilities are
// those of the whole text, so that of a cluster does not change when another word comes in. With n(a, b) the number of
// times that b follows a, l(a) the number of times that a is followed by any word of the text, and o(a) that it is by one
// of a cluster that is there, and r and i the same for what it follows, that is up to constants
//
//   Σ f(n(a, b)) − Σ o(a) log l(a) − Σ i(b) log r(b),  f(x) = x log x.
//
// So merging a and b loses, with gain(x, y) = f(x + y) − f(x) − f(y),
//
//   o(a) log (l(a) + l(b)) / l(a) + o(b) log (l(a) + l(b)) / l(b) + the same of i and r
//     − Σ_x gain(n(a, x), n(b, x)) − Σ_x gain(n(x, a), n(x, b)),
//
// but for the four counts of a and b among themselves, which become one (`within`). A gain is 0 where one of the two is,
// and o(a) changes where a word comes in beside a: bringing in a word that stands beside k clusters, or merging it into
// another, changes the losses of pairs that touch these k alone. A word costs O(C · k), and not O(C²).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "clusters/bigrams.hpp"
#include "clusters/fixed_point.hpp"

namespace headwise::clusters {

// Clusters are named by the place of their most frequent word among all words.
struct Merger {
  std::uint32_t kept, absorbed;  // kept < absorbed
  double loss;                   // of information, in bits of all bigrams together
};

class BrownClusters {
 public:
  BrownClusters(const Bigrams& bigrams, std::size_t clusters)
      : bigrams_(&bigrams),
        most_(std::min(clusters, bigrams.words.size())),
        visitor_(most_),
        width_((most_ + 8) / 8 * 8),
        fixed_(2 * bigrams.total()),
        after_(width_ * width_),
        before_(width_ * width_),
        loss_(width_ * width_, never),
        log_left_(width_ * width_),
        log_right_(width_ * width_),
        slots_(width_),
        best_(width_),
        cluster_(bigrams.words.size()) {
    if (!most_) throw std::invalid_argument("there are no words to cluster");
  }

  // Brings in the next word. False when all are in.
  bool add_word() {
    if (next_ == bigrams_->words.size()) return false;
    const std::size_t slot = next_ < most_ ? next_ : visitor_;
    enter(slot);
    refresh();
    if (slot == visitor_) {
      Pair found = best_pair();
      const Pair with_visitor = pair_of(visitor_, scan(visitor_));
      if (with_visitor < found) found = with_visitor;
      const std::size_t freed = merge(found);
      if (freed != visitor_) move_visitor(freed);
      refresh();
    }
    ++next_;
    return next_ < bigrams_->words.size();
  }

  // After all words: merges two of the clusters that are left. False when there is one.
  bool join() {
    if (active_ < 2) return false;
    merge(best_pair());
    refresh();
    return active_ > 1;
  }

  std::size_t words_done() const { return next_; }
  std::size_t active() const { return active_; }
  const std::vector<Merger>& mergers() const { return mergers_; }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  using Counts = std::vector<std::uint32_t>;

  struct Slot {
    bool active = false, touched = false;
    std::uint32_t name = 0;
    std::uint64_t left = 0, right = 0;     // how often it is followed, and follows: l and r
    std::int64_t followed = 0, follows = 0;  // the same of clusters that are there: o and i
    std::int64_t log_left = 0, log_right = 0;
  };
  struct Best {
    std::int64_t loss = never;
    std::size_t partner = nobody;
  };
  struct Pair {
    std::int64_t loss;
    std::uint32_t kept, absorbed;  // names: of mergers that lose the same, the first
    std::size_t a, b;
    bool operator<(const Pair& other) const {
      return std::tie(loss, kept, absorbed) < std::tie(other.loss, other.kept, other.absorbed);
    }
  };

  std::uint32_t* row(Counts& counts, std::size_t slot) { return counts.data() + slot * width_; }
  std::int64_t* losses(std::size_t slot) { return loss_.data() + slot * width_; }

  void lower_loss(std::size_t a, std::size_t b, std::int64_t by) {
    losses(a)[b] -= by;
    losses(b)[a] -= by;
  }
  void set_loss(std::size_t a, std::size_t b, std::int64_t loss) { losses(a)[b] = losses(b)[a] = loss; }
  void touch(std::size_t slot) { slots_[slot].touched = true; }

  std::uint32_t cluster_of(std::uint32_t word) {
    std::uint32_t root = word;
    while (cluster_[root] != root) root = cluster_[root];
    while (cluster_[word] != root) word = std::exchange(cluster_[word], root);
    return root;
  }

  // The part of a pair's loss that is no sum over others, put right for what they are to each other.
  std::int64_t alone(std::size_t a, std::size_t b) {
    const Slot &s = slots_[a], &t = slots_[b];
    const auto aa = row(after_, a)[a], ab = row(after_, a)[b], ba = row(after_, b)[a], bb = row(after_, b)[b];
    const std::int64_t left = log_left_[a * width_ + b], right = log_right_[a * width_ + b];
    std::int64_t loss = s.followed * (left - s.log_left) + t.followed * (left - t.log_left) +
                        s.follows * (right - s.log_right) + t.follows * (right - t.log_right);
    if (aa | ab | ba | bb) {
      const std::uint64_t within = std::uint64_t{aa} + ab + ba + bb;
      loss += fixed_.gain(aa, ba) + fixed_.gain(ab, bb) + fixed_.gain(aa, ab) + fixed_.gain(ba, bb);
      loss -= fixed_.f(within) - fixed_.f(aa) - fixed_.f(ab) - fixed_.f(ba) - fixed_.f(bb);
    }
    return loss;
  }

  // After l and r of a cluster have changed: the logarithms of those of its mergers.
  void take_logs(std::size_t slot) {
    Slot& own = slots_[slot];
    own.log_left = fixed_.log(own.left);
    own.log_right = fixed_.log(own.right);
    for (std::size_t z = 0; z < width_; ++z) {
      if (!slots_[z].active || z == slot) continue;
      log_left_[slot * width_ + z] = log_left_[z * width_ + slot] = fixed_.log(own.left + slots_[z].left);
      log_right_[slot * width_ + z] = log_right_[z * width_ + slot] = fixed_.log(own.right + slots_[z].right);
    }
  }

  // A cluster stands beside what is there more often than before: o and i grow.
  void grow(std::size_t slot, std::int64_t followed, std::int64_t follows) {
    Slot& own = slots_[slot];
    own.followed += followed;
    own.follows += follows;
    touch(slot);
    const std::int64_t constant = followed * own.log_left + follows * own.log_right;
    const std::int64_t *left = log_left_.data() + slot * width_, *right = log_right_.data() + slot * width_;
    for (std::size_t z = 0; z < width_; ++z)
      if (losses(slot)[z] != never) lower_loss(slot, z, constant - followed * left[z] - follows * right[z]);
  }

  void enter(std::size_t slot) {
    const auto word = static_cast<std::uint32_t>(next_);
    Slot& own = slots_[slot];
    own = {.active = true, .touched = true, .name = word};
    cluster_[word] = word;
    slot_of_.resize(cluster_.size());
    slot_of_[word] = slot;
    ++active_;
    for (const auto& [other, count] : bigrams_->after(word)) {
      own.left += count;
      if (other <= word) add_count(slot, slot_of_[cluster_of(other)], count);
    }
    for (const auto& [other, count] : bigrams_->before(word)) {
      own.right += count;
      if (other < word) add_count(slot_of_[cluster_of(other)], slot, count);
    }
    take_logs(slot);
    const std::uint32_t *follows_it = row(after_, slot), *precedes_it = row(before_, slot);
    for (std::size_t y = 0; y < width_; ++y) {
      own.followed += follows_it[y];
      own.follows += precedes_it[y];
      if (y != slot && (follows_it[y] | precedes_it[y])) grow(y, precedes_it[y], follows_it[y]);
    }
    sums_.assign(width_, 0);
    for (const auto& [mine, theirs] : {std::pair{&after_, &before_}, std::pair{&before_, &after_}}) {
      // A new neighbour of the others: pairs of those that both have it.
      const std::vector<std::size_t> beside = neighbours(row(*theirs, slot), slot, nobody);
      const std::uint32_t* counts = row(*theirs, slot);
      for (std::size_t i = 0; i < beside.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          lower_loss(beside[i], beside[j], fixed_.gain(counts[beside[i]], counts[beside[j]]));
      // Its own pairs.
      for (std::size_t x = 0; x < width_; ++x)
        if (const std::uint32_t count = row(*mine, slot)[x]) add_gains(count, row(*theirs, x));
    }
    for (std::size_t z = 0; z < width_; ++z)
      if (z != slot && slots_[z].active) set_loss(slot, z, alone(slot, z) - sums_[z]);
  }

  void add_count(std::size_t first, std::size_t second, std::uint32_t count) {
    row(after_, first)[second] += count;
    row(before_, second)[first] += count;
  }

  // sums[z] += gain(count, theirs[z])
  void add_gains(std::uint64_t count, const std::uint32_t* theirs) {
    const std::int64_t own = fixed_.f(count);
    for (std::size_t z = 0; z < width_; ++z)
      if (theirs[z]) sums_[z] += fixed_.f(theirs[z] + count) - fixed_.f(theirs[z]) - own;
  }

  std::vector<std::size_t> neighbours(const std::uint32_t* counts, std::size_t a, std::size_t b) const {
    std::vector<std::size_t> found;
    for (std::size_t x = 0; x < width_; ++x)
      if (counts[x] && x != a && x != b) found.push_back(x);
    return found;
  }

  Best scan(std::size_t slot) {
    const std::int64_t* losses_of = losses(slot);
    std::int64_t least = never;
    for (std::size_t z = 0; z < most_; ++z) least = std::min(least, losses_of[z]);
    Best best;
    if (least == never) return best;
    best.loss = least;
    for (std::size_t z = 0; z < most_; ++z)
      if (losses_of[z] == least && (best.partner == nobody || slots_[z].name < slots_[best.partner].name)) best.partner = z;
    return best;
  }

  Pair pair_of(std::size_t slot, const Best& best) const {
    std::size_t a = slot, b = best.partner;
    if (b == nobody) return {never, 0, 0, a, b};
    if (slots_[b].name < slots_[a].name) std::swap(a, b);
    return {best.loss, slots_[a].name, slots_[b].name, a, b};
  }

  Pair best_pair() const {
    Pair found{never, 0, 0, nobody, nobody};
    for (std::size_t y = 0; y < most_; ++y)
      if (slots_[y].active)
        if (const Pair pair = pair_of(y, best_[y]); pair.loss != never && pair < found) found = pair;
    return found;
  }

  // Where rows have changed, so may have the least losses of others.
  void refresh() {
    std::vector<std::size_t> touched;
    for (std::size_t y = 0; y < most_; ++y)
      if (std::exchange(slots_[y].touched, false)) touched.push_back(y);
    slots_[visitor_].touched = false;
    std::vector<std::uint8_t> is_touched(most_, 0);
    for (const std::size_t y : touched) is_touched[y] = 1;
    for (std::size_t y = 0; y < most_; ++y) {
      if (!slots_[y].active) continue;
      Best& best = best_[y];
      const std::int64_t* own = losses(y);
      if (is_touched[y] || best.partner == nobody || own[best.partner] > best.loss) {
        best = scan(y);
        continue;
      }
      best.loss = own[best.partner];
      for (const std::size_t x : touched)
        if (own[x] < best.loss || (own[x] == best.loss && own[x] != never && slots_[x].name < slots_[best.partner].name))
          best = {own[x], x};
    }
  }

  // Returns the slot that is free now.
  std::size_t merge(const Pair& pair) {
    const std::size_t a = pair.a, b = pair.b;
    mergers_.push_back({pair.kept, pair.absorbed, fixed_.bits(pair.loss)});
    sums_.assign(width_, 0);
    for (std::size_t z = 0; z < width_; ++z)
      if (slots_[z].active && z != a && z != b) sums_[z] = alone(a, z) - losses(a)[z];
    for (const auto& [mine, theirs] : {std::pair{&after_, &before_}, std::pair{&before_, &after_}}) {
      join_rows(row(*mine, a), row(*mine, b), *theirs);
      join_columns(*mine, *theirs, a, b);
    }
    for (Counts* counts : {&after_, &before_}) {
      for (std::size_t x = 0; x < width_; ++x) row(*counts, a)[x] += std::exchange(row(*counts, b)[x], 0);
      for (std::size_t y = 0; y < width_; ++y) row(*counts, y)[a] += std::exchange(row(*counts, y)[b], 0);
    }
    slots_[a].left += slots_[b].left;
    slots_[a].right += slots_[b].right;
    slots_[a].followed += slots_[b].followed;
    slots_[a].follows += slots_[b].follows;
    slots_[b].active = false;
    take_logs(a);
    --active_;
    cluster_[pair.absorbed] = pair.kept;
    for (std::size_t z = 0; z < width_; ++z) {
      set_loss(b, z, never);
      if (z != a && slots_[z].active) set_loss(a, z, alone(a, z) - sums_[z]);
    }
    touch(a);
    touch(b);
    return b;
  }

  // What a's pairs gain by b's counts: Σ_x gain(n(a, x) + n(b, x), n(z, x)) − gain(n(a, x), n(z, x)).
  void join_rows(const std::uint32_t* of_a, const std::uint32_t* of_b, Counts& theirs) {
    for (std::size_t x = 0; x < width_; ++x) {
      if (!of_b[x]) continue;
      const std::uint64_t p = of_a[x], both = p + of_b[x];
      const std::int64_t own = fixed_.f(both) - fixed_.f(p);
      const std::uint32_t* counts = row(theirs, x);
      for (std::size_t z = 0; z < width_; ++z)
        if (counts[z]) sums_[z] += fixed_.f(both + counts[z]) - fixed_.f(p + counts[z]) - own;
    }
  }

  // What pairs gain when a and b are one neighbour of theirs.
  void join_columns(Counts& mine, Counts& theirs, std::size_t a, std::size_t b) {
    const std::uint32_t *to_a = row(theirs, a), *to_b = row(theirs, b);  // n(y, a) and n(y, b), by y
    const std::vector<std::size_t> beside = neighbours(to_b, a, b);
    std::vector<std::uint8_t> done(width_, 0);
    done[a] = done[b] = 1;
    const auto joined = [&](std::uint64_t ya, std::uint64_t yb, std::size_t z) {
      return fixed_.gain(ya + yb, std::uint64_t{to_a[z]} + to_b[z]) - fixed_.gain(ya, to_a[z]) - fixed_.gain(yb, to_b[z]);
    };
    for (const std::size_t y : beside) {
      done[y] = 1;
      touch(y);
      for (std::size_t z = 0; z < width_; ++z)
        if ((to_a[z] | to_b[z]) && !done[z]) lower_loss(y, z, joined(to_a[y], to_b[y], z));
    }
    const std::uint64_t own_a = std::uint64_t{row(mine, a)[a]} + row(mine, b)[a];
    const std::uint64_t own_b = std::uint64_t{row(mine, a)[b]} + row(mine, b)[b];
    for (std::size_t z = 0; z < width_; ++z)
      if ((to_a[z] | to_b[z]) && z != a && z != b) sums_[z] += joined(own_a, own_b, z);
  }

  void move_visitor(std::size_t slot) {
    const std::size_t from = visitor_;
    for (Counts* counts : {&after_, &before_}) {
      for (std::size_t x = 0; x < width_; ++x) row(*counts, slot)[x] = std::exchange(row(*counts, from)[x], 0);
      for (std::size_t y = 0; y < width_; ++y) row(*counts, y)[slot] = std::exchange(row(*counts, y)[from], 0);
    }
    for (std::size_t z = 0; z < width_; ++z) {
      const std::int64_t loss = z == slot || z == from ? never : losses(from)[z];
      set_loss(from, z, never);
      set_loss(slot, z, loss);
    }
    slots_[slot] = slots_[from];
    slots_[from].active = false;
    take_logs(slot);
    slot_of_[slots_[slot].name] = slot;
    touch(slot);
  }

  const Bigrams* bigrams_;
  std::size_t most_, visitor_, width_;
  FixedPoint fixed_;
  Counts after_, before_;            // n(a, b) at [a][b], and at [b][a]
  std::vector<std::int64_t> loss_;   // of merging two; symmetric
  std::vector<std::int64_t> log_left_, log_right_;  // log (l(a) + l(b)), log (r(a) + r(b))
  std::vector<Slot> slots_;
  std::vector<Best> best_;           // the visitor is nobody's partner there: it is to everybody's liking
  std::vector<std::uint32_t> cluster_;
  std::vector<std::size_t> slot_of_;  // of a cluster, by name
  std::vector<std::int64_t> sums_;
  std::vector<Merger> mergers_;
  std::size_t next_ = 0, active_ = 0;
};

}  // namespace headwise::clusters
