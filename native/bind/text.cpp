// headwise._native.text: from raw text to tokens and sentences. No algorithms here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/modules.hpp"
#include "bind/weights.hpp"
#include "treebank/conll_parse.hpp"
#include "base/huge_pages.hpp"
#include "text/boundary_model.hpp"
#include "text/conllu_layout.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace headwise::bind {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void add_example(BoundaryTrainer& trainer, std::string text, const Bytes& boundaries) {
  BoundaryExample example{std::move(text), {}};
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries.data()[i] >= boundary_count) throw std::invalid_argument("boundaries: out of range");
    example.boundaries.push_back(static_cast<Boundary>(boundaries.data()[i]));
  }
  Characters characters;
  characters.assign(example.text);
  if (static_cast<std::size_t>(characters.size()) != boundaries.size())
    throw std::invalid_argument("boundaries: one entry a character");
  trainer.add(std::move(example));
}

Context context_of(const std::string& name) {
  if (name == "first") return Context::first;
  if (name == "words") return Context::words;
  if (name == "characters") return Context::characters;
  throw std::invalid_argument("no context is called '" + name + "' (use first, words or characters)");
}

// The weights and rules that split paragraphs.
class Splitter {
 public:
  Splitter(const ArrayIn<float>& weights, int bits, bool spaces_in_tokens, bool addresses, bool handles,
           const std::string& context)
      : weights_(weights.data(), weights.data() + weights.size()),
        mask_(mask_of_bits(bits)),
        spaces_(spaces_in_tokens),
        addresses_(addresses),
        handles_(handles),
        context_(context_of(context)) {
    if (weights_.size() != std::size_t{mask_} + 1) throw std::invalid_argument("weights: wrong table size");
  }

  // [begin, end, boundary] of every token, one after the other.
  std::vector<TextToken> split(const Characters& text, bool sentences) const {
    const nb::gil_scoped_release release;
    BoundaryScorer scorer(mask_, context_);
    std::vector<TextToken> tokens;
    find_tokens(text, {spaces_, sentences, addresses_, handles_}, weights_.data(), scorer, tokens);
    return tokens;
  }

 private:
  LargeTable<float> weights_;
  std::uint32_t mask_;
  bool spaces_, addresses_, handles_;
  Context context_;
};

// The sentences of a paragraph and where each begins in it. `words_of(form)` gives the words of a multiword
// token, none where it does not know; it is asked only for tokens that the splitter took for one.
using WordsOf = nb::typed<nb::callable, std::vector<std::string>(std::string)>;
using SentencesAndStarts = nb::typed<nb::list, nb::typed<nb::tuple, Sentence, int>>;

SentencesAndStarts paragraph(const Splitter& splitter, const std::string& paragraph, const WordsOf& words_of,
                             bool sentences, bool offsets, long long first_offset, const std::string& first_comments,
                             long long first_number) {
  Characters text;
  text.assign(paragraph);
  const std::vector<TextToken> tokens = splitter.split(text, sentences);
  const ConlluLayout layout(paragraph, text, offsets, first_offset);
  const Source nowhere{std::make_shared<const std::string>("<text>"), 1};
  nb::list found;
  std::vector<std::vector<std::string>> words;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    auto& parts = words.emplace_back();
    if (is_multiword(tokens[k].boundary)) {
      const auto from = text.begin(tokens[k].begin), to = text.begin(tokens[k].end);
      parts = nb::cast<std::vector<std::string>>(words_of(nb::str(paragraph.data() + from, to - from)));
    }
    if (!ends_sentence(tokens[k].boundary) && k + 1 < tokens.size()) continue;
    std::string comments = begin == 0 ? first_comments : "";
    comments += "# sent_id = " + std::to_string(first_number++) + "\n";
    const std::string bytes = layout.sentence(std::span(tokens).subspan(begin, k + 1 - begin), words, comments);
    found.append(nb::make_tuple(SentenceParser::parse(bytes, 0, Format::conllu, Validation::columns, nowhere),
                                tokens[begin].begin));
    words.clear();
    begin = k + 1;
  }
  return nb::borrow<SentencesAndStarts>(found);
}

}  // namespace

void text(nb::module_ module) {
  nb::class_<BoundaryCounts>(module, "BoundaryCounts", "What happened during a stretch of training.")
      .def_ro("words", &BoundaryCounts::words)
      .def_ro("mistakes", &BoundaryCounts::mistakes)
      .def_ro("loss", &BoundaryCounts::loss);

  nb::class_<BoundaryTrainer>(module, "BoundaryTrainer", "MIRA training of token and sentence ends.")
      .def("__init__",
           [](BoundaryTrainer* self, int bits, bool spaces_in_tokens, const std::string& context, double aggressiveness) {
             new (self) BoundaryTrainer(mask_of_bits(bits), {spaces_in_tokens, true}, context_of(context),
                                        Margins::mira(aggressiveness));
           },
           "bits"_a, "spaces_in_tokens"_a, "context"_a, "aggressiveness"_a)
      .def("add", &add_example, "text"_a, "boundaries"_a,
           "A paragraph, and for each character what ends after it: 0 nothing, 1 a token, 2 a multiword token,\n"
           "3 a sentence, 4 a sentence with a multiword token.")
      .def("train",
           [](BoundaryTrainer& self, ArrayIn<std::int64_t> order, int) {
             const nb::gil_scoped_release release;
             return self.train(view(order));
           },
           "order"_a, "threads"_a = 1, "One pass over examples; each step needs the one before, whatever the threads.")
      .def("averaged", [](BoundaryTrainer& self) { return std::tuple(mean(self.weights())); })
      .def("state",
           [](BoundaryTrainer& self) {
             nb::dict state;
             put_state(state, "boundaries", self.weights());
             return state;
           })
      .def("restore", [](BoundaryTrainer& self, const nb::dict& state) { take_state(state, "boundaries", self.weights()); },
           "state"_a);

  nb::class_<Splitter>(module, "Splitter", "Splits paragraphs into sentences and tokens.")
      .def(nb::init<const ArrayIn<float>&, int, bool, bool, bool, const std::string&>(), "weights"_a, "bits"_a,
           "spaces_in_tokens"_a, "addresses"_a, "handles"_a, "context"_a)
      .def("paragraph", &paragraph, "text"_a, "words_of"_a, "sentences"_a, "offsets"_a, "first_offset"_a,
           "first_comments"_a, "first_number"_a,
           "The sentences of a paragraph, each with the character of the paragraph where it begins.");
}

}  // namespace headwise::bind
