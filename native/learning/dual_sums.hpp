// How one sentence is scored and summed, part by part: what exponentiated gradient needs of a structure. All
// operations are on the sentence that was scored last.
#pragma once
#include "rooms.hpp"
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parsing/arc_parser.hpp"
#include "parsing/higher_order_parser.hpp"
#include "learning/training_example.hpp"

namespace headwise::learning {

// First order, projective or not.
class ArcSums {
 public:
  using Shape = ParserShape;
  using Example = TrainingExample;
  struct Table {
    std::vector<double> arcs;  // [h * (n + 1) + m]
    static constexpr auto kinds() { return std::array{&Table::arcs}; }
  };

  explicit ArcSums(const ParserShape& shape) : shape_(&shape), parser_(shape) {}

  void score(const Example& example, const float* weights, Table& scores) {
    parser_.score(example.atoms, {weights, nullptr}, nullptr, ArcParser::OverLabels::best);
    scores.arcs.assign(parser_.scores().begin(), parser_.scores().end());
  }
  void gold(const Example& example, Table& table) const {
    table.arcs.assign(parser_.scores().size(), 0.0);
    for (int m = 1; m <= parser_.words(); ++m) table.arcs[place(example.heads[at(m - 1)], m)] = 1.0;
  }
  // Every word with a wrong head costs one.
  void add_cost(const Example& example, Table& table) const {
    for (int h = 0; h <= parser_.words(); ++h)
      for (int m = 1; m <= parser_.words(); ++m)
        if (h != example.heads[at(m - 1)]) table.arcs[place(h, m)] += 1.0;
  }
  double expected_cost(const Example& example, const Table& marginals) const {
    double right = 0;
    for (int m = 1; m <= parser_.words(); ++m) right += marginals.arcs[place(example.heads[at(m - 1)], m)];
    return parser_.words() - right;
  }
  double sum(const Table& theta, Table& marginals) {
    const int n = parser_.words();
    return marginals_.sum(shape_->projective, theta.arcs.data(), n, shape_->single_root, marginals.arcs);
  }
  double best(const Table& scores) {
    const int n = parser_.words();
    heads_.resize(at(n));
    return shape_->projective ? decode_projective(scores.arcs.data(), n, shape_->single_root, heads_.data(), decode_)
                              : decode_nonprojective(scores.arcs.data(), n, shape_->single_root, heads_.data(), decode_);
  }
  template <class F>
  void for_each_feature(const Table& amounts, double negligible, F f) const {
    for (int h = 0; h <= parser_.words(); ++h)
      for (int m = 1; m <= parser_.words(); ++m)
        if (const double amount = amounts.arcs[place(h, m)]; std::abs(amount) > negligible)
          parser_.arc_features().for_each(h, m, shape_->arc_mask, [&](std::uint32_t index) { f(index, amount); });
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t place(int h, int m) const { return at(h) * at(parser_.words() + 1) + at(m); }

  const ParserShape* shape_;
  ArcParser parser_;
  ArcMarginals marginals_;
  DecodeScratch decode_;
  std::vector<int> heads_;
};

// Higher order, over the arcs that survived pruning.
class PartSums {
 public:
  using Shape = HigherOrderShape;
  struct Example : TrainingExample {
    std::vector<std::uint8_t> flags;
  };
  using Table = CandidateTables;

  explicit PartSums(const HigherOrderShape& shape) : parser_(shape) {}

  void score(const Example& example, const float* weights, Table& scores) {
    parser_.score(example.atoms, {weights, nullptr}, example.flags, nullptr);
    scores = parser_.tables();
  }
  void gold(const Example& example, Table& table) {
    table.clear_like(parser_.tables());
    parser_.add_tree(example.heads, 1.0, table);
  }
  void add_cost(const Example& example, Table& table) const {
    const Candidates& arcs = parser_.candidates();
    for (int arc = 0; arc < arcs.arcs(); ++arc)
      if (is_wrong(example, arc)) table.arcs[static_cast<std::size_t>(arc)] += 1.0;
  }
  double expected_cost(const Example& example, const Table& marginals) const {
    double cost = 0;
    for (int arc = 0; arc < parser_.candidates().arcs(); ++arc)
      if (is_wrong(example, arc)) cost += marginals.arcs[static_cast<std::size_t>(arc)];
    return cost;
  }
  double sum(const Table& theta, Table& marginals) {
    const double log_z = parser_.sum_trees_of(theta, marginals);
    if (!(log_z > kImpossible)) throw NoTree();
    return log_z;
  }
  double best(const Table& scores) { return parser_.best_score_of(scores); }
  template <class F>
  void for_each_feature(const Table& amounts, double negligible, F f) {
    parser_.for_each_feature(amounts, negligible, f);
  }

 private:
  bool is_wrong(const Example& example, int arc) const {
    const Candidates& arcs = parser_.candidates();
    return example.heads[static_cast<std::size_t>(arcs.modifier(arc)) - 1] != arcs.head(arc);
  }
  HigherOrderParser parser_;
};

}  // namespace headwise::learning
