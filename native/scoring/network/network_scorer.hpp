// A network as a scorer: what it says of the arcs and labels of a sentence, on the scale of a parser's scores.
//
// Log-probabilities of a network and scores of features are added: where the two know different things, their sum knows
// more than either (a product of experts).
#pragma once
#include "rooms.hpp"
#include <stdexcept>
#include <utility>

#include "scoring/network/shape.hpp"
#include "scoring/scorer.hpp"

namespace headwise::scoring {

class NetworkScorerShape final : public ScorerShape {
 public:
  // `weight` is what a log-probability is multiplied by. `in_bytes`: the tables are those of a ByteNetwork.
  NetworkScorerShape(NetworkShape network, double weight, bool in_bytes)
      : network_(std::move(network)), weight_(weight), in_bytes_(in_bytes) {}

  std::vector<TableSize> tables() const override;
  std::unique_ptr<Scorer> make() const override;
  int expected_at_once() const override { return 16; }
  void check(int label_count) const override {
    if (network_.label_count != label_count)
      throw std::invalid_argument("the network knows other labels than the parser");
  }

  const NetworkShape& network() const { return network_; }
  double weight() const { return weight_; }
  bool in_bytes() const { return in_bytes_; }

 private:
  NetworkShape network_;
  double weight_;
  bool in_bytes_;
};

}  // namespace headwise::scoring
