// The expectation step of the EM algorithm over a text, some lines at a time and in several threads: how often every
// start, transition, emission and stop is expected, and what it would lose to merge pairs of states.
//
// The text is cut into blocks that do not depend on the number of threads. What is summed over blocks is summed in their
// order, number by number, so the sums do not depend on it either.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "clusters/forward_backward.hpp"

namespace headwise::clusters {

enum class Wanted { counts, merge_losses };

class ExpectationStep {
 public:
  // The model and the text must outlive the step.
  ExpectationStep(const HiddenMarkovModel& model, const WordLines& text, int threads, Wanted wanted)
      : model_(&model),
        prepared_(model),
        threads_(std::max(1, threads)),
        wanted_(wanted),
        counts_(model.states, wanted == Wanted::counts ? model.words : 0),
        losses_(wanted == Wanted::merge_losses ? model.states / 2 : 0) {
    if (model.words != text.kinds()) throw std::invalid_argument("the model is of other words");
    if (wanted == Wanted::merge_losses && model.states % 2) throw std::invalid_argument("an odd number of states is no pairs");
    cut_into_blocks(text);
    scratch_.resize(2 * static_cast<std::size_t>(threads_));
  }

  // A few blocks more. False when all are done.
  bool advance() {
    const std::size_t count = std::min(scratch_.size(), blocks_.size() - done_);
    base::parallel_for(count, threads_, [&](std::size_t i, int) { run(scratch_[i], blocks_[done_ + i]); });
    for (std::size_t i = 0; i < count; ++i) log_likelihood_ += scratch_[i].block.log_likelihood();
    const std::span<const Scratch> ready(scratch_.data(), count);
    if (wanted_ == Wanted::counts)
      add_counts(ready);
    else
      for (const Scratch& scratch : ready)
        for (std::size_t pair = 0; pair < losses_.size(); ++pair) losses_[pair] += scratch.losses[pair];
    done_ += count;
    if (done_ < blocks_.size()) return true;
    finish();
    return false;
  }

  double progress() const { return static_cast<double>(done_) / static_cast<double>(blocks_.size()); }
  double log_likelihood() const { return log_likelihood_; }
  const StateCounts& counts() const { return counts_; }
  // In nats, of states 2 k and 2 k + 1.
  const std::vector<double>& merge_losses() const { return losses_; }

 private:
  static constexpr std::size_t block_words = 4096;  // and lines that are longer are cut there

  using Block = std::vector<LineBlock::Line>;
  struct Scratch {
    LineBlock block;
    Floats transitions;
    std::vector<double> losses;
  };

  void cut_into_blocks(const WordLines& text) {
    std::size_t words = block_words;
    for (std::size_t i = 0; i < text.lines(); ++i)
      for (LineBlock::Line rest = text.line(i); !rest.empty(); rest = rest.subspan(std::min(rest.size(), block_words))) {
        const LineBlock::Line line = rest.first(std::min(rest.size(), block_words));
        if (words + line.size() > block_words) {
          blocks_.emplace_back();
          words = 0;
        }
        blocks_.back().push_back(line);
        words += line.size();
      }
    if (blocks_.empty()) throw std::invalid_argument("there is no text");
  }

  void run(Scratch& scratch, const Block& lines) const {
    scratch.block.run(prepared_, lines);
    if (wanted_ == Wanted::counts) {
      scratch.transitions.assign(model_->width * model_->width, 0.0f);
      scratch.block.add_transitions(scratch.transitions.data(), model_->states);
    } else {
      lose(scratch);
    }
  }

  // What a pair loses at one word, were it one state there alone (Petrov et al. 2006, section 2.2, with the sums of the
  // chain for those of the tree): reached together, and of what is said each half's share.
  void lose(Scratch& scratch) const {
    const std::size_t pairs = losses_.size();
    std::vector<float> share(2 * pairs);
    for (std::size_t k = 0; k < pairs; ++k) {
      const double both = model_->mass[2 * k] + model_->mass[2 * k + 1];
      share[2 * k] = both > 0 ? static_cast<float>(model_->mass[2 * k] / both) : 0.5f;
      share[2 * k + 1] = 1.0f - share[2 * k];
    }
    scratch.losses.assign(pairs, 0.0);
    std::vector<double> product(pairs, 1.0);  // of a few words: a logarithm of each would take longer than all else
    const auto collect = [&] {
      for (std::size_t k = 0; k < pairs; ++k) scratch.losses[k] -= std::log(std::exchange(product[k], 1.0));
    };
    std::size_t words = 0;
    scratch.block.each_row([&](const float* reached, const float* said, const float* posterior) {
      for (std::size_t k = 0; k < pairs; ++k) {
        const std::size_t a = 2 * k, b = a + 1;
        const float others = std::max(0.0f, 1.0f - posterior[a] - posterior[b]);
        const float merged = (reached[a] + reached[b]) * (share[a] * said[a] + share[b] * said[b]);
        product[k] *= std::max(others + merged, 1e-30f);
      }
      if (++words % 8 == 0) collect();
    });
    collect();
  }

  void add_counts(std::span<const Scratch> ready) {
    const std::size_t states = model_->states;
    for (const Scratch& scratch : ready)
      for (std::size_t row = 0; row < scratch.block.rows(); ++row) {
        const float* posterior = scratch.block.posterior(row);
        if (scratch.block.is_first(row))
          for (std::size_t s = 0; s < states; ++s) counts_.start[s] += posterior[s];
        if (scratch.block.is_last(row))
          for (std::size_t s = 0; s < states; ++s) counts_.stop[s] += posterior[s];
      }
    // By columns: every number is the work of one thread.
    const std::size_t columns = HiddenMarkovModel::vector_floats;
    base::parallel_for((states + columns - 1) / columns, threads_, [&](std::size_t part, int) {
      const std::size_t begin = part * columns, end = std::min(states, begin + columns);
      for (const Scratch& scratch : ready) {
        for (std::size_t s = 0; s < states; ++s)
          for (std::size_t x = begin; x < end; ++x)
            counts_.transitions[s * states + x] += scratch.transitions[s * model_->width + x];
        for (std::size_t row = 0; row < scratch.block.rows(); ++row) {
          const float* posterior = scratch.block.posterior(row);
          double* sums = counts_.emissions.data() + scratch.block.word(row) * states;
          for (std::size_t s = begin; s < end; ++s) sums[s] += posterior[s];
        }
      }
    });
  }

  void finish() {
    for (std::size_t s = 0; s < model_->states; ++s)
      for (std::size_t x = 0; x < model_->states; ++x)
        counts_.transitions[s * model_->states + x] *= model_->from(s)[x];
  }

  const HiddenMarkovModel* model_;
  PreparedModel prepared_;
  int threads_;
  Wanted wanted_;
  std::vector<Block> blocks_;
  std::vector<Scratch> scratch_;
  StateCounts counts_;
  std::vector<double> losses_;
  double log_likelihood_ = 0;
  std::size_t done_ = 0;
};

}  // namespace headwise::clusters
