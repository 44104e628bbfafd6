// The operations on distributions, each over a list of problems and several threads.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <string>

#include "bind/trees_arrays.hpp"
#include "base/threads.hpp"

namespace headwise::bind {
namespace {

using Problems = std::vector<const OwningDistribution*>;

// operation(distribution, k) for the k-th of the problems, the interpreter lock released. Where some have no
// tree, the error names the first of them.
template <class Operation>
auto on_each(const Problems& problems, int threads, Operation operation) {
  std::vector<decltype(operation(*problems[0]->distribution, 0))> results(problems.size());
  std::vector<char> has_tree(problems.size(), 1);
  {
    nb::gil_scoped_release release;
    parallel_for(problems.size(), threads, [&](std::size_t k, int) {
      try {
        results[k] = operation(*problems[k]->distribution, static_cast<int>(k));
      } catch (const NoTree&) {
        has_tree[k] = 0;
      }
    });
  }
  const auto lost = std::find(has_tree.begin(), has_tree.end(), 0);
  if (lost == has_tree.end()) return results;
  throw NoTree(problems.size() == 1 ? "" : " in problem " + std::to_string(lost - has_tree.begin()));
}

template <class Operation>
auto plain(Operation operation) {
  return [operation](const Problems& problems, int threads) {
    return on_each(problems, threads, [&](const Distribution& d, int) { return (d.*operation)(); });
  };
}

// The trees of all problems, and how many each has.
std::pair<TreeArraysOfAll, std::vector<int>> together(const std::vector<std::vector<ScoredTree>>& lists) {
  TreeCollector all;
  std::vector<int> counts;
  for (const auto& list : lists) {
    for (const auto& tree : list) all.add(tree);
    counts.push_back(static_cast<int>(list.size()));
  }
  return {std::move(all).arrays(), std::move(counts)};
}

void check_tree(const Distribution& distribution, const ScoredTree& tree) {
  const auto words = static_cast<std::size_t>(distribution.words());
  require(tree.heads.size() == words && (tree.labels.empty() || tree.labels.size() == words) &&
              (tree.senses.empty() || tree.senses.size() == words),
          "heads, labels and senses must have one entry a word");
}

}  // namespace

void bind_operations(nb::module_& module) {
  nb::class_<OwningDistribution>(module, "Distribution")
      .def_prop_ro("words", [](const OwningDistribution& d) { return d.distribution->words(); });

  const auto problems = nb::arg("problems");
  const auto threads = nb::arg("threads");
  module.def(
      "argmax",
      [](const Problems& list, int threads) {
        TreeCollector all;
        for (const auto& tree : on_each(list, threads, [](const Distribution& d, int) { return d.argmax(); }))
          all.add(tree);
        return std::move(all).arrays();
      },
      problems, threads);
  module.def(
      "top_k",
      [](const Problems& list, int k, int threads) {
        return together(on_each(list, threads, [&](const Distribution& d, int) { return d.top_k(k); }));
      },
      problems, nb::arg("k"), threads);
  module.def("log_partition", plain(&Distribution::log_partition), problems, threads);
  module.def("entropy", plain(&Distribution::entropy), problems, threads);
  module.def(
      "count_modulo",
      [](const Problems& list, std::uint64_t prime, int threads) {
        return on_each(list, threads, [&](const Distribution& d, int) { return d.count_modulo(prime); });
      },
      problems, nb::arg("prime"), threads);
  module.def(
      "marginals",
      [](const Problems& list, const std::vector<const MarginalArrays*>& tables, int threads) {
        require(list.size() == tables.size(), "one set of tables for each problem");
        on_each(list, threads, [&](const Distribution& d, int k) {
          d.marginals(tables[k]->tables());
          return true;
        });
      },
      problems, nb::arg("tables"), threads);
  module.def(
      "log_prob",
      [](const Problems& list, const std::vector<std::vector<int>>& heads,
         const std::vector<std::vector<int>>& labels, const std::vector<std::vector<int>>& senses,
         int threads) {
        require(list.size() == heads.size() && list.size() == labels.size() && list.size() == senses.size(),
                "one tree for each problem");
        std::vector<ScoredTree> trees;
        for (std::size_t k = 0; k < list.size(); ++k) {
          trees.push_back({0.0, heads[k], labels[k], senses[k]});
          check_tree(*list[k]->distribution, trees.back());
        }
        return on_each(list, threads,
                       [&](const Distribution& d, int k) { return d.log_probability(trees[k]); });
      },
      problems, nb::arg("heads"), nb::arg("labels"), nb::arg("senses"), threads);
  module.def(
      "kl_divergence",
      [](const Problems& list, const Problems& others, int threads) {
        require(list.size() == others.size(), "one other distribution for each problem");
        return on_each(list, threads, [&](const Distribution& d, int k) {
          return d.kl_divergence(*others[k]->distribution);
        });
      },
      problems, nb::arg("others"), threads);
  module.def(
      "sample",
      [](const Problems& list, int k, const std::vector<std::uint64_t>& seeds, bool distinct, int threads) {
        require(list.size() == seeds.size(), "one seed for each problem");
        return together(on_each(list, threads, [&](const Distribution& d, int number) {
          return d.sample(k, seeds[number], distinct);
        }));
      },
      problems, nb::arg("k"), nb::arg("seeds"), nb::arg("distinct"), threads);
}

}  // namespace headwise::bind
