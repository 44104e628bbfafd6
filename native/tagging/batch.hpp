// Tagging many sentences at once, in the order of the input, whatever the number of threads.
#pragma once
#include "rooms.hpp"
#include <span>
#include <vector>

#include "tagging/detours.hpp"
#include "tagging/tagger.hpp"
#include "treebank/blocks.hpp"

namespace headwise::tagging {

// The labels of the words of each sentence.
using LabelSequences = std::vector<std::vector<int>>;

std::vector<Sentence> tag_batch(const Tagger& tagger, Batch sentences, int threads);

// How probable what each word has in a column is, [temperature, word], the words of all sentences one after the other.
std::vector<double> tag_probabilities(const Tagger& tagger, Batch sentences, Column column,
                                      std::span<const double> temperatures, int threads);

// The sentences with these tags, and with lemmas of them.
std::vector<Sentence> with_labels(const Tagger& tagger, Batch sentences, const LabelSequences& labels, int threads);

// Of each sentence the best labels and, for other labels of single words, the best sequences with them.
std::vector<std::vector<RankedSequence>> find_detours(const Tagger& tagger, Batch sentences, double margin, int most,
                                                      int threads);

std::vector<double> score_labels(const Tagger& tagger, Batch sentences, const LabelSequences& labels, int threads);

}  // namespace headwise::tagging
