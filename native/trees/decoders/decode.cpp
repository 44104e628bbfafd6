#include "trees/decoders/decode.hpp"

#include <iterator>
#include <stdexcept>

#include "base/index.hpp"
#include "trees/labelled_search.hpp"
#include "trees/search.hpp"
#include "trees/tree_score.hpp"

namespace headwise::trees {

namespace {

struct NamedDecoder {
  const char* name;
  DecoderFunction find;
};
#define HEADWISE_NAMED(name, written, function) {written, function},
constexpr NamedDecoder decoders[] = {HEADWISE_DECODERS(HEADWISE_NAMED)};
#undef HEADWISE_NAMED

}  // namespace

Decoder decoder_of(const std::string& name) {
  for (std::size_t i = 0; i < std::size(decoders); ++i)
    if (name == decoders[i].name) return static_cast<Decoder>(i);
  throw std::invalid_argument("no decoder is called '" + name + "'");
}

bool decode(const Problem& problem, Decoder decoder, const DecodeOptions& options, DecoderScratch& scratch,
            Solution& solution) {
  return decoders[at(decoder)].find(problem, options, scratch, solution);
}

bool best_tree_of_parts(const Problem& problem, DecoderScratch& scratch, Solution& solution) {
  const int n = problem.words;
  solution.heads.resize(static_cast<std::size_t>(n));
  int* heads = solution.heads.data();
  if (problem.labelled)
    solution.score = best_labelled_tree(*problem.labelled, problem.single_root, problem.scores, heads, scratch.charts);
  else if (problem.arcs)
    solution.score = best_projective_tree(problem.factorization, *problem.arcs, problem.single_root, problem.scores,
                                          heads, scratch.charts);
  else
    solution.score = (problem.projective ? decode_projective : decode_nonprojective)(
        problem.scores.labels, n, problem.single_root, heads, scratch.charts);
  solution.exact = true;
  solution.bound = solution.score;
  return solution.score > kImpossible;
}

double score_of_parts(const Problem& problem, std::span<const int> heads, LinkedTree& links) {
  return problem.arcs ? tree_score(*problem.arcs, problem.scores, problem.factorization, heads, links)
                      : tree_score(problem.scores.labels, problem.words, heads.data());
}

double score_of_tree(const Problem& problem, std::span<const int> heads, LinkedTree& links) {
  const double of_parts = score_of_parts(problem, heads, links);
  return problem.whole ? of_parts + problem.whole->assign(links) : of_parts;
}

}  // namespace headwise::trees
