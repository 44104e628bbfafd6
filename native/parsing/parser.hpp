// The parser: candidates → scores → search → labels.
#pragma once
#include "rooms.hpp"
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "parsing/pruner.hpp"
#include "parsing/sentence_trees.hpp"
#include "parsing/shape.hpp"
#include "scoring/given_scores.hpp"
#include "scoring/labeler.hpp"

namespace headwise::parsing {

struct ParseResult : Solution {
  std::vector<int> labels;
  bool limited = false;  // a limit on time or memory, and not the model alone, decided
};

// What a caller wants of one sentence beside its words. What is left empty says nothing.
struct Conditions {
  std::span<const std::uint8_t> allowed{};  // flags [h * (n + 1) + m] of the arcs that a tree may have
  std::span<const int> labels{};            // of words; −1 for those to be found
  GivenScores scores{};

  bool any() const { return allowed.data() || labels.data() || scores.arcs.data() || scores.labels.data(); }
};

// One for each thread. The tables stay where they are.
class Parser {
 public:
  Parser(const ParserShape& shape, const WeightTables& tables, const DecodeOptions& options = {});

  // Sentences that are about to be parsed, so that what can be done for all of them at once is.
  void expect(std::span<const Atoms> sentences) { trees_->scorers().expect(sentences, tables_); }
  // NoTree where the conditions leave none.
  void parse(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions = {});
  // Labels a tree, whatever found it, of a sentence of any length.
  void label(const Atoms& atoms, ParseResult& result);

  const ParserShape& shape() const { return *shape_; }
  const WeightTables& tables() const { return tables_; }
  SentenceTrees& trees() { return *trees_; }
  const Pruner* pruner() const { return pruner_ ? &*pruner_ : nullptr; }
  // A labeler of trees of the sentence that was parsed last.
  TreeLabeler& labeler_of(const Atoms& atoms, std::span<const int> heads);

 private:
  void search(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions);
  void obey_rules(const Atoms& atoms, Decoder decoder, ParseResult& result, const Conditions& conditions);
  bool parse_among(std::span<const std::uint8_t> arcs, const Atoms& atoms, Decoder decoder, ParseResult& result);
  std::span<const std::uint8_t> candidates(const Atoms& atoms, const Conditions& conditions);
  std::span<const std::uint8_t> more_candidates(const Conditions& conditions);
  const ArcFlags& filtered(const Atoms& atoms, std::span<const std::uint8_t> allowed);

  const ParserShape* shape_;
  WeightTables tables_;
  DecodeOptions options_;
  std::unique_ptr<SentenceTrees> trees_;
  std::optional<Pruner> pruner_;
  GivenScorer *given_, *given_to_pruner_ = nullptr;
  TreeLabeler labeler_;
  std::span<const int> known_labels_;
  ArcFlags filtered_, obeying_;
  RuledWords ruled_;
  std::vector<int> tags_;
};

}  // namespace headwise::parsing
