#include <stdexcept>

#include "learning/gradient_learner.hpp"
#include "learning/learner.hpp"
#include "learning/margin_learner.hpp"
#include "learning/relaxed_learner.hpp"
#include "learning/sample_rank.hpp"

namespace headwise::learning {

std::unique_ptr<Learner> make_learner(const UpdateRule& rule, const Rivals& rivals, LearnedWeights weights,
                                      GradientSteps& label_steps) {
  if (const auto* log_linear = std::get_if<LogLinear>(&rule))
    return std::make_unique<GradientLearner<LogLinear>>(*log_linear, weights, label_steps);
  if (const auto* max_margin = std::get_if<MaxMargin>(&rule))
    return std::make_unique<GradientLearner<MaxMargin>>(*max_margin, weights, label_steps);
  const Margins& margins = std::get<Margins>(rule);
  const bool larger = weights.shape.has_larger_parts();
  if (rivals.rival == "tree") return std::make_unique<MarginLearner>(margins, weights, RivalSearch::best);
  if (rivals.rival == "samples") return std::make_unique<SampleRank>(margins, rivals, weights);
  if (rivals.rival == "independent") {
    if (larger) throw std::invalid_argument("the rival 'independent' is for arcs alone");
    return std::make_unique<MarginLearner>(margins, weights, RivalSearch::independent);
  }
  if (!larger) throw std::invalid_argument("the rival '" + rivals.rival + "' needs a factorization above 'arc'");
  if (rivals.rival == "climbed") return std::make_unique<MarginLearner>(margins, weights, RivalSearch::climbed);
  if (rivals.rival == "relaxed") return std::make_unique<RelaxedLearner>(margins, weights);
  throw std::invalid_argument("rival is '" + rivals.rival +
                              "', must be one of tree, climbed, independent, relaxed, samples");
}

}  // namespace headwise::learning
