// A phrase-structure tree as the core hands it over: labelled brackets in preorder, and the tag of every word.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <vector>

#include "base/index.hpp"

namespace headwise::constituency {

struct Bracket {
  int label, begin, end;  // words begin … end − 1
};

struct Bracketing {
  std::vector<Bracket> brackets;
  std::vector<int> tags;   // one a word
  std::vector<int> heads;  // head of word m at m − 1, 0 for the root; empty where the grammar knows none
  double score = 0;

  void clear(int words) {
    brackets.clear();
    tags.assign(at(words), -1);
    heads.clear();
  }
};

}  // namespace headwise::constituency
