// Bindings of searches that go from tree to tree: climbing, sampling, and the tree that they move.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/trees_arrays.hpp"
#include "trees/tree_score.hpp"
#include "trees/local_search/anneal.hpp"
#include "trees/local_search/climb.hpp"
#include "trees/local_search/count_optima.hpp"

namespace headwise::bind {

using namespace nb::literals;

namespace {

// The problem and a tree of it. A forbidden part would make differences of scores meaningless.
class SearchedTrees {
 public:
  SearchedTrees(const Candidates& arcs, const ScoreArrays& scores, const std::string& factorization, bool single_root)
      : arcs_(arcs),
        arrays_(scores),
        scores_(scores.tables()),
        factorization_(factorization_of(factorization)),
        single_root_(single_root),
        tree_(arcs_, scores_, factorization_) {
    const auto check = [](const auto& table) {
      if (!table) return;
      for (std::size_t i = 0; i < table->size(); ++i)
        require(std::isfinite(table->data()[i]),
                "climbing and sampling need finite scores of all parts; forbid arcs instead, by a mask");
    };
    check(arrays_.labels);
    PartKinds::each([&](auto kind) { check(arrays_[kind]); });
  }
  SearchedTrees(const SearchedTrees&) = delete;
  SearchedTrees& operator=(const SearchedTrees&) = delete;

  void assign(const ArrayIn<int>& heads) {
    require(static_cast<int>(heads.size()) == arcs_.words(), "heads must have one entry a word");
    for (int m = 1; m <= arcs_.words(); ++m)
      require(arc_or_none(arcs_, heads.data()[m - 1], m) >= 0, "heads must be allowed arcs");
    has_tree_ = false;
    tree_.assign(view(heads));
    has_tree_ = static_cast<int>(tree_.subtree(0).size()) == arcs_.nodes();
    require(has_tree_, "heads must form a tree");
  }
  // Whether m can get the head h, and a tree remains.
  bool can_move(int m, int h) {
    require(has_tree_, "there is no tree yet; assign one");
    require(m >= 1 && m <= arcs_.words(), "m must be a word");
    Moves moves(tree_, single_root_);
    moves.look_at(m);
    bool found = false;
    moves.each(m, [&](int arc) { found |= arcs_.head(arc) == h; });
    return found;
  }
  double move(int m, int h) {
    require(can_move(m, h), "this move leaves no tree");
    const double lost = tree_.detach(m);
    return tree_.attach(arcs_.find(h, m)) - lost;
  }
  double score() const {
    require(has_tree_, "there is no tree yet; assign one");
    return tree_.score();
  }
  Integers heads() const {
    require(has_tree_, "there is no tree yet; assign one");
    std::vector<int> heads;
    tree_.copy_heads(heads);
    return integers(std::move(heads));
  }

  nb::dict climb(const ClimbLimits& limits) {
    std::vector<int> heads;
    ClimbOutcome outcome;
    {
      const nb::gil_scoped_release release;
      outcome = best_tree_by_climbing(tree_, scores_, single_root_, limits, heads);
    }
    nb::dict result = solution(std::move(heads));
    result["restarts"] = outcome.restarts;
    result["found_at"] = outcome.found_at;
    return result;
  }

  nb::dict anneal(const AnnealLimits& limits) {
    std::vector<int> heads;
    {
      const nb::gil_scoped_release release;
      best_tree_by_annealing(tree_, scores_, single_root_, limits, heads);
    }
    return solution(std::move(heads));
  }

  // Trees of a chain at one temperature, side by side, `every` steps apart.
  Integers sample(int count, double temperature, int every, std::uint64_t seed, const ChainSettings& settings) {
    FirstOrderTrees first_order(arcs_, single_root_, [&](int arc) { return scores_.labels[arc]; });
    std::vector<int> heads, all;
    if (!first_order.best(heads, settings.projective)) throw NoTree();
    tree_.assign(heads);
    TreeChain chain(tree_, scores_, single_root_, settings);
    Random random(seed);
    for (int k = 0; k < count; ++k) {
      for (int step = 0; step < every; ++step) chain.step(temperature, random);
      tree_.copy_heads(heads);
      all.insert(all.end(), heads.begin(), heads.end());
    }
    return integers(std::move(all));
  }

 private:
  // With the score summed anew: differences have gathered rounding errors.
  nb::dict solution(std::vector<int>&& heads) {
    if (heads.empty()) throw NoTree();
    LinkedTree links;
    nb::dict result;
    result["score"] = tree_score(arcs_, scores_, factorization_, heads, links);
    result["heads"] = integers(std::move(heads));
    return result;
  }

  const Candidates& arcs_;
  ScoreArrays arrays_;
  PartScores scores_;
  Factorization factorization_;
  bool single_root_, has_tree_ = false;
  MovableTree tree_;
};

Proposal proposal_of(const std::string& name) {
  if (name == "gibbs") return Proposal::gibbs;
  if (name == "block") return Proposal::block;
  require(name == "both", "proposal must be 'gibbs', 'block' or 'both'");
  return Proposal::both;
}
Starts starts_of(const std::string& name) {
  if (name == "uniform") return Starts::uniform;
  if (name == "first-order") return Starts::first_order;
  require(name == "mixed", "starts must be 'mixed', 'uniform' or 'first-order'");
  return Starts::mixed;
}
ChainSettings chain_settings(const std::string& proposal, int block, bool projective) {
  require(block >= 1, "block must be at least 1");
  return {proposal_of(proposal), block, projective};
}

}  // namespace

void local_search(nb::module_ module) {
  nb::class_<SearchedTrees>(module, "SearchedTrees", "A tree that moves through all trees of a problem.")
      .def(nb::init<const Candidates&, const ScoreArrays&, const std::string&, bool>(), "candidates"_a, "scores"_a,
           "factorization"_a, "single_root"_a, nb::keep_alive<1, 2>())
      .def("assign", &SearchedTrees::assign, "heads"_a)
      .def("can_move", &SearchedTrees::can_move, "word"_a, "head"_a)
      .def("move", &SearchedTrees::move, "word"_a, "head"_a, "Move a word; returns what the score gains.")
      .def("score", &SearchedTrees::score)
      .def("heads", &SearchedTrees::heads)
      .def("climb",
           [](SearchedTrees& self, std::uint64_t seed, int patience, int most_restarts, const std::string& starts,
              bool escapes, int threads) {
             require(patience >= 0 && most_restarts >= 1, "there must be at least one climb");
             require(threads >= 1, "threads must be at least 1");
             return self.climb({seed, patience, most_restarts, starts_of(starts), escapes, threads});
           },
           nb::kw_only(), "seed"_a, "patience"_a, "most_restarts"_a, "starts"_a, "escapes"_a, "threads"_a)
      .def("anneal",
           [](SearchedTrees& self, std::uint64_t seed, int steps_a_word, double hottest, double coldest,
              const std::string& proposal, int block, bool projective) {
             require(steps_a_word >= 0, "steps_a_word must not be negative");
             require(coldest > 0 && hottest >= coldest && std::isfinite(hottest), "temperatures must be positive and fall");
             return self.anneal({seed, steps_a_word, hottest, coldest, chain_settings(proposal, block, projective)});
           },
           nb::kw_only(), "seed"_a, "steps_a_word"_a, "hottest"_a, "coldest"_a, "proposal"_a, "block"_a,
           "projective"_a = false)
      .def("sample",
           [](SearchedTrees& self, int count, double temperature, int every, std::uint64_t seed,
              const std::string& proposal, int block, bool projective) {
             require(count >= 0 && every >= 1, "count must not be negative, every at least 1");
             require(temperature > 0 && std::isfinite(temperature), "temperature must be positive");
             return self.sample(count, temperature, every, seed, chain_settings(proposal, block, projective));
           },
           nb::kw_only(), "count"_a, "temperature"_a, "every"_a, "seed"_a, "proposal"_a, "block"_a,
           "projective"_a = false);
  module.def(
      "count_local_optima",
      [](const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& scores, std::int64_t most) {
        require(scores.shape(0) == scores.shape(1) && scores.shape(0) >= 2, "scores must have shape (n+1, n+1)");
        const nb::gil_scoped_release release;
        return LocalOptima(most).count({scores.data(), scores.data() + scores.size()}, static_cast<int>(scores.shape(0)));
      },
      "scores"_a, "most"_a);
}

}  // namespace headwise::bind
