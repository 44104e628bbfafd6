// All spanning trees cut into pieces, so that trees can be taken out one by one (Lawler 1972; Camerini,
// Fratta and Maffioli 1980): when a tree is taken out of a piece, the rest of the piece falls into smaller
// ones, the w-th keeping the choices of the tree for the words before w and forbidding its choice for w.
//
// A piece is described by scores in which everything it excludes is −inf. What ranks pieces, their best
// tree or the total weight of their trees, is the caller's.
#pragma once
#include "rooms.hpp"
#include <utility>
#include <vector>

#include "trees/distribution.hpp"
#include "trees/semiring.hpp"

namespace headwise::trees {

struct Piece {
  std::vector<double> scores;  // as given, [h, m, label]
  int first_free = 1;          // words before have one choice left

  // visit(piece) for the pieces that make up the rest when `tree` is taken out.
  template <class Visit>
  void without(const ScoredTree& tree, int nodes, int labels, Visit visit) const {
    Piece rest{scores, first_free};
    for (int word = first_free; word < nodes; ++word) {
      const Index chosen =
          (static_cast<Index>(tree.heads[word - 1]) * nodes + word) * labels + tree.labels[word - 1];
      const double score = rest.scores[chosen];
      rest.scores[chosen] = kImpossible;
      rest.first_free = word;
      visit(rest);
      for (int h = 0; h < nodes; ++h)
        for (int label = 0; label < labels; ++label)
          rest.scores[(static_cast<Index>(h) * nodes + word) * labels + label] = kImpossible;
      rest.scores[chosen] = score;
    }
  }
};

}  // namespace headwise::trees
