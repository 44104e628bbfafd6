// Spanning trees drawn exactly from their distribution, from an elimination (eliminate_all of spanning.cuh), by one
// warp.
//
// Words come back in the order in which they did not leave. The arc from h to c among those that are there either was
// there all along, or stands for h → s → c with s the word that comes back, in known shares. Words whose arcs turn
// out to go through s now hang from s. If there are none, s takes any head in proportion to its weight. Otherwise the
// heads that these words had compete: start at one of them, and as long as it lies below another of these words, go
// on to that word's; the first that hangs from the root without them becomes the head of s.
// (native/trees/spanning/sample_spanning_tree.hpp says why that is exact.) No sample takes more than its O(n²)
// choices, however peaked the scores are.
//
// Weights of infinitely small orders, with a single root: only alternatives of the lowest order are ever chosen.
#pragma once
#include "spanning.cuh"

namespace headwise::kernels {

template <class T>
class SpanningTreeSampler {
 public:
  // Integers of memory.
  HEADWISE_DEVICE static int size(int n) { return 2 * (n + 1); }
  // `walk` as eliminate_all left it; `tops` as take_off_best did. There is a tree.
  HEADWISE_DEVICE SpanningTreeSampler(const Batch<T>& batch, int sentence, const Walks<T, 1>& walk, const T* tops,
                                      int* memory)
      : batch_(batch), walk_(walk), tops_(tops), sentence_(sentence), n_(static_cast<int>(batch.lengths[sentence])),
        heads_(memory), through_(memory + n_ + 1) {}

  template <class Pick>
  HEADWISE_DEVICE void draw(const Lanes& lanes, Pick& pick) {
    const int lane = lanes.rank() % lanes.warp();
    lanes.sync_warp();  // the tree before has been read
    for (int word = lane; word <= n_; word += lanes.warp()) heads_[word] = through_[word] = 0;
    lanes.sync_warp();
    for (int s = 1; s <= n_; ++s) {
      int head = 0;
      const int first = next_through(lanes, 0, s);
      if (first == 0) {
        head = choose_lowest(lanes, pick, s, [&](int h) { return h == 0 ? walk_.root(s, 1) : to_word(s, h); });
      } else {
        for (int c = first; c != 0; c = above_head(c, s)) head = heads_[c];
        for (int c = first; c != 0; c = next_through(lanes, c, s)) attach(lanes, pick, s, c, s);
      }
      attach(lanes, pick, head, s, s);
    }
  }
  HEADWISE_DEVICE int head(int word) const { return heads_[word]; }

 private:
  HEADWISE_DEVICE Ordered<T, 1> to_word(int c, int h) const { return {walk_.to_words(c, h), 0}; }

  // The first word behind c whose arc goes through s, 0 if there is none.
  HEADWISE_DEVICE int next_through(const Lanes& lanes, int c, int s) const {
    const int count = s - 1 - c;
    if (count <= 0) return 0;
    const int found =
        c + 1 + choose(lanes, count, T(-1), [&](int k) { return T(through_[c + 1 + k] == s ? n_ - k : 0); });
    return through_[found] == s ? found : 0;
  }
  // The word whose arc goes through s that the head of c hangs from, 0 if there is none.
  HEADWISE_DEVICE int above_head(int c, int s) const {
    int node = heads_[c];
    while (node != 0 && through_[node] != s) node = heads_[node];
    return node;
  }

  // Makes h the head of c among the words up to s, and draws the word behind s that the arc goes through.
  template <class Pick>
  HEADWISE_DEVICE void attach(const Lanes& lanes, Pick& pick, int h, int c, int s) {
    const int option = choose_lowest(lanes, pick, n_ - s + 1, [&](int k) -> Ordered<T, 1> {
      if (k == 0) {
        Log<T, 1> arc = load<T, 1>(batch_, batch_.offset(sentence_) + (long long)h * batch_.width + c);
        arc.x[0] -= tops_[c];
        return {arc, h == 0 && batch_.single_root};
      }
      const int j = s + k;
      const auto sum = walk_.root(j, 0), on = h == 0 ? walk_.root(j, 1) : to_word(j, h);
      const auto to_j = walk_.to_words(c, j);
      if (!sum.possible() || !on.possible() || !to_j.possible()) return {};
      return {to_j + on.log - sum.log, on.order - sum.order};
    });
    lanes.sync_warp();
    heads_[c] = h;  // all lanes write the same
    through_[c] = option == 0 ? 0 : s + option;
    lanes.sync_warp();
  }

  // Of `count` alternatives, one of the lowest order that is possible.
  template <class Pick, class Option>
  HEADWISE_DEVICE int choose_lowest(const Lanes& lanes, Pick& pick, int count, Option option) {
    int chosen = 0;
    for (int order = 0; order < 2; ++order) {
      chosen = pick(lanes, count, step_++, [&](int k) {
        const auto one = option(k);
        return one.order == order ? one.log.x[0] : impossible<T>();
      });
      const auto one = option(chosen);
      if (one.possible() && one.order == order) break;
    }
    return chosen;
  }

  const Batch<T>& batch_;
  const Walks<T, 1>& walk_;
  const T* tops_;
  int sentence_, n_;
  int *heads_, *through_;
  long long step_ = 0;  // choices so far
};

}  // namespace headwise::kernels
