// The network (network.hpp) in bytes: it gives nearly the same numbers in a fraction of the time, and learns nothing.
//
// Weights are bytes with a scale for each column; what they are multiplied by becomes bytes too, with a scale for each
// position of each sentence. Products are summed in whole numbers. All else is in floats, and nothing that is computed for
// a position depends on the sentences that are read with it.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/index.hpp"
#include "base/simd/log_probabilities.hpp"
#include "scoring/network/byte_rows.hpp"
#include "scoring/network/byte_weights.hpp"
#include "scoring/network/packed_sentences.hpp"
#include "scoring/network/readout.hpp"

namespace headwise::scoring {

// A direction of a layer, see lstm.hpp.
class ByteLstm {
 public:
  void read(const PackedSentences& sentences, const simd::ByteRowsView& x, const ByteWeights::Lstm& weights,
            bool backwards, MatrixOut output) {
    const int width = output.columns;
    gates_.resize(sentences.rows(), 4 * width);
    set_product(x, weights.input, weights.bias, gates_);
    cells_.reset(sentences.sentences(), width);
    for (int step = 0; step < sentences.positions(); ++step) {
      const int t = backwards ? sentences.positions() - 1 - step : step, before = backwards ? t + 1 : t - 1;
      const int first = sentences.first_row(t), count = sentences.active(t);
      if (const int going_on = std::min(count, sentences.active(before)); going_on > 0) {
        state_.assign(output.rows_from(sentences.first_row(before), going_on));
        add_product(state_, weights.recurrent, gates_.view().rows_from(first, going_on));
      }
      for (int b = 0; b < count; ++b)
        simd::pass_gates(width, gates_.row(first + b), cells_.row(b), output.row(first + b));
    }
  }

 private:
  Matrix gates_, cells_;
  ByteRows state_;
};

class ByteNetwork {
 public:
  // What is made of the positions of a sentence.
  using States = ByteRows;

  explicit ByteNetwork(const NetworkShape& shape) : shape_(&shape) {}

  // What the last layer makes of every position of sentences, or pieces of them, longest first.
  void encode(std::span<const KnownPiece> pieces, const ByteTables& tables) {
    use(tables);
    std::vector<int> lengths;
    for (const KnownPiece& piece : pieces) lengths.push_back(piece.count);
    sentences_.emplace(lengths);
    add_vectors(pieces, tables);
    const int width = shape_->widths.lstm;
    bytes_.assign(vectors_);
    for (const auto& layer : weights_->layers) {
      output_.resize(sentences_->rows(), 2 * width);
      for (int d = 0; d < 2; ++d)
        lstm_.read(*sentences_, bytes_, layer[at(d)], d == 1, output_.view().columns_from(d * width, width));
      bytes_.assign(output_);
    }
  }
  // Those of one of them, from row `begin` on.
  void copy_states(int sentence, int begin, States& states) const {
    for (int t = 0; t < sentences_->length(sentence); ++t)
      states.copy_row(bytes_, sentences_->row(sentence, t), begin + t);
  }

  // Goes on from the states of one sentence, which must stay where they are, to score its arcs and labels.
  void look_at(const States& states, const ByteTables& tables) {
    use(tables);
    states_ = &states;
    labels_are_known_ = false;
  }

  // scores(m, t): log-probabilities of tags, of the states of one sentence. Row 0 is of no use.
  void score_tags(const States& states, const ByteTables& tables, Matrix& scores) {
    use(tables);
    const int words = states.rows() - 1;
    squash(states.view().rows_from(1, words), weights_->tag_state, tag_states_);
    bytes_.assign(tag_states_);
    scores.resize(words + 1, simd::padded_byte_columns(shape_->widths.tag_count));
    const MatrixOut of_words = scores.view().rows_from(1, words);
    set_product(bytes_, weights_->tag.weights, weights_->tag.bias, of_words);
    normalize_rows(of_words, shape_->widths.tag_count);
  }

  // scores(m, h): log-probabilities of heads. Row 0 is of no use.
  void score_arcs(Matrix& scores) {
    const int length = states_->rows(), words = length - 1;
    squash(*states_, weights_->head, heads_);
    squash(states_->view().rows_from(1, words), weights_->modifier, modifiers_);
    bytes_.assign(modifiers_);
    apply(bytes_, weights_->attraction, attractions_);
    // Whole vectors of heads.
    transpose(heads_, transposed_heads_, simd::padded_byte_columns(length));
    scores.reset(length, transposed_heads_.columns());
    add_product(attractions_, transposed_heads_, scores.view().rows_from(1, words));
    normalize_heads(scores, length, [](float* row, int count) { simd::to_log_probabilities(count, row); });
  }

  // scores(m - 1, l): log-probabilities of labels, given a head for every word; a word without one (-1) hangs from the
  // root.
  void score_labels(std::span<const int> heads, Matrix& scores) {
    look_at_labels(heads);
    const int length = states_->rows();
    join_labels(PackedSentences(std::span(&length, 1)), 0, heads, label_heads_, label_modifiers_, joined_);
    bytes_.assign(joined_);
    apply(bytes_, weights_->label, scores);
    normalize_rows(scores, shape_->widths.label_count);
  }

 private:
  void use(const ByteTables& tables) {
    if (weights_ && used_ == tables.network) return;
    weights_.emplace(*shape_, tables.network, tables.network_scales);
    used_ = tables.network;
  }
  void add_vectors(std::span<const KnownPiece> pieces, const ByteTables& tables) {
    const int width = shape_->widths.vectors, given = shape_->widths.given;
    vectors_.reset(sentences_->rows(), simd::padded_byte_columns(width));
    given_.reset(given > 0 ? sentences_->rows() : 0, given);
    for (int s = 0; s < sentences_->sentences(); ++s)
      for (int t = 0; t < sentences_->length(s); ++t) {
        const KnownPiece& piece = pieces[at(s)];
        const int row = sentences_->row(s, t);
        if (t + 1 < sentences_->length(s)) fetch_vectors(piece.sentence->rows_of(piece.begin + t + 1), tables);
        simd::sum_byte_rows(width, tables.vectors, tables.vector_scales, piece.sentence->rows_of(piece.begin + t),
                            vectors_.row(row));
        if (const float* vector = piece.sentence->vectors[at(piece.begin + t)]; vector && given > 0)
          set_given(vector, given, given_.row(row));
      }
    if (given == 0) return;
    bytes_.assign(given_);
    add_product(bytes_, weights_->given, vectors_);
  }

  // Vectors lie anywhere in a large table: those that are added up next come from memory meanwhile.
  void fetch_vectors(std::span<const int> rows, const ByteTables& tables) const {
    const std::size_t width = at(shape_->widths.vectors);
    for (const int row : rows) {
      const std::uint8_t* vector = tables.vectors + at(row) * width;
      for (std::size_t byte = 0; byte < width; byte += 64) __builtin_prefetch(vector + byte);
      __builtin_prefetch(vector + width - 1);
      __builtin_prefetch(tables.vector_scales + row);
    }
  }

  // Words that nothing hangs from are not looked at as heads of labels.
  void look_at_labels(std::span<const int> heads) {
    if (!labels_are_known_) {
      apply(*states_, weights_->label_modifier, label_modifiers_);
      label_heads_.resize(states_->rows(), label_modifiers_.columns());
      is_label_head_.assign(at(states_->rows()), false);
      labels_are_known_ = true;
    }
    new_heads_.clear();
    for (const int given : heads) {
      const int head = std::max(0, given);
      if (!is_label_head_[at(head)]) new_heads_.push_back(head);
      is_label_head_[at(head)] = true;
    }
    bytes_.resize(static_cast<int>(new_heads_.size()), states_->columns());
    for (std::size_t i = 0; i < new_heads_.size(); ++i) bytes_.copy_row(*states_, new_heads_[i], static_cast<int>(i));
    apply(bytes_, weights_->label_head, new_label_heads_);
    for (std::size_t i = 0; i < new_heads_.size(); ++i)
      std::copy_n(new_label_heads_.row(static_cast<int>(i)), label_heads_.columns(), label_heads_.row(new_heads_[i]));
  }

  static void apply(const simd::ByteRowsView& x, const ByteWeights::Layer& layer, Matrix& y) {
    y.resize(x.rows, simd::padded_byte_columns(layer.weights.columns));
    set_product(x, layer.weights, layer.bias, y);
  }
  static void squash(const simd::ByteRowsView& x, const ByteWeights::Layer& layer, Matrix& y) {
    apply(x, layer, y);
    for (int r = 0; r < y.rows(); ++r)
      for (float *number = y.row(r), *end = number + y.columns(); number != end; ++number)
        *number = std::max(*number, leak * *number);
  }
  static void normalize_rows(MatrixOut scores, int count) {
    for (int r = 0; r < scores.rows; ++r) simd::to_log_probabilities(count, scores.row(r));
  }

  const NetworkShape* shape_;
  std::optional<PackedSentences> sentences_;
  std::optional<ByteWeights> weights_;
  const std::uint8_t* used_ = nullptr;
  ByteLstm lstm_;
  ByteRows bytes_;
  Matrix vectors_, given_, output_;
  const States* states_ = nullptr;
  Matrix heads_, modifiers_, attractions_, transposed_heads_, tag_states_;
  bool labels_are_known_ = false;
  std::vector<char> is_label_head_;
  std::vector<int> new_heads_;
  Matrix new_label_heads_, label_heads_, label_modifiers_, joined_;
};

}  // namespace headwise::scoring
