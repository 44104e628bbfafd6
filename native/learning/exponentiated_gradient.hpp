// Exponentiated gradient on the dual (Koo's thesis, 4.4.2, Figure 4-2 and Appendix A; Collins et al. 2008).
//
//   primal   f(w) = C/2·|w|² + Σ_i loss_i(w)
//   dual     Q(α) = C/2·|w(α)|² − Σ_i H(α_i)        log-linear (A.1)
//            Q(α) = C/2·|w(α)|² − Σ_i E_α[cost]     max-margin (A.2)
//   where    w(α) = 1/C·Σ_i (φ(gold_i) − E_α[φ])
//
// α_i is a distribution over the trees of sentence i, held as one number θ for each part: α_i(tree) ∝ exp Σ θ. An
// update multiplies α_i by exp(−η·∂Q/∂α_i), which is again such a distribution:
//
//   log-linear   θ ← (1 − η)·θ + η·w·φ
//   max-margin   θ ← θ + η·(cost + w·φ)
//
// The least f is minus the least Q, so that f(w) + Q(α) ≥ 0 is the gap to the optimum.
//
// At the optimum of max-margin few trees have any probability, which products reach only in the limit, while f hears every
// rest. But there Q knows of α_i only the probabilities of parts, and is quadratic in them. So α_i is a mixture of such a
// product and of some trees. After a step of the product, probability goes from what scores least in the mixture to the
// tree that violates the margin most, as much of it as makes Q least: pairwise steps of Frank and Wolfe (Lacoste-Julien
// et al. 2013; Osokin et al. 2016), which lead to the optimum from anywhere.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "learning/eg_dual.hpp"
#include "learning/gradient_steps.hpp"
#include "learning/pending_weights.hpp"
#include "learning/search_options.hpp"
#include "learning/training_example.hpp"
#include "parsing/sentence_trees.hpp"

namespace headwise::learning {

enum class EgObjective : std::uint8_t { log_linear, max_margin };

struct EgSettings {
  EgObjective objective;
  double regularization;  // C
  double start;           // θ of the parts of the gold tree at first (β of Figure 4-2)
  double rate;            // η at first, and at most where the model is log-linear
  double negligible;      // probabilities are brought into w when they have changed by more than this
};

class ExponentiatedGradient {
 public:
  using Table = EgDual::Table;

  ExponentiatedGradient(const ParserShape& shape, const EgSettings& settings)
      : settings_(settings),
        rate_(settings.rate),
        trees_(make_trees(shape, Scorers::Which::learned)),
        weights_(shape.arc_table_size(), settings.regularization) {}

  void add(Lesson lesson) {
    EgDual dual;
    score(lesson, dual.theta);
    mark_gold(lesson);
    each(dual.theta, gold_, [&](double& theta, double gold) { theta = theta == kImpossible ? theta : settings_.start * gold; });
    const double log_z = sum(dual.theta, dual.settled);
    dual.value = value(lesson, dual.theta, dual.settled, log_z);
    each(gold_, dual.settled, [](double& gold, double p) { gold -= p; });
    gather(gold_, settings_.negligible);
    weights_.move();
    dual.rate = settings_.rate;
    lessons_.push_back(std::move(lesson));
    duals_.push_back(std::move(dual));
  }

  // Sentence by sentence.
  void online(std::span<const std::int64_t> order) {
    for (const std::int64_t i : order) {
      EgDual& dual = duals_[at(i)];
      const Lesson& lesson = lessons_[at(i)];
      if (settings_.objective == EgObjective::log_linear)
        step(lesson, dual);
      else
        descend(lesson, dual);
      weights_.count_step();
    }
  }

  // One step of all sentences at once; taken back, and the rate halved, where Q does not fall. Returns whether it
  // was taken.
  bool batch() {
    if (settings_.objective == EgObjective::max_margin) {
      descend_together();
      return true;
    }
    const double before = dual_objective();
    const std::vector<EgDual> saved = duals_;
    const LargeTable<double> saved_weights = weights_.exact();
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      EgDual& dual = duals_[i];
      score(lessons_[i], scores_);
      dual.value = advance(lessons_[i], dual.theta, rate_);
      gather_change(dual, marginals_, settings_.negligible);  // w is to stay as it is until all sentences have been scored with it
      settle(dual, 1.0);
    }
    weights_.move();
    if (dual_objective() < before) {
      rate_ = grown(rate_);
      return true;
    }
    duals_ = saved;
    weights_.set(saved_weights);
    rate_ /= 2;
    return false;
  }

  // Brings into w what was negligible so far, of log-linear duals: then w is w(α), and the gap is one.
  void settle_everything() {
    if (settings_.objective != EgObjective::log_linear) return;
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      score(lessons_[i], scores_);
      sum(duals_[i].theta, marginals_);
      gather_change(duals_[i], marginals_, 0.0);
      settle(duals_[i], 1.0);
    }
    weights_.move();
  }

  double dual_objective() const {
    double total = regularizer(weights_.exact());
    for (const EgDual& dual : duals_) total += dual.value;
    return checked_loss(total);
  }

  // f(w), and on the way the words whose likeliest head is wrong.
  double primal_objective() {
    double total = regularizer(weights_.rounded());  // what sentences are scored with
    for (const Lesson& lesson : lessons_) {
      score(lesson, scores_);
      mark_gold(lesson);
      double gold_score = 0;
      each(scores_, gold_, [&](double& score, double gold) { gold_score += gold > 0 ? gold * score : 0.0; });
      if (settings_.objective == EgObjective::log_linear) {
        total += sum(scores_, marginals_) - gold_score;
      } else {
        add_cost(lesson, scores_);
        total += trees_->best_score(scores_) - gold_score;
      }
    }
    return checked_loss(total);
  }

  // See PendingWeights.
  void start_averaging() { weights_.start_averaging(); }
  std::vector<float> average() const { return weights_.average(); }

  // The rate of batch steps, and the mean of those of the sentences.
  double rate() const { return rate_; }
  double mean_rate() const {
    double sum = 0;
    for (const EgDual& dual : duals_) sum += dual.rate;
    return duals_.empty() ? settings_.rate : sum / static_cast<double>(duals_.size());
  }
  void set_rate(double rate) { rate_ = rate; }
  const std::vector<Lesson>& lessons() const { return lessons_; }

  // The whole state as numbers, for a run that is interrupted and goes on later; and the weights.
  std::vector<double> duals() const {
    std::vector<double> state;
    for (const EgDual& dual : duals_) dual.append_to(state);
    return state;
  }
  // False where the state is of other sentences.
  bool restore(std::span<const double> state, std::span<const double> weights) {
    if (weights.size() != weights_.exact().size()) return false;
    for (std::size_t i = 0; i < duals_.size(); ++i)
      if (!duals_[i].take_from(state, lessons_[i]->heads.size())) return false;
    if (!state.empty()) return false;
    weights_.set(weights);
    return true;
  }
  const LargeTable<double>& exact_weights() const { return weights_.exact(); }

 private:
  static constexpr int most_attempts = 40;
  static constexpr double tolerance = 1e-6;  // scores are sums of float32
  static constexpr int few_attempts = 3, exchanges = 4;  // of max-margin, each time
  static constexpr double longest = 1e3;     // the largest and least rates of max-margin, by the first one

  template <class A, class B, class F>
  static void each(A& a, const B& b, F f) {
    for (const auto kind : Table::kinds())
      for (std::size_t i = 0; i < (a.*kind).size(); ++i) f((a.*kind)[i], (b.*kind)[i]);
  }

  // The rate after a step that succeeded. Log-linear steps go a share of the way, which the settings bound;
  // max-margin steps may be longer, but beyond some length they all end at one tree.
  double grown(double rate) const {
    return settings_.objective == EgObjective::log_linear ? std::min(1.05 * rate, settings_.rate)
                                                          : std::min(1.5 * rate, longest * settings_.rate);
  }

  // A step that would raise Q is not taken: it is tried again at half the rate. Each sentence has a rate of its own,
  // which grows while its steps succeed (Collins et al. 2008, section 8).
  void step(const Lesson& lesson, EgDual& dual) {
    score(lesson, scores_);
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      theta_ = dual.theta;
      const double value = advance(lesson, theta_, dual.rate);
      gather_change(dual, marginals_, settings_.negligible);
      if (weights_.rise() + value - dual.value > tolerance) {
        weights_.drop();
        dual.rate /= 2;
        continue;
      }
      dual.theta = theta_;
      dual.value = value;
      dual.rate = grown(dual.rate);
      weights_.move();
      settle(dual, 1.0);
      return;
    }
  }

  // Max-margin: the product moves along the exponentiated gradient, if Q falls; then probability is exchanged.
  void descend(const Lesson& lesson, EgDual& dual) {
    for (int attempt = 0; dual.rest > 0 && attempt < few_attempts; ++attempt) {
      towards_product(lesson, dual, dual.rate);
      if (weights_.rise() - cost_of_change(lesson) > 0) {
        weights_.drop();
        dual.rate = std::max(dual.rate / 2, settings_.rate / longest);
        continue;
      }
      weights_.move();
      settle_share(lesson, dual, 1.0);
      dual.theta = theta_;
      dual.rate = grown(dual.rate);
      break;
    }
    exchange(lesson, dual);
  }

  // The same where the products of all sentences move at once, as far as Q falls.
  void descend_together() {
    std::vector<Table> changes(duals_.size()), thetas(duals_.size());
    std::vector<double> negligible;
    double cost = 0;
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      towards_product(lessons_[i], duals_[i], rate_);
      cost += cost_of_change(lessons_[i]);
      changes[i] = change_;
      negligible.push_back(negligible_);
      thetas[i] = theta_;
    }
    const double share = weights_.move_best_share(cost);
    rate_ = next_rate(rate_, share);
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      score(lessons_[i], scores_);
      change_ = changes[i];
      negligible_ = negligible[i];
      settle_share(lessons_[i], duals_[i], share);
      follow(duals_[i].theta, thetas[i], share);
      exchange(lessons_[i], duals_[i]);
    }
  }

  // change_, and pending in w, of moving the product in the mixture to what an update makes of it, which is θ_.
  void towards_product(const Lesson& lesson, const EgDual& dual, double rate) {
    score(lesson, scores_);
    theta_ = dual.theta;
    advance(lesson, theta_, rate);
    product_of(dual, change_);
    each(change_, marginals_, [&](double& before, double now) { before -= dual.rest * now; });
    gather(change_, settings_.negligible * dual.rest);
  }

  // The share of the product in the settled probabilities.
  void product_of(const EgDual& dual, Table& product) {
    product = dual.settled;
    for (const WeighedTree& tree : dual.trees) trees_->add_tree(tree.heads, -tree.weight, product);
  }

  // From what scores least in the mixture to the tree that violates the margin most, a few times.
  void exchange(const Lesson& lesson, EgDual& dual) {
    const Gold gold{lesson->heads, lesson->labels};
    for (int k = 0; k < exchanges; ++k) {
      score(lesson, scores_, &gold);
      if (!trees_->find(Decoder::map, training_search, worst_)) throw NoTree();
      double least = worst_.score;
      const WeighedTree* tree = nullptr;
      for (const WeighedTree& other : dual.trees)
        if (const double own = trees_->tree_score(other.heads); own < least && other.heads != worst_.heads) {
          least = own;
          tree = &other;
        }
      change_.clear_like(trees_->scores());
      double weight = 0;
      if (dual.rest > 0) {
        product_of(dual, product_);
        double own = 0;
        each(product_, scores_, [&](double& p, double score) { own += p != 0 ? p * score : 0.0; });
        if (own < least * dual.rest) {
          tree = nullptr;
          weight = dual.rest;
          change_ = product_;
        }
      }
      if (tree) trees_->add_tree(tree->heads, weight = tree->weight, change_);
      if (weight == 0) return;
      trees_->add_tree(worst_.heads, -weight, change_);
      gather(change_, 0.0);
      const double share = weights_.move_best_share(cost_of_change(lesson));
      settle_share(lesson, dual, share);
      double& source = tree ? dual.trees[at(tree - dual.trees.data())].weight : dual.rest;
      source = share == 1.0 ? 0.0 : weight - share * weight;
      give(dual, share * weight);
    }
  }
  // To the tree that violates the margin most.
  void give(EgDual& dual, double weight) {
    if (weight == 0) return;
    const auto known = std::find_if(dual.trees.begin(), dual.trees.end(),
                                    [&](const WeighedTree& tree) { return tree.heads == worst_.heads; });
    if (known == dual.trees.end())
      dual.trees.push_back({worst_.heads, weight});
    else
      known->weight += weight;
    std::erase_if(dual.trees, [](const WeighedTree& tree) { return tree.weight == 0; });
  }

  // The rate after a step of which a share was best.
  double next_rate(double rate, double share) const {
    return share > 0.5 ? grown(rate) : std::max(rate / 2, settings_.rate / longest);
  }
  static void follow(Table& theta, const Table& other, double share) {
    each(theta, other, [&](double& t, double to) { t = to == kImpossible ? to : t + share * (to - t); });
  }

  // The cost that is gained by the whole of change_, of the sentence that was scored last.
  double cost_of_change(const Lesson& lesson) {
    double cost = 0;
    each_wrong_arc(lesson, [&](std::size_t place) {
      if (const double change = change_.arcs[place]; std::abs(change) > negligible_) cost -= change;
    });
    return cost;
  }

  void settle_share(const Lesson& lesson, EgDual& dual, double share) {
    settle(dual, share);
    dual.value = -expected_cost(lesson, dual.settled);
  }

  // What going from settled probabilities to others changes: in change_, and pending in w.
  void gather_change(const EgDual& dual, const Table& target, double negligible) {
    change_ = dual.settled;
    each(change_, target, [](double& before, double now) { before -= now; });
    gather(change_, negligible);
  }

  // The update of one sentence's θ under its scores_; its probabilities are then in marginals_. Returns the
  // sentence's term of Q.
  double advance(const Lesson& lesson, Table& theta, double rate) {
    const bool log_linear = settings_.objective == EgObjective::log_linear;
    goal_ = scores_;
    if (!log_linear) add_cost(lesson, goal_);
    const double keep = log_linear ? 1.0 - rate : 1.0;
    each(theta, goal_, [&](double& t, double goal) { t = goal == kImpossible ? goal : keep * t + rate * goal; });
    const double log_z = sum(theta, marginals_);
    return value(lesson, theta, marginals_, log_z);
  }

  double value(const Lesson& lesson, const Table& theta, const Table& marginals, double log_z) {
    double total = 0;
    if (settings_.objective == EgObjective::log_linear) {  // −H = E[θ] − log Z
      each(marginals, theta, [&](const double& p, double t) { total += p > 0 ? p * t : 0.0; });
      total -= log_z;
    } else {
      total = -expected_cost(lesson, marginals);
    }
    return checked_loss(total);
  }

  // The change of w that some amounts of a sentence's parts make is pending then. What of it is negligible is left out;
  // it is not settled either.
  void gather(const Table& amounts, double negligible) {
    negligible_ = negligible;
    trees_->list_features(amounts, negligible, weights_);
  }
  // Probabilities of whose change (change_) a share was brought into w.
  void settle(EgDual& dual, double share) {
    each(dual.settled, change_, [&](double& settled, double change) {
      if (std::abs(change) > negligible_) settled -= share * change;
    });
  }

  // With what wrong heads cost, where gold is given.
  void score(const Lesson& lesson, Table& scores, const Gold* gold = nullptr) {
    const WeightTables tables = {{"arcs", weights_.rounded().data()}};
    trees_->score({lesson->atoms, tables, lesson.arcs, gold});
    scores = trees_->scores();
  }
  void mark_gold(const Lesson& lesson) {
    gold_.clear_like(trees_->scores());
    trees_->add_tree(lesson->heads, 1.0, gold_);
  }
  double sum(const Table& theta, Table& marginals) {
    const double log_z = trees_->sum(theta, marginals);
    if (!(log_z > kImpossible)) throw NoTree();
    return log_z;
  }
  // Every word with a wrong head costs one.
  template <class F>
  void each_wrong_arc(const Lesson& lesson, F f) {
    for (int m = 1; m <= trees_->words(); ++m) {
      trees_->arcs_into(m, arcs_);
      for (const auto& arc : arcs_)
        if (arc.head != lesson->heads[at(m) - 1]) f(arc.place);
    }
  }
  void add_cost(const Lesson& lesson, Table& scores) {
    each_wrong_arc(lesson, [&](std::size_t place) { scores.arcs[place] += 1.0; });
  }
  double expected_cost(const Lesson& lesson, const Table& marginals) {
    double cost = 0;
    each_wrong_arc(lesson, [&](std::size_t place) { cost += marginals.arcs[place]; });
    return cost;
  }

  template <class Weights>
  double regularizer(const Weights& weights) const {
    double sum = 0;
    for (const double w : weights) sum += w * w;
    return settings_.regularization / 2 * sum;
  }

  EgSettings settings_;
  double rate_;
  std::unique_ptr<SentenceTrees> trees_;
  PendingWeights weights_;
  std::vector<Lesson> lessons_;
  std::vector<SentenceTrees::ArcInto> arcs_;
  std::vector<EgDual> duals_;
  Table scores_, goal_, theta_, marginals_, gold_, change_, product_;
  Solution worst_;
  double negligible_ = 0;  // in change_
};

}  // namespace headwise::learning
