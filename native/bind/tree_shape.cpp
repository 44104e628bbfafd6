// headwise._native.treebank: whether heads make a tree, and how its arcs cross.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arguments.hpp"
#include "bind/treebank.hpp"
#include "treebank/projectivity.hpp"
#include "treebank/projectivize.hpp"
#include "treebank/tree_check.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

const char* kind_name(TreeProblem::Kind kind) {
  using Kind = TreeProblem::Kind;
  switch (kind) {
    case Kind::missing_head: return "missing-head";
    case Kind::out_of_range: return "out-of-range";
    case Kind::self_loop: return "self-loop";
    case Kind::cycle: return "cycle";
    case Kind::no_root: return "no-root";
    case Kind::several_roots: return "several-roots";
  }
  return "";
}

// Heads that make a tree, or an error that says why they do not.
std::vector<std::int32_t> tree(nb::handle sequence) {
  auto heads = word_numbers(sequence, "heads");
  const auto problems = check_tree(heads, {});
  if (!heads.empty() && !problems.empty()) throw std::invalid_argument(problems.front().explanation);
  return heads;
}

// Heads that are in range, or missing; they need not make a tree.
std::vector<std::int32_t> arcs(nb::handle sequence) {
  auto heads = word_numbers(sequence, "heads");
  for (const auto& problem : check_tree(heads, {.single_root = false, .missing_heads = true})) {
    if (problem.kind == TreeProblem::Kind::out_of_range) throw std::invalid_argument(problem.explanation);
  }
  return heads;
}

}  // namespace

void bind_tree_shape(nb::module_& module) {
  module.def(
      "check_tree",
      [](nb::handle heads, bool single_root, bool missing_heads) {
        nb::list problems;
        for (const auto& problem : check_tree(word_numbers(heads, "heads"), {single_root, missing_heads})) {
          problems.append(nb::make_tuple(kind_name(problem.kind), problem.word, problem.explanation));
        }
        return problems;
      },
      "heads"_a, "single_root"_a, "missing_heads"_a,
      nb::sig("def check_tree(heads: " HEADWISE_WORD_NUMBERS ", single_root: bool, missing_heads: bool)"
              " -> list[tuple[str, int, str]]"),
      "Why heads are not a tree: for each problem its kind, word (0: all) and explanation.");
  module.def(
      "crossing_arcs", [](nb::handle heads) { return crossing_arcs(arcs(heads)); }, "heads"_a,
      nb::sig("def crossing_arcs(heads: " HEADWISE_WORD_NUMBERS ") -> list[int]"), "The words whose arcs cross another.");
  module.def(
      "nonprojective_arcs", [](nb::handle heads) { return nonprojective_arcs(tree(heads)); }, "heads"_a,
      nb::sig("def nonprojective_arcs(heads: " HEADWISE_WORD_NUMBERS ") -> list[int]"),
      "The words whose arcs span a word that their head does not dominate.");
  module.def(
      "projectivize",
      [](nb::handle heads, bool single_root) {
        thread_local DecodeScratch scratch;
        return projectivize(tree(heads), single_root, scratch);
      },
      "heads"_a, "single_root"_a,
      nb::sig("def projectivize(heads: " HEADWISE_WORD_NUMBERS ", single_root: bool) -> list[int]"),
      "The projective tree that shares the most arcs with a tree.");
}

}  // namespace headwise::bind
