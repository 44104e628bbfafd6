// A Markov chain of trees whose distribution tends to exp(score / temperature) (Metropolis-Hastings; Zhang et al.
// 2014, "Steps to excellence", section 3.2).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "trees/local_search/block_proposal.hpp"
#include "trees/local_search/moves.hpp"

namespace headwise::trees {

enum class Proposal : std::uint8_t { gibbs, block, both };

struct ChainSettings {
  Proposal proposal = Proposal::both;
  int block = 4;  // words that one block proposal gives new heads (the paper's K)
  bool projective = false;  // only trees without crossing arcs, from one of them (the paper's section 3.2.1)
};

class TreeChain {
 public:
  TreeChain(MovableTree& tree, const PartScores& scores, bool single_root, const ChainSettings& settings)
      : tree_(tree), scores_(scores), single_root_(single_root), settings_(settings), moves_(tree, single_root, settings.projective) {
    for (int m = 1; m <= tree.words(); ++m) words_.push_back(m);
  }

  // With a single root, Gibbs steps alone never change the root.
  void step(double temperature, Random& random) {
    step(temperature, random, [] {});
  }
  // proposed() is called while the tree is the one that is proposed, which may be rejected afterwards.
  template <class Proposed>
  void step(double temperature, Random& random, Proposed proposed) {
    const bool one_word = settings_.proposal == Proposal::both ? random.uniform() < gibbs_share
                                                               : settings_.proposal == Proposal::gibbs;
    if (!one_word) return block(temperature, random, proposed);
    gibbs(below(tree_.words(), random) + 1, temperature, random);
    proposed();
  }

  // The head of m drawn from its distribution given all other heads; never rejected.
  void gibbs(int m, double temperature, Random& random) {
    moves_.look_at(m);
    tree_.detach(m);
    options_.clear();
    weights_.clear();
    moves_.each(m, [&](int arc) {
      options_.push_back(arc);
      weights_.push_back(tree_.attachment(arc) / temperature);
    });
    const double most = *std::max_element(weights_.begin(), weights_.end());
    double sum = 0;
    for (double& weight : weights_) sum += weight = std::exp(weight - most);
    const int count = static_cast<int>(weights_.size());
    tree_.attach(options_[at(pick_by_weight(weights_.data(), count, sum, random.uniform()))]);
  }

  // New heads for a random block. What is drawn does not depend on the heads that the block had, so
  // q(y | y') / q(y' | y) is the ratio of the first-order weights of the two: what is left of the acceptance ratio
  // p(y') q(y | y') / p(y) q(y' | y) is the change of the scores of all larger parts.
  template <class Proposed>
  void block(double temperature, Random& random, Proposed proposed) {
    choose_block(random);
    const double before = tree_.score() - first_order_score();
    old_arcs_.clear();
    for (const int m : block_) old_arcs_.push_back(tree_.arc(m));
    detach_block();
    const auto log_weight = [&](int arc) { return scores_.labels[arc] / temperature; };
    proposal_.draw(tree_, block_, single_root_, log_weight, random, new_arcs_);
    attach_block(new_arcs_);
    proposed();
    const double after = tree_.score() - first_order_score();
    // A tree with crossing arcs has no probability where there may be none.
    const bool is_possible = std::all_of(new_arcs_.begin(), new_arcs_.end(),
                                         [&](int arc) { return moves_.is_allowed_among_others(arc); });
    if (std::log1p(-random.uniform()) < (after - before) / temperature && is_possible) return;
    detach_block();
    attach_block(old_arcs_);
  }

 private:
  static constexpr double gibbs_share = 0.75;  // of the steps; a block costs as much as several words
  static int below(int count, Random& random) { return static_cast<int>(random.uniform() * count); }

  // The first steps of a Fisher-Yates shuffle.
  void choose_block(Random& random) {
    const int size = std::min(settings_.block, tree_.words());
    for (int i = 0; i < size; ++i) std::swap(words_[at(i)], words_[at(i + below(tree_.words() - i, random))]);
    block_.assign(words_.begin(), words_.begin() + size);
  }

  double first_order_score() const {
    double sum = 0;
    for (const int m : block_) sum += scores_.labels[tree_.arc(m)];
    return sum;
  }

  // A word leaves, and joins, while its head is in the tree: those without others of the block above them join
  // first and leave last.
  void detach_block() {
    waiting_.clear();
    for (const int m : block_) waiting_.emplace_back(-depth(m), m);
    std::sort(waiting_.begin(), waiting_.end());
    for (const auto& [unused, m] : waiting_) tree_.detach(m);
  }
  void attach_block(const std::vector<int>& arcs) {
    for (std::size_t joined = 0; joined < arcs.size();)
      for (const int arc : arcs)
        if (!tree_.is_attached(tree_.candidates().modifier(arc)) && tree_.is_attached(tree_.candidates().head(arc))) {
          tree_.attach(arc);
          ++joined;
        }
  }
  int depth(int m) const {
    int steps = 0;
    for (; m != 0; m = tree_.head(m)) ++steps;
    return steps;
  }

  MovableTree& tree_;
  PartScores scores_;
  bool single_root_;
  ChainSettings settings_;
  Moves moves_;
  BlockProposal proposal_;
  std::vector<int> words_, block_, options_, old_arcs_, new_arcs_;
  std::vector<std::pair<int, int>> waiting_;
  std::vector<double> weights_;
};

}  // namespace headwise::trees
