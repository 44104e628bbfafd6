// The trees of one sentence as a model scores them, part by part: what parsing, learning and confidence are written
// over. There are two of them: arcs alone, all that the filter lets through, in dense tables (arc_trees.hpp), and larger
// parts made of the arcs that survived pruning, in compact ones (part_trees.hpp).
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "parsing/shape.hpp"
#include "scoring/feature_sink.hpp"
#include "scoring/part_scorer.hpp"
#include "scoring/scorer.hpp"
#include "trees/decoders/decode.hpp"
#include "trees/distribution.hpp"

namespace headwise::parsing {

// Gold answers during training: a cost is added to every wrong head, and where the best label is searched to every
// wrong label.
struct Gold {
  std::span<const int> heads;
  std::span<const int> labels;
  double cost = 1.0;
};

// What an arc scores beside its own features where it may have one of several labels: that of its best label, or the
// log-sum over all.
enum class OverLabels : std::uint8_t { best, sum };

// What is to be scored, and how.
struct Reading {
  const Atoms& atoms;
  const WeightTables& tables;
  std::span<const std::uint8_t> arcs{};  // flags [h * (n + 1) + m] of those to be considered; empty: what the filter says
  const Gold* gold = nullptr;            // with it, with costs
  OverLabels over_labels = OverLabels::best;
  std::span<const int> known_labels{};  // of words, −1 for others: where labels are part of the search, no other label counts
};

// A tree that features are listed of. Labels are those found in the search, where any are.
struct LabelledTree {
  std::span<const int> heads, labels;
};

// One for each thread. Everything is about the sentence that was scored last.
class SentenceTrees {
 public:
  SentenceTrees(const ParserShape& shape, Scorers::Which which) : shape_(&shape), scorers_(shape.scorers, which) {}
  virtual ~SentenceTrees() = default;

  // Fills the score of every part.
  virtual void score(const Reading& reading) = 0;

  const ParserShape& shape() const { return *shape_; }
  Scorers& scorers() { return scorers_; }
  int words() const { return words_; }
  // One number for each part.
  const CandidateTables& scores() const { return scores_; }
  // The numbers of arcs alone, [h * (n + 1) + m]; −inf for those not considered.
  virtual void copy_arcs(std::span<const double> of_arcs, double elsewhere, std::vector<double>& dense) const = 0;

  struct ArcInto {
    int head;
    std::size_t place;  // in the table of arcs
  };
  // The arcs into m that are considered.
  virtual void arcs_into(int m, std::vector<ArcInto>& arcs) const = 0;

  // What decoders search, with the scores of the sentence or with other numbers for its parts.
  Problem problem() { return problem_of(scores_, scorers_.whole_tree()); }
  Problem problem_of(const CandidateTables& scores, WholeTreeScorer* whole = nullptr) const {
    return {words_, scores.scores(), candidates(), shape_->factorization, shape_->projective, shape_->single_root,
            whole,  labelled_arcs()};
  }
  virtual const Candidates* candidates() const { return nullptr; }
  virtual const LabelledArcs* labelled_arcs() const { return nullptr; }

  // The best tree. False where there is none.
  [[nodiscard]] bool find(Decoder decoder, const DecodeOptions& options, Solution& solution) {
    if (!decode(problem(), decoder, options, scratch_, solution)) return false;
    // Where labels are told apart inside the chart, what they score is in no table of parts.
    if (decoder == Decoder::minimum_risk && labelled_arcs())
      solution.score = solution.bound = tree_score(solution.heads);
    return true;
  }
  // log Z, and the probability of every part; −inf where there is no tree.
  double sum(const CandidateTables& scores, CandidateTables& probabilities) {
    probabilities.clear_like(scores);
    return scratch_.sums.sum(problem_of(scores), probabilities.marginals());
  }
  double sum(CandidateTables& probabilities) { return sum(scores_, probabilities); }
  // The same over the trees that give each word its head, where one is given (not -1), and its label with it.
  double sum_with(std::span<const int> heads, std::span<const int> labels, CandidateTables& probabilities);
  // The highest score that a tree has under other numbers for the parts, where there is an exact algorithm.
  double best_score(const CandidateTables& scores);

  // Of the parts of a tree, costs included; and with features of whole trees.
  virtual double tree_score(std::span<const int> heads) { return score_of_parts(problem(), heads, scratch_.links); }
  // The log of what a tree weighs in sums of scores over a temperature.
  virtual double log_weight(std::span<const int> heads, double temperature) { return tree_score(heads) / temperature; }
  double whole_score(std::span<const int> heads) { return score_of_tree(problem(), heads, scratch_.links); }
  bool has_whole_tree_features() { return scorers_.whole_tree() != nullptr; }
  // How much less than a rival's score the gold tree scores.
  virtual double shortfall(const LabelledTree& gold, double rival_score) = 0;

  // Adds an amount to the number of every part of a tree.
  virtual void add_tree(std::span<const int> heads, double amount, CandidateTables& numbers) = 0;

  // The labels of a tree that was found, where labels are part of the search; −1 where they are not.
  virtual void labels_in_search(std::span<const int> heads, std::vector<int>& labels) = 0;
  // Where a part has several labels of an arc to sum over, and the arc is known with its label: of this label alone.
  // Arcs need no such care: what one of them scores with all labels is the same in all trees that have it.
  virtual void fix_labels(std::span<const int> /*heads*/, std::span<const int> /*labels*/, CandidateTables& /*scores*/) {}

  // Features, as places in the weight table of parts (and after it, in one table, of learned scorers): of the parts with
  // more than a negligible number, each with that number; and those in which two trees differ.
  virtual void list_features(const CandidateTables& numbers, double negligible, FeatureSink& parts) const = 0;
  virtual void list_difference(const LabelledTree& better, const LabelledTree& worse, FeatureSink& parts,
                               FeatureSink& labels) = 0;

  // Where labels are part of the search: the gradient of their weights, given that of arcs as wanted and actual
  // probabilities. Returns what the loss is more than that of arcs alone.
  virtual double list_label_gradient(std::span<const int> /*known_heads*/, std::span<const int> /*known_labels*/,
                                     const CandidateTables& /*wanted*/, const CandidateTables& /*actual*/,
                                     double /*negligible*/, FeatureSink& /*labels*/) {
    return 0.0;
  }

 protected:
  // What learned scorers have to say where features are listed: of two trees; of numbers for all parts.
  void list_scorers(std::span<const int> better, std::span<const int> worse, FeatureSink& parts);
  void list_scorers(const CandidateTables& numbers, double negligible, FeatureSink& parts) const;
  // The same of amounts of arcs, [h * (n + 1) + m].
  void list_scorers(const std::vector<double>& amounts, double negligible, FeatureSink& parts) const {
    scorers_.list_arc_gradient(amounts, negligible, static_cast<std::uint32_t>(shape_->arc_table_size()), parts);
  }
  void start_amounts() { amounts_.assign(at(words_ + 1) * at(words_ + 1), 0.0); }
  void count_arc(int h, int m, double amount) { amounts_[at(h) * at(words_ + 1) + at(m)] += amount; }

  const ParserShape* shape_;
  Scorers scorers_;
  int words_ = 0;
  CandidateTables scores_, constrained_;
  DecoderScratch scratch_;
  Solution best_;
  mutable std::vector<double> amounts_;
};

// The one that a shape asks for.
std::unique_ptr<SentenceTrees> make_trees(const ParserShape& shape, Scorers::Which which);

}  // namespace headwise::parsing
