// A network as a scorer: what it says of the arcs and labels of a sentence, on the scale of a parser's scores.
//
// Log-probabilities of a network and scores of features are added: where the two know different things, their sum knows
// more than either (a product of experts).
#pragma once
#include "rooms.hpp"
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/spares.hpp"
#include "scoring/network/encoded_sentences.hpp"
#include "scoring/network/shape.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

inline constexpr int sentences_at_once = 16;  // that a network reads

// What a network says of the tags of words. One for each thread.
class TagScorer {
 public:
  virtual ~TagScorer() = default;
  // Sentences that are about to be read.
  virtual void expect(std::span<const Atoms> sentences) = 0;
  // scores(m, t): log-probabilities, p(t | m) ∝ exp(v_t · f(T x_m) + b_t). Row 0 is of no use.
  virtual const Matrix& read(const Atoms& atoms) = 0;
};

// The tables of one network of a parser. Those of the second have names that end in .2, and so on.
struct NetworkTableNames {
  explicit NetworkTableNames(int member);
  std::string network = "network", network_scales = "network_scales", vectors = "vectors",
              vector_scales = "vector_scales";
};

class NetworkScorerShape final : public ScorerShape {
 public:
  // `weight` is what a log-probability is multiplied by. `in_bytes`: the tables are those of a ByteNetwork. `member`:
  // which of the networks of a parser this is, from 1.
  NetworkScorerShape(NetworkShape network, double weight, bool in_bytes, int member = 1)
      : network_(std::move(network)),
        weight_(weight),
        in_bytes_(in_bytes),
        names_(member),
        encoded_(std::make_shared<EncodedSentences>()),
        pieces_(std::make_shared<Spares<PiecesOfWords>>()) {}

  std::vector<TableSize> tables() const override;
  std::unique_ptr<Scorer> make() const override;
  // For a network that knows tags. The tables must stay where they are.
  std::unique_ptr<TagScorer> make_tag_scorer(const WeightTables& tables) const;
  int expected_at_once() const override { return sentences_at_once; }
  void check(int label_count) const override {
    if (network_.widths.label_count != label_count)
      throw std::invalid_argument("the network knows other labels than the parser");
  }

  const NetworkShape& network() const { return network_; }
  double weight() const { return weight_; }
  bool in_bytes() const { return in_bytes_; }
  const NetworkTableNames& names() const { return names_; }
  // What all who read with it have read last.
  EncodedSentences& encoded() const { return *encoded_; }
  // Those of words that others have read before.
  std::shared_ptr<PiecesOfWords> pieces_of_words() const { return pieces_->take(); }

 private:
  NetworkShape network_;
  double weight_;
  bool in_bytes_;
  NetworkTableNames names_;
  std::shared_ptr<EncodedSentences> encoded_;
  std::shared_ptr<Spares<PiecesOfWords>> pieces_;
};

}  // namespace headwise::scoring
