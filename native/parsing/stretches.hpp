// Sentences too long for tables of n² numbers: parsed a stretch at a time.
//
// Nobody writes a sentence of a thousand words; a list, a table or a text without full stops reads as one. Each
// stretch gets a tree of its own, and where a tree may have one root only, that of every later stretch hangs from
// that of the first. Stretches end where a sentence could end, if there is such a place.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <string_view>

#include "scoring/features/atoms.hpp"
#include "parsing/parser.hpp"
#include "trees/semiring.hpp"
#include "treebank/sentence.hpp"

namespace headwise::parsing {

inline constexpr int longest_whole = 1000;    // words of a sentence that is parsed in one piece
inline constexpr int longest_stretch = 500;

// Where arcs may cross above first order, trees are found by search. Above this length, arcs are pruned word by word and
// more of them are left, of which a search takes its time: half a minute for a thousand words.
inline int longest_searched(const ParserShape& shape) {
  return shape.sums_all_trees() ? longest_whole : shape.pruner->limits.longest_summed;
}

// Where the stretch that begins after the first `begin` words ends.
inline int stretch_end(const Sentence& sentence, int begin, int longest) {
  constexpr std::array<std::string_view, 9> stops = {".", "!", "?", "…", "。", "！", "？", "।", "؟"};
  if (sentence.size() - begin <= longest) return sentence.size();
  for (int end = begin + longest; end > begin + longest / 2; --end)
    if (std::find(stops.begin(), stops.end(), sentence.field(end, Column::form)) != stops.end()) return end;
  return begin + longest;
}

inline void parse_in_stretches(const Sentence& sentence, Parser& parser, Decoder decoder, Atoms& atoms,
                               ParseResult& result) {
  ParseResult whole;
  int root = 0;
  const int longest = std::min(longest_stretch, longest_searched(parser.shape()));
  for (int begin = 0, end; begin < sentence.size(); begin = end) {
    end = stretch_end(sentence, begin, longest);
    atoms.assign(sentence, begin, end - begin);
    parser.parse(atoms, decoder, result);
    for (std::size_t m = 1; m <= result.heads.size(); ++m) {
      const int head = result.heads[m - 1];
      whole.heads.push_back(head > 0 ? head + begin : parser.shape().single_root ? root : 0);
    }
    whole.score += result.score;
    if (root == 0)
      root = 1 + static_cast<int>(std::find(whole.heads.begin(), whole.heads.end(), 0) - whole.heads.begin());
  }
  whole.exact = false;
  whole.bound = -kImpossible;  // nothing is known of trees whose arcs leave the stretches
  whole.limited = true;
  result = std::move(whole);
  atoms.assign(sentence);
  parser.label(atoms, result);  // in the tree that the stretches make up
}

}  // namespace headwise::parsing
