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

#include "base/huge_pages.hpp"
#include "learning/gradient_steps.hpp"
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

class ExponentiatedGradient final : public FeatureSink {
 public:
  using Table = CandidateTables;

  ExponentiatedGradient(const ParserShape& shape, const EgSettings& settings)
      : settings_(settings),
        rate_(settings.rate),
        trees_(make_trees(shape, Scorers::Which::learned)),
        weights_(shape.arc_table_size(), 0.0),
        rounded_(weights_.size(), 0.0f),
        delayed_(weights_.size(), 0.0),
        pending_(weights_.size(), 0.0),
        is_touched_(weights_.size(), false) {}

  void add(Lesson lesson) {
    Dual dual;
    score(lesson, dual.theta);
    mark_gold(lesson);
    each(dual.theta, gold_, [&](double& theta, double gold) { theta = theta == kImpossible ? theta : settings_.start * gold; });
    const double log_z = sum(dual.theta, dual.settled);
    dual.value = value(lesson, dual.theta, dual.settled, log_z);
    each(gold_, dual.settled, [](double& gold, double p) { gold -= p; });
    gather(gold_, settings_.negligible);
    move();
    dual.rate = settings_.rate;
    lessons_.push_back(std::move(lesson));
    duals_.push_back(std::move(dual));
  }

  // Sentence by sentence.
  void online(std::span<const std::int64_t> order) {
    for (const std::int64_t i : order) {
      Dual& dual = duals_[static_cast<std::size_t>(i)];
      const Lesson& lesson = lessons_[static_cast<std::size_t>(i)];
      if (settings_.objective == EgObjective::log_linear)
        step(lesson, dual);
      else
        descend(lesson, dual);
      ++averaged_steps_;
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
    const std::vector<Dual> saved = duals_;
    const LargeTable<double> saved_weights = weights_;
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      Dual& dual = duals_[i];
      score(lessons_[i], scores_);
      dual.value = advance(lessons_[i], dual.theta, rate_);
      gather_change(dual, marginals_, settings_.negligible);  // w is to stay as it is until all sentences have been scored with it
      settle(dual, 1.0);
    }
    move();
    if (dual_objective() < before) {
      rate_ = grown(rate_);
      return true;
    }
    duals_ = saved;
    weights_ = saved_weights;
    for (std::size_t i = 0; i < weights_.size(); ++i) rounded_[i] = static_cast<float>(weights_[i]);
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
    move();
  }

  double dual_objective() const {
    double total = regularizer(weights_);
    for (const Dual& dual : duals_) total += dual.value;
    return checked_loss(total);
  }

  // f(w), and on the way the words whose likeliest head is wrong.
  double primal_objective() {
    double total = regularizer(rounded_);  // what sentences are scored with
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

  // The mean of w over the single steps since start_averaging(), lazily as in AveragedWeights; w itself where there
  // were none. w is linear in α, so the mean is w of the mean α: closer to the optimum than the last step, which has
  // just gone all the way for one sentence.
  void start_averaging() {
    std::fill(delayed_.begin(), delayed_.end(), 0.0);
    averaged_steps_ = 0;
  }
  std::vector<float> average() const {
    std::vector<float> out(weights_.size());
    const double share = averaged_steps_ > 0 ? 1.0 / averaged_steps_ : 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(weights_[i] - delayed_[i] * share);
    return out;
  }

  // The rate of batch steps, and the mean of those of the sentences.
  double rate() const { return rate_; }
  double mean_rate() const {
    double sum = 0;
    for (const Dual& dual : duals_) sum += dual.rate;
    return duals_.empty() ? settings_.rate : sum / static_cast<double>(duals_.size());
  }
  void set_rate(double rate) { rate_ = rate; }
  const std::vector<Lesson>& lessons() const { return lessons_; }

  // The whole state as numbers, for a run that is interrupted and goes on later: θ and settled probabilities of all
  // sentences, values of the dual; and the weights.
  std::vector<double> duals() const {
    std::vector<double> state;
    for (const Dual& dual : duals_) {
      for (const Table* table : {&dual.theta, &dual.settled})
        for (const auto kind : Table::kinds()) state.insert(state.end(), (table->*kind).begin(), (table->*kind).end());
      state.push_back(dual.value);
      state.push_back(dual.rate);
      state.push_back(dual.rest);
      state.push_back(static_cast<double>(dual.trees.size()));
      for (const WeighedTree& tree : dual.trees) {
        state.push_back(tree.weight);
        state.insert(state.end(), tree.heads.begin(), tree.heads.end());
      }
    }
    return state;
  }
  // False where the state is of other sentences.
  bool restore(std::span<const double> state, std::span<const double> weights) {
    if (weights.size() != weights_.size()) return false;
    auto next = state.begin();
    const auto left = [&] { return static_cast<std::size_t>(state.end() - next); };
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      Dual& dual = duals_[i];
      std::size_t expected = 4;
      for (const auto kind : Table::kinds()) expected += 2 * (dual.theta.*kind).size();
      if (left() < expected) return false;
      for (Table* table : {&dual.theta, &dual.settled})
        for (const auto kind : Table::kinds())
          for (double& x : table->*kind) x = *next++;
      dual.value = *next++;
      dual.rate = *next++;
      dual.rest = *next++;
      const double trees = *next++;
      const std::size_t words = lessons_[i]->heads.size();
      if (!(trees >= 0 && trees <= static_cast<double>(left() / (words + 1)))) return false;
      dual.trees.resize(static_cast<std::size_t>(trees));
      for (WeighedTree& tree : dual.trees) {
        tree.weight = *next++;
        tree.heads.clear();
        for (std::size_t m = 0; m < words; ++m) {
          const double head = *next++;
          if (!(head >= 0 && head <= static_cast<double>(words))) return false;
          tree.heads.push_back(static_cast<int>(head));
        }
      }
    }
    if (left() != 0) return false;
    for (std::size_t i = 0; i < weights.size(); ++i) rounded_[i] = static_cast<float>(weights_[i] = weights[i]);
    return true;
  }
  const LargeTable<double>& exact_weights() const { return weights_; }

 private:
  struct WeighedTree {
    std::vector<int> heads;
    double weight;
  };
  struct Dual {
    Table theta;
    Table settled;  // the probabilities that w(α) was computed from: those of θ, but for what was negligible
    double value = 0;  // this sentence's term of Q
    double rate = 0;
    // Of max-margin: how much of α is the product of θ, and the trees that have the rest.
    double rest = 1;
    std::vector<WeighedTree> trees{};
  };
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
  void step(const Lesson& lesson, Dual& dual) {
    score(lesson, scores_);
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      theta_ = dual.theta;
      const double value = advance(lesson, theta_, dual.rate);
      gather_change(dual, marginals_, settings_.negligible);
      if (rise() + value - dual.value > tolerance) {
        drop();
        dual.rate /= 2;
        continue;
      }
      dual.theta = theta_;
      dual.value = value;
      dual.rate = grown(dual.rate);
      move();
      settle(dual, 1.0);
      return;
    }
  }

  // Max-margin: the product moves along the exponentiated gradient, if Q falls; then probability is exchanged.
  void descend(const Lesson& lesson, Dual& dual) {
    for (int attempt = 0; dual.rest > 0 && attempt < few_attempts; ++attempt) {
      towards_product(lesson, dual, dual.rate);
      if (rise() - cost_of_change(lesson) > 0) {
        drop();
        dual.rate = std::max(dual.rate / 2, settings_.rate / longest);
        continue;
      }
      move();
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
    const double share = move_best_share(cost);
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

  // change_ and pending_ of moving the product in the mixture to what an update makes of it, which is θ_.
  void towards_product(const Lesson& lesson, const Dual& dual, double rate) {
    score(lesson, scores_);
    theta_ = dual.theta;
    advance(lesson, theta_, rate);
    product_of(dual, change_);
    each(change_, marginals_, [&](double& before, double now) { before -= dual.rest * now; });
    gather(change_, settings_.negligible * dual.rest);
  }

  // The share of the product in the settled probabilities.
  void product_of(const Dual& dual, Table& product) {
    product = dual.settled;
    for (const WeighedTree& tree : dual.trees) trees_->add_tree(tree.heads, -tree.weight, product);
  }

  // From what scores least in the mixture to the tree that violates the margin most, a few times.
  void exchange(const Lesson& lesson, Dual& dual) {
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
      const double share = move_best_share(cost_of_change(lesson));
      settle_share(lesson, dual, share);
      double& source = tree ? dual.trees[static_cast<std::size_t>(tree - dual.trees.data())].weight : dual.rest;
      source = share == 1.0 ? 0.0 : weight - share * weight;
      give(dual, share * weight);
    }
  }
  // To the tree that violates the margin most.
  void give(Dual& dual, double weight) {
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

  // Q is quadratic on the way that pending_ begins: as much of it is gone as makes Q least. Returns the share, from 0 to 1.
  double move_best_share(double cost) {
    double slope = 0, squares = 0;
    for (const std::uint32_t index : touched_) {
      slope += weights_[index] * pending_[index];
      squares += pending_[index] * pending_[index];
    }
    const double fall = cost - settings_.regularization * slope, whole = settings_.regularization * squares;
    const double share = !(fall > 0) ? 0.0 : fall < whole ? fall / whole : 1.0;
    for (const std::uint32_t index : touched_) pending_[index] *= share;
    move();
    return share;
  }
  void settle_share(const Lesson& lesson, Dual& dual, double share) {
    settle(dual, share);
    dual.value = -expected_cost(lesson, dual.settled);
  }

  // What going from settled probabilities to others changes: in change_, and in w as pending_.
  void gather_change(const Dual& dual, const Table& target, double negligible) {
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

  // The change of w that some amounts of a sentence's parts make, 1/C·Σ amount·φ, is gathered; then either
  // made or dropped.
  // What of it is negligible is left out; it is not settled either.
  void gather(const Table& amounts, double negligible) {
    negligible_ = negligible;
    trees_->list_features(amounts, negligible, *this);
  }
  void add(std::span<const std::uint32_t> indices, double amount) override {
    for (const std::uint32_t index : indices) {
      if (!is_touched_[index]) touched_.push_back(index);
      is_touched_[index] = true;
      pending_[index] += amount / settings_.regularization;
    }
  }
  void move() {
    for (const std::uint32_t index : touched_) {
      weights_[index] += pending_[index];
      delayed_[index] += averaged_steps_ * pending_[index];
      rounded_[index] = static_cast<float>(weights_[index]);
    }
    drop();
  }
  void drop() {
    for (const std::uint32_t index : touched_) {
      pending_[index] = 0;
      is_touched_[index] = false;
    }
    touched_.clear();
  }
  // How much C/2·|w|² would rise by the change.
  double rise() const {
    double sum = 0;
    for (std::size_t k = 0; k < touched_.size(); ++k) {
      const double change = pending_[touched_[k]];
      sum += change * (2 * weights_[touched_[k]] + change);
    }
    return settings_.regularization / 2 * sum;
  }

  // Probabilities of whose change (change_) a share was brought into w.
  void settle(Dual& dual, double share) {
    each(dual.settled, change_, [&](double& settled, double change) {
      if (std::abs(change) > negligible_) settled -= share * change;
    });
  }

  // With what wrong heads cost, where gold is given.
  void score(const Lesson& lesson, Table& scores, const Gold* gold = nullptr) {
    const WeightTables tables = {{"arcs", rounded_.data()}};
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
        if (arc.head != lesson->heads[static_cast<std::size_t>(m) - 1]) f(arc.place);
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
  LargeTable<double> weights_;
  LargeTable<float> rounded_;  // what scores are made of
  LargeTable<double> delayed_;
  double averaged_steps_ = 0;
  std::vector<Lesson> lessons_;
  std::vector<SentenceTrees::ArcInto> arcs_;
  std::vector<Dual> duals_;
  Table scores_, goal_, theta_, marginals_, gold_, change_, product_;
  Solution worst_;
  double negligible_ = 0;  // in change_
  LargeTable<double> pending_;
  std::vector<bool> is_touched_;  // what is pending may cancel out, and be touched again
  std::vector<std::uint32_t> touched_;
};

}  // namespace headwise::learning
