// The k best spanning trees of one sentence, by one warp: Camerini, Fratta and Maffioli (1980).
//
// A set of trees falls into those that have a certain arc of its best tree A, and those that have not. The arc is
// chosen so that the best tree without it is the best of the set but for A. One more search finds it: wherever that
// search takes an arc of A into a node (a word, or a cycle made one node), the best other arc into that node from a
// word that does not hang below it could take its place; the smallest loss is the answer. So k trees take about 3k
// searches of O(n²) each.
//
// Where scores tie, or round to the same, that search may find another tree than A. Then it is the best but for A,
// and an arc of A that it lacks divides the set.
#pragma once
#include "arborescence.cuh"

namespace headwise::kernels {

// What is seen of a search: the loss of the arc of a known tree whose loss is smallest.
template <class T>
class SmallestLoss {
 public:
  HEADWISE_DEVICE SmallestLoss(int n, bool single_root, Memory<T, 1>& memory)
      : n_(n), single_root_(single_root), rest_(memory.table()) {
    above_ = memory.integers((n + 1) * masks());
  }

  // heads[m] are the tree; weight(h, m) are arcs.
  template <class Weight>
  HEADWISE_DEVICE void reset(const Lanes& lanes, const int* heads, Weight weight) {
    heads_ = heads;
    loss_ = -impossible<T>();
    each_cell(lanes, n_ + 1, n_ + 1, [&](int h, int m) {
      rest_.set(m, h, Log<T, 1>{{m == 0 || h == m || heads[m] == h ? impossible<T>() : weight(h, m)}});
    });
    for (int word = lanes.rank(); word <= n_; word += lanes.warp()) {
      int* mask = above_ + word * masks();
      for (int k = 0; k < masks(); ++k) mask[k] = 0;
      for (int node = word; node != 0; node = heads[node]) mask[node >> 5] |= 1 << (node & 31);
    }
    lanes.sync_warp();
  }

  HEADWISE_DEVICE T loss() const { return loss_; }
  HEADWISE_DEVICE int head() const { return head_; }
  HEADWISE_DEVICE int modifier() const { return modifier_; }

  // An arc from `source` to a word was chosen, for the node that owns a row.
  HEADWISE_DEVICE void chosen(const Lanes& lanes, int row, int source, int word, T weight) {
    if (heads_[word] != source) return;
    const int first = single_root_ && source != 0 ? 1 : 0;  // a second arc from the root would be one too many
    const int count = single_root_ && source == 0 ? 1 : n_ + 1 - first;
    const auto other = [&](int k) {
      const bool is_below = above_[(first + k) * masks() + (word >> 5)] >> (word & 31) & 1;
      return is_below ? impossible<T>() : rest_(row, first + k).x[0];
    };
    const T best = other(choose(lanes, count, impossible<T>(), other));
    lanes.sync_warp();  // before rows change
    if (!(best > impossible<T>()) || !(weight - best < loss_)) return;
    loss_ = weight - best;
    head_ = source;
    modifier_ = word;
  }
  // The node that owns `row` becomes part of the cycle that owns `home`, and lost its arc, which weighed `replaced`.
  HEADWISE_DEVICE void merge(const Lanes& lanes, int home, int row, T replaced) const {
    for (int u = lanes.rank(); u <= n_; u += lanes.warp()) {
      Log<T, 1> gain = rest_(row, u);
      gain.x[0] -= replaced;
      if (row == home || gain.x[0] > rest_(home, u).x[0]) rest_.set(home, u, gain);
    }
  }

 private:
  HEADWISE_DEVICE int masks() const { return (n_ >> 5) + 1; }

  int n_;
  bool single_root_;
  Table<T, 1> rest_;  // as the weights of the search, without the arcs of the tree
  int* above_;        // of every word, a bit for each word on its way to the root, and for itself
  const int* heads_ = nullptr;
  T loss_ = 0;
  int head_ = 0, modifier_ = 0;
};

template <class T>
class BestSpanningTrees {
 public:
  HEADWISE_DEVICE BestSpanningTrees(const Batch<T>& batch, int sentence, int k, Memory<T, 1> memory)
      : batch_(batch), sentence_(sentence), n_(static_cast<int>(batch.lengths[sentence])), k_(k),
        arborescence_(n_, batch.single_root, memory), loss_(n_, batch.single_root, memory),
        heads_(memory.integers(n_ + 1)), next_(memory.rows(1, k).values), arcs_(memory.integers(k)),
        parents_(memory.integers(k)), divisions_(memory.integers(k)) {}

  // heads[rank · (width − 1) + m − 1] and scores[rank], best first; what is not there stays as it is.
  HEADWISE_DEVICE void find(const Lanes& lanes, long long* heads, T* scores) {
    const int words = batch_.width - 1;
    for (int rank = 0; rank < k_; ++rank) {
      int divided = 0;
      if (rank > 0) {
        divided = choose(lanes, rank, impossible<T>(), [&](int set) { return next_[set]; });
        if (!(next_[divided] > impossible<T>())) return;
        parents_[rank] = divided;  // all lanes write the same
        divisions_[rank] = arcs_[divided];
        lanes.sync_warp();
      }
      prepare(lanes, rank, rank);
      if (!arborescence_.solve(lanes)) return;
      arborescence_.expand(lanes);
      const T score = tree_score(lanes, batch_, sentence_, n_, [&](int m) { return arborescence_.head(m); });
      if (lanes.rank() == 0) scores[rank] = score;
      for (int m = 1 + lanes.rank(); m <= n_; m += lanes.warp())
        heads[(long long)rank * words + m - 1] = heads_[m] = arborescence_.head(m);
      if (rank + 1 == k_) return;
      look_ahead(lanes, rank, rank, score);
      if (rank == 0) continue;
      for (int m = 1 + lanes.rank(); m <= n_; m += lanes.warp())
        heads_[m] = static_cast<int>(heads[(long long)divided * words + m - 1]);
      look_ahead(lanes, divided, rank, scores[divided]);
    }
  }

 private:
  // The set of a rank came to be when that tree was found, out of the set parents_[rank]: there without the arc
  // divisions_[rank], which the other set has from then on. visit(arc, is required) for what divides a set from
  // others, once there are `last` + 1 of them.
  template <class Visit>
  HEADWISE_DEVICE void each_constraint(int set, int last, Visit visit) const {
    for (;;) {
      for (int later = set + 1; later <= last; ++later)
        if (parents_[later] == set) visit(divisions_[later], true);
      if (set == 0) return;
      visit(divisions_[set], false);
      last = set - 1;
      set = parents_[set];
    }
  }

  // The arcs that trees of a set may have.
  HEADWISE_DEVICE void prepare(const Lanes& lanes, int set, int last) {
    lanes.sync_warp();
    arborescence_.reset(lanes);
    load_arcs<T, 1, true>(lanes, batch_, sentence_, n_, [&](int h, int m, const Log<T, 1>& weight) {
      arborescence_.set_arc(h, m, weight.x[0]);
    });
    each_constraint(set, last, [&](int arc, bool required) {
      const int head = arc >> 16, modifier = arc & 0xffff;
      for (int h = lanes.rank(); h <= n_; h += lanes.warp())
        if ((h == head) != required) arborescence_.set_arc(h, modifier, impossible<T>());
    });
    lanes.sync_warp();
  }

  // The score of the best tree of a set but for that in heads_, which is the best, and an arc that it lacks.
  HEADWISE_DEVICE void look_ahead(const Lanes& lanes, int set, int last, T score) {
    prepare(lanes, set, last);
    loss_.reset(lanes, heads_, [&](int h, int m) { return arborescence_.arc(h, m); });
    T next = impossible<T>();
    int arc = 0;
    if (arborescence_.solve(lanes, loss_)) {
      arborescence_.expand(lanes);
      const auto differs = [&](int k) { return T(heads_[k + 1] != arborescence_.head(k + 1)); };
      const int word = 1 + choose(lanes, n_, T(-1), differs);
      if (differs(word - 1) > 0) {
        next = tree_score(lanes, batch_, sentence_, n_, [&](int m) { return arborescence_.head(m); });
        arc = heads_[word] << 16 | word;
      } else {
        next = score - loss_.loss();
        arc = loss_.head() << 16 | loss_.modifier();
      }
    }
    lanes.sync_warp();
    next_[set] = next;  // all lanes write the same
    arcs_[set] = arc;
    lanes.sync_warp();
  }

  const Batch<T>& batch_;
  int sentence_, n_, k_;
  Arborescence<T> arborescence_;
  SmallestLoss<T> loss_;
  int* heads_;
  T* next_;    // of every set, the score of the best tree that has not been found yet
  int* arcs_;  // and an arc, head << 16 | modifier, that it lacks
  int *parents_, *divisions_;
};

}  // namespace headwise::kernels
