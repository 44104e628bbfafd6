// Sums over the trees of a problem.
#pragma once
#include "rooms.hpp"
#include <memory>

#include "trees/decoders/problem.hpp"

namespace headwise::trees {

// One for each thread; the memory is kept from problem to problem.
class TreeSums {
 public:
  TreeSums();
  ~TreeSums();

  // log Z, and the probability of each part into tables that are zero and as large as those of the scores. With larger
  // parts the sum is over projective trees. −inf where there is no tree. Features of whole trees do not count.
  double sum(const Problem& problem, const PartMarginals& marginals);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace headwise::trees
