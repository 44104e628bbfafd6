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
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/huge_pages.hpp"
#include "learning/gradient_steps.hpp"
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
        pending_(weights_.size(), 0.0) {}

  void add(Lesson lesson) {
    Dual dual;
    score(lesson, dual.theta);
    mark_gold(lesson);
    each(dual.theta, gold_, [&](double& theta, double gold) { theta = theta == kImpossible ? theta : settings_.start * gold; });
    const double log_z = sum(dual.theta, dual.settled);
    dual.value = value(lesson, dual.theta, dual.settled, log_z);
    each(gold_, dual.settled, [](double& gold, double p) { gold -= p; });
    gather(gold_);
    move();
    dual.rate = settings_.rate;
    lessons_.push_back(std::move(lesson));
    duals_.push_back(std::move(dual));
  }

  // Sentence by sentence. A step that would raise Q is not taken: it is tried again at half the rate. Each sentence
  // has a rate of its own, which grows while its steps succeed (Collins et al. 2008, section 8).
  void online(std::span<const std::int64_t> order) {
    for (const std::int64_t i : order) {
      Dual& dual = duals_[static_cast<std::size_t>(i)];
      const Lesson& lesson = lessons_[static_cast<std::size_t>(i)];
      score(lesson, scores_);
      for (int attempt = 0; attempt < most_attempts; ++attempt) {
        theta_ = dual.theta;
        const double value = advance(lesson, theta_, dual.rate);
        change_ = dual.settled;
        each(change_, marginals_, [](double& before, double now) { before -= now; });
        gather(change_);
        if (rise() + value - dual.value > tolerance) {
          drop();
          dual.rate /= 2;
          continue;
        }
        dual.theta = theta_;
        dual.value = value;
        dual.rate = grown(dual.rate);
        move();
        settle(dual);
        break;
      }
      ++averaged_steps_;
    }
  }

  // One step of all sentences at once; taken back, and the rate halved, where Q does not fall. Returns whether it
  // was taken.
  bool batch() {
    const double before = dual_objective();
    const std::vector<Dual> saved = duals_;
    const LargeTable<double> saved_weights = weights_;
    for (std::size_t i = 0; i < duals_.size(); ++i) {
      Dual& dual = duals_[i];
      score(lessons_[i], scores_);
      dual.value = advance(lessons_[i], dual.theta, rate_);
      change_ = dual.settled;
      each(change_, marginals_, [](double& before, double now) { before -= now; });
      gather(change_);  // w is to stay as it is until all sentences have been scored with it
      settle(dual);
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

  double dual_objective() const {
    double total = regularizer();
    for (const Dual& dual : duals_) total += dual.value;
    return checked_loss(total);
  }

  // f(w), and on the way the words whose likeliest head is wrong.
  double primal_objective() {
    double total = regularizer();
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
    }
    return state;
  }
  // False where the state is of other sentences.
  bool restore(std::span<const double> state, std::span<const double> weights) {
    std::size_t expected = 0, next = 0;
    for (const Dual& dual : duals_) {
      for (const auto kind : Table::kinds()) expected += 2 * (dual.theta.*kind).size();
      expected += 2;
    }
    if (state.size() != expected || weights.size() != weights_.size()) return false;
    for (Dual& dual : duals_) {
      for (Table* table : {&dual.theta, &dual.settled})
        for (const auto kind : Table::kinds())
          for (double& x : table->*kind) x = state[next++];
      dual.value = state[next++];
      dual.rate = state[next++];
    }
    for (std::size_t i = 0; i < weights.size(); ++i) rounded_[i] = static_cast<float>(weights_[i] = weights[i]);
    return true;
  }
  const LargeTable<double>& exact_weights() const { return weights_; }

 private:
  struct Dual {
    Table theta;
    Table settled;  // the probabilities that w(α) was computed from: those of θ, but for what was negligible
    double value = 0;  // this sentence's term of Q
    double rate = 0;
  };
  static constexpr int most_attempts = 40;
  static constexpr double tolerance = 1e-6;  // scores are sums of float32

  template <class A, class B, class F>
  static void each(A& a, const B& b, F f) {
    for (const auto kind : Table::kinds())
      for (std::size_t i = 0; i < (a.*kind).size(); ++i) f((a.*kind)[i], (b.*kind)[i]);
  }

  // The rate after a step that succeeded. Log-linear steps go a share of the way, which the settings bound;
  // max-margin steps may be of any length.
  double grown(double rate) const {
    return settings_.objective == EgObjective::log_linear ? std::min(1.05 * rate, settings_.rate) : 1.5 * rate;
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
  void gather(const Table& amounts) { trees_->list_features(amounts, settings_.negligible, *this); }
  void add(std::span<const std::uint32_t> indices, double amount) override {
    for (const std::uint32_t index : indices) {
      if (pending_[index] == 0) touched_.push_back(index);
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
    for (const std::uint32_t index : touched_) pending_[index] = 0;
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

  // Probabilities whose change (change_) was brought into w.
  void settle(Dual& dual) {
    each(dual.settled, change_, [&](double& settled, double change) {
      if (std::abs(change) > settings_.negligible) settled -= change;
    });
  }

  void score(const Lesson& lesson, Table& scores) {
    const WeightTables tables = {{"arcs", rounded_.data()}};
    trees_->score({lesson->atoms, tables, lesson.arcs});
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

  double regularizer() const {
    double sum = 0;
    for (const double w : weights_) sum += w * w;
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
  Table scores_, goal_, theta_, marginals_, gold_, change_;
  LargeTable<double> pending_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace headwise::learning
