// The k best trees of a filled chart, one walk for each (Lawler 1972, on choices instead of arcs).
//
// A tree is the choices that a walk takes, one after the other (choices.cuh). When a tree has been taken out of a set
// of trees, the rest falls into smaller sets: the i-th keeps the choices before the i-th, and there takes another
// one. The best of a set takes the next best alternative there and the best ones from then on, so that its score is
// known without a search: that of the tree, plus what the alternative weighs, less what the choice did. Of all sets
// seen so far, those that can still be among the k best are kept. Derivations are unique in our charts: different
// choices are different trees.
#pragma once
#include "lanes.cuh"
#include "numbers.cuh"

namespace headwise::kernels {

template <class T>
class BestWalks {
 public:
  // `best` is the score of the best tree; there is one. A walk takes up to `steps` choices.
  HEADWISE_DEVICE BestWalks(int steps, int k, T best, T* memory)
      : steps_(steps), k_(k), score_(best), set_scores_(memory), sets_(reinterpret_cast<int*>(memory + k)),
        choices_(sets_ + 3 * k) {}

  HEADWISE_DEVICE T score() const { return score_; }

  // Prepares the walk through the next best tree; false where there is none left.
  HEADWISE_DEVICE bool next(const Lanes& lanes) {
    step_ = 0;
    if (++tree_ == 0) return true;
    if (tree_ == k_ || count_ == 0) return false;
    lanes.sync_warp();
    const int best = choose(lanes, count_, impossible<T>(), [&](int set) { return set_scores_[set]; });
    score_ = set_scores_[best];
    parent_ = sets_[3 * best];
    deviates_at_ = sets_[3 * best + 1];
    deviation_ = sets_[3 * best + 2];
    lanes.sync_warp();
    --count_;
    if (lanes.rank() % lanes.warp() == 0) move(count_, best);
    lanes.sync_warp();
    return true;
  }

  template <class Weight>
  HEADWISE_DEVICE int operator()(const Lanes& lanes, int count, long long, Weight weight) {
    if (count == 1) return 0;
    lanes.sync_warp();
    const int step = step_++;
    int chosen;
    if (step < deviates_at_) {
      chosen = choices_[(long long)parent_ * steps_ + step];
    } else {
      chosen = step == deviates_at_ ? deviation_ : choose(lanes, count, impossible<T>(), weight);
      if (tree_ + 1 < k_) offer_next(lanes, count, step, chosen, weight);
    }
    choices_[(long long)tree_ * steps_ + step] = chosen;  // all lanes write the same
    return chosen;
  }

 private:
  // The set of trees that have the next best alternative at this step.
  template <class Weight>
  HEADWISE_DEVICE void offer_next(const Lanes& lanes, int count, int step, int chosen, Weight weight) {
    const T taken = weight(chosen);
    const auto comes_later = [&](int number, T of_number) {  // in the order in which `choose` would take them
      if (of_number != taken) return of_number < taken;
      const int lane = number % lanes.warp(), lane_of_chosen = chosen % lanes.warp();
      return lane != lane_of_chosen ? lane > lane_of_chosen : number > chosen;
    };
    const int other = choose(lanes, count, impossible<T>(), [&](int number) {
      const T of_number = weight(number);
      return comes_later(number, of_number) ? of_number : impossible<T>();
    });
    const T of_other = weight(other);
    if (!(of_other > impossible<T>()) || !comes_later(other, of_other)) return;
    const T score = score_ + (of_other - taken);
    int place = count_;
    if (count_ == k_ - 1 - tree_) {  // no more are asked for
      lanes.sync_warp();
      place = choose(lanes, count_, impossible<T>(), [&](int set) { return -set_scores_[set]; });
      if (!(score > set_scores_[place])) return;
      lanes.sync_warp();
    } else {
      ++count_;
    }
    set_scores_[place] = score;
    sets_[3 * place] = tree_;
    sets_[3 * place + 1] = step;
    sets_[3 * place + 2] = other;
  }
  HEADWISE_DEVICE void move(int from, int to) const {
    set_scores_[to] = set_scores_[from];
    for (int k = 0; k < 3; ++k) sets_[3 * to + k] = sets_[3 * from + k];
  }

  int steps_, k_;
  int tree_ = -1, step_ = 0, count_ = 0;
  int parent_ = 0, deviates_at_ = -1, deviation_ = 0;  // of the tree that is being walked through
  T score_;
  T* set_scores_;
  int *sets_, *choices_;  // of a set, the tree that it is a rest of, the step, and the choice there; of trees, all
};

// scores[rank] of the k best trees, and walk(pick, rank) for each, by the lanes of one warp. `best` is the score of
// the first, and there is one; memory as chart_memory.py has it.
template <class T, class Walk>
HEADWISE_DEVICE void each_best(const Lanes& lanes, int steps, int k, T best, T* memory, T* scores, Walk walk) {
  BestWalks<T> pick(steps, k, best, memory);
  for (int rank = 0; pick.next(lanes); ++rank) {
    if (lanes.rank() == 0) scores[rank] = pick.score();
    walk(pick, rank);
  }
}

}  // namespace headwise::kernels
