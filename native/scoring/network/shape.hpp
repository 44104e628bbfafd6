// What a network computes, without its weights: which atoms of words have vectors, and how wide its layers are.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/fields.hpp"
#include "base/flat_map.hpp"
#include "scoring/features/atoms.hpp"
#include "scoring/network/lstm.hpp"
#include "scoring/network/matrix.hpp"

namespace headwise::scoring {

// All that a network knows of a sentence: of the root and each word, the rows of the vectors of its atoms, and the vector
// that comes with it from raw text (nullptr: none).
struct KnownSentence {
  std::vector<int> rows, ends;  // the rows of all positions, and where those of each end
  std::vector<const float*> vectors;

  int positions() const { return static_cast<int>(ends.size()); }
  std::span<const int> rows_of(int position) const {
    const auto t = static_cast<std::size_t>(position);
    const int begin = t == 0 ? 0 : ends[t - 1];
    return std::span(rows).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(ends[t] - begin));
  }
  void clear() {
    rows.clear();
    ends.clear();
    vectors.clear();
  }
  bool operator==(const KnownSentence&) const = default;
};
// Vectors are as long as 1 on average; as a network reads them, their numbers are.
inline void set_given(const float* vector, int count, float* to) {
  const auto scale = static_cast<float>(std::sqrt(count));
  for (int c = 0; c < count; ++c) to[c] = scale * vector[c];
}
// Some of its positions, as if there were no others.
struct KnownPiece {
  const KnownSentence* sentence;
  int begin, count;
};
inline constexpr int longest_piece = 1000;  // of a sentence that is read for its labels alone

// The rows of the pieces of words that came up lately: most words come up again soon, and a word has dozens of pieces.
class PiecesOfWords {
 public:
  // list(rows) finds them where this has forgotten the word.
  template <class List>
  std::span<const int> of(std::string_view word, List list) {
    if (kept_.empty()) kept_.resize(most);
    Kept& kept = kept_[hash_bytes(word) % most];
    if (kept.word != word) {
      kept.word = word;
      kept.rows.clear();
      list(kept.rows);
    }
    return kept.rows;
  }

 private:
  static constexpr std::size_t most = 1 << 12;
  struct Kept {
    std::string word;
    std::vector<int> rows;
  };
  std::vector<Kept> kept_;
};

// The atoms that have a vector, each with the number of its row. Others add nothing to what is known of a word. Copies
// share their rows: networks of one vocabulary keep it once.
class NetworkVocabulary {
 public:
  // What a word is made of. Words themselves come first: training forgets them now and then.
  static constexpr std::array attributes = {Attribute::lower,   Attribute::lemma,   Attribute::tag,
                                            Attribute::pos,     Attribute::shape,   Attribute::suffix,
                                            Attribute::suffix2, Attribute::prefix3, Attribute::feat,
                                            Attribute::c4,      Attribute::c6,      Attribute::cluster};
  static constexpr bool names_the_word(Attribute a) { return a == Attribute::lower || a == Attribute::lemma; }
  // What words have once somebody has tagged them.
  static constexpr bool is_annotation(Attribute a) {
    return a == Attribute::lemma || a == Attribute::tag || a == Attribute::pos || a == Attribute::feat;
  }

  // Pieces of words, of `shortest_piece` to `longest_piece` characters with the marks of begin and end, are atoms
  // too; those of the attribute `form`, which is no atom by itself. 0: they are not.
  static constexpr int shortest_piece = 2;

  NetworkVocabulary() = default;
  explicit NetworkVocabulary(std::span<const std::int64_t> keys, int longest_piece = 0)
      : longest_piece_(longest_piece) {
    auto rows = std::make_shared<FlatMap<int>>(keys.size());
    for (const std::int64_t key : keys) {
      int& row = (*rows)[static_cast<std::uint64_t>(key)];
      if (row > 0) throw std::invalid_argument("vocabulary: an atom is there twice");
      row = ++size_;
    }
    rows_ = std::move(rows);
  }
  int size() const { return size_; }

  // f(attribute, key) for all atoms of a position.
  template <class F>
  static void for_each_key(const Atoms& atoms, int position, int longest_piece, F f) {
    for (const Attribute a : attributes)
      if (!has_many_values(a)) {
        const std::uint64_t value = atoms.value(position, a);
        if (a < Attribute::c4 || value != no_clusters) f(a, key(a, value));
      } else {
        for (const std::uint64_t value : atoms.values(position)) f(a, key(a, value));
      }
    if (longest_piece > 0 && !atoms.text(position).empty())
      for_each_piece(atoms.text(position), longest_piece,
                     [&](std::uint64_t piece) { f(Attribute::form, key(Attribute::form, piece)); });
  }
  void list(const Atoms& atoms, PiecesOfWords& pieces, KnownSentence& known) const {
    known.clear();
    for (int t = 0; t <= atoms.words(); ++t) {
      for_each_row(atoms, t, 0, [&](Attribute, int row) { known.rows.push_back(row); });
      if (longest_piece_ > 0 && !atoms.text(t).empty()) {
        const std::span<const int> rows = pieces.of(atoms.text(t), [&](std::vector<int>& found) {
          for_each_piece(atoms.text(t), longest_piece_, [&](std::uint64_t piece) {
            if (const int row = rows_->find(key(Attribute::form, piece)); row > 0) found.push_back(row - 1);
          });
        });
        known.rows.insert(known.rows.end(), rows.begin(), rows.end());
      }
      known.ends.push_back(static_cast<int>(known.rows.size()));
      known.vectors.push_back(atoms.vector(t));
    }
  }
  // f(attribute, row) for those that have a vector.
  template <class F>
  void for_each_row(const Atoms& atoms, int position, F f) const {
    for_each_row(atoms, position, longest_piece_, f);
  }

 private:
  template <class F>
  void for_each_row(const Atoms& atoms, int position, int longest_piece, F f) const {
    for_each_key(atoms, position, longest_piece, [&](Attribute a, std::uint64_t key) {
      if (const int row = rows_->find(key); row > 0) f(a, row - 1);
    });
  }
  // f(hash of the piece)
  template <class F>
  static void for_each_piece(std::string_view word, int longest, F f) {
    const std::string marked = '\x02' + std::string(word) + '\x03';
    const std::string_view text = marked;
    for (std::size_t begin = 0; begin < text.size(); begin += utf8_offset(text.substr(begin), 1)) {
      BytesHash hash;
      std::size_t end = begin;
      for (int length = 1; length <= longest && end < text.size(); ++length) {
        const std::size_t size = utf8_offset(text.substr(end), 1);
        hash.add(text.substr(end, size));
        end += size;
        if (length >= shortest_piece) f(hash.value());
      }
    }
  }
  static constexpr std::uint64_t no_clusters = 0;
  static std::uint64_t key(Attribute a, std::uint64_t value) {
    return mix(combine(0x4E7 + static_cast<std::uint64_t>(a), value));
  }
  std::shared_ptr<const FlatMap<int>> rows_ = std::make_shared<FlatMap<int>>();  // counted from 1
  int size_ = 0, longest_piece_ = 0;
};

// The vectors of words, the outputs of each direction of a layer, the layers between there and the scores.
struct NetworkWidths {
  int vectors = 128, lstm = 128, layers = 2, arcs = 128, labels = 128;
  int given = 0;  // of vectors that come with the words, from raw text; 0: there are none
  int tags = 0;   // of the layer before the scores of tags; 0: there is none, and it scores none
  int label_count = 0, tag_count = 0;
  int pieces = 0;  // of words, of up to so many characters, have vectors too; 0: they have none

  static constexpr auto fields() {
    using W = NetworkWidths;
    return std::tuple(required("vectors", &W::vectors), required("lstm", &W::lstm), required("layers", &W::layers),
                      required("arcs", &W::arcs), required("labels", &W::labels),
                      required("label_count", &W::label_count), field("given", &W::given), field("pieces", &W::pieces),
                      field("tags", &W::tags), field("tag_count", &W::tag_count));
  }
};

struct NetworkShape {
  NetworkShape() = default;
  // Throws std::invalid_argument where there is no such network, or it is too large.
  NetworkShape(std::span<const std::int64_t> atoms, const NetworkWidths& sizes)
      : vocabulary(atoms, sizes.pieces), widths(sizes) {
    check_fields("network", widths);
    // The gates are opened in whole vectors.
    if (widths.lstm % 16) throw std::invalid_argument("network.lstm must be a multiple of 16");
    if ((widths.tags > 0) != (widths.tag_count > 0))
      throw std::invalid_argument("a network that scores tags needs a layer for them");
    if (!any()) throw std::invalid_argument("a network needs a vocabulary");
  }

  NetworkVocabulary vocabulary;
  NetworkWidths widths;

  bool any() const { return vocabulary.size() > 0; }
  std::size_t vector_count() const {
    return static_cast<std::size_t>(vocabulary.size()) * static_cast<std::size_t>(widths.vectors);
  }
};

template <class Matrix, class Row>
struct AffineOf {
  Matrix weights;
  Row bias;
};
template <class Number>
using Affine = AffineOf<MatrixView<Number>, Number*>;

// The weights of all layers, in the order in which they are stored.
template <class Matrix, class Row>
struct NetworkLayout {
  std::vector<std::array<LstmWeightsOf<Matrix, Row>, 2>> layers;
  AffineOf<Matrix, Row> head, modifier, attraction, label_head, label_modifier, label;
  AffineOf<Matrix, Row> tag_state{}, tag{};  // of networks that score tags
  Matrix given;  // from given vectors to those of words

  // `matrix(rows, columns)` and `row(columns)` give the next ones.
  template <class TakeMatrix, class TakeRow>
  void lay_out(const NetworkShape& shape, TakeMatrix matrix, TakeRow row) {
    const NetworkWidths& w = shape.widths;
    for (int layer = 0; layer < w.layers; ++layer) {
      const int in = layer == 0 ? w.vectors : 2 * w.lstm;
      const auto direction = [&]() -> LstmWeightsOf<Matrix, Row> {
        const Matrix input = matrix(in, 4 * w.lstm), recurrent = matrix(w.lstm, 4 * w.lstm);
        return {input, recurrent, row(4 * w.lstm)};
      };
      const auto forwards = direction();
      layers.push_back({forwards, direction()});
    }
    const auto affine = [&](int in, int out) -> AffineOf<Matrix, Row> {
      const Matrix weights = matrix(in, out);
      return {weights, row(out)};
    };
    head = affine(2 * w.lstm, w.arcs);
    modifier = affine(2 * w.lstm, w.arcs);
    attraction = affine(w.arcs, w.arcs);
    label_head = affine(2 * w.lstm, w.labels);
    label_modifier = affine(2 * w.lstm, w.labels);
    label = affine(w.labels, w.label_count);
    if (w.tags > 0) {
      tag_state = affine(2 * w.lstm, w.tags);
      tag = affine(w.tags, w.tag_count);
    }
    given = matrix(w.given, w.vectors);
  }
};

// Where the floats of each layer lie in one array.
template <class Number>
class NetworkWeights : public NetworkLayout<MatrixView<Number>, Number*> {
 public:
  NetworkWeights(const NetworkShape& shape, Number* data) : data_(data) {
    this->lay_out(
        shape, [&](int rows, int columns) { return take(rows, columns); },
        [&](int columns) { return take(1, columns).data; });
  }
  std::size_t size() const { return size_; }

 private:
  MatrixView<Number> take(int rows, int columns) {
    const std::size_t begin = size_;
    // Whole cache lines, so that vectors do not straddle two.
    size_ += (static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) + 15) / 16 * 16;
    return {data_ ? data_ + begin : nullptr, rows, columns, columns};
  }
  Number* data_;
  std::size_t size_ = 0;
};

inline std::size_t network_weight_count(const NetworkShape& shape) {
  return NetworkWeights<const float>(shape, nullptr).size();
}

// What is known of atoms: a vector each, and the weights of all layers.
struct NetworkTables {
  const float* weights = nullptr;
  const float* vectors = nullptr;
};

}  // namespace headwise::scoring
