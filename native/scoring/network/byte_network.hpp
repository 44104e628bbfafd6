// The network (network.hpp) in bytes: it gives nearly the same numbers in a fraction of the time, and learns nothing.
//
// Weights are bytes with a scale for each column; what they are multiplied by becomes bytes too, with a scale for each
// position of each sentence. Products are summed in whole numbers. All else is in floats, and nothing that is computed for
// a position depends on the sentences that are read with it.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "scoring/network/byte_rows.hpp"
#include "scoring/network/byte_weights.hpp"
#include "scoring/network/packed_sentences.hpp"
#include "scoring/network/readout.hpp"

namespace headwise::scoring {

// A direction of a layer, see lstm.hpp.
class ByteLstm {
 public:
  void read(const PackedSentences& sentences, const ByteRows& x, const ByteWeights::Lstm& weights, bool backwards,
            MatrixOut output) {
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
  explicit ByteNetwork(const NetworkShape& shape) : shape_(&shape) {}

  // What the last layer makes of every position of sentences, or pieces of them, longest first.
  void encode(std::span<const KnownPiece> pieces, const ByteTables& tables) {
    weights_.emplace(*shape_, tables.network, tables.network_scales);
    std::vector<int> lengths;
    for (const KnownPiece& piece : pieces) lengths.push_back(piece.count);
    sentences_.emplace(lengths);
    add_vectors(pieces, tables);
    const int width = shape_->widths.lstm;
    states_ = &vectors_;
    for (int layer = 0; layer < shape_->widths.layers; ++layer) {
      bytes_.assign(*states_);
      Matrix& output = outputs_[static_cast<std::size_t>(layer % 2)];
      output.resize(sentences_->rows(), 2 * width);
      for (int d = 0; d < 2; ++d)
        lstm_.read(*sentences_, bytes_, weights_->layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(d)],
                   d == 1, output.view().columns_from(d * width, width));
      states_ = &output;
    }
  }
  void states_of(int sentence, Matrix& states) { gather(*sentences_, sentence, *states_, states); }

  // Goes on from the states of one sentence, to score its arcs and labels.
  void look_at(const Matrix& states, const ByteTables& tables) {
    const int length = states.rows();
    sentences_.emplace(std::span(&length, 1));
    weights_.emplace(*shape_, tables.network, tables.network_scales);
    bytes_.assign(states);
    squash(weights_->head, heads_);
    squash(weights_->modifier, modifiers_);
    apply(weights_->label_head, label_heads_);
    apply(weights_->label_modifier, label_modifiers_);
    bytes_.assign(modifiers_);
    apply(weights_->attraction, attractions_);
  }

  // scores(m, t): log-probabilities of tags, of the states of one sentence. Row 0 is of no use.
  void score_tags(const Matrix& states, const ByteTables& tables, Matrix& scores) {
    weights_.emplace(*shape_, tables.network, tables.network_scales);
    bytes_.assign(states);
    squash(weights_->tag_state, tag_states_);
    bytes_.assign(tag_states_);
    apply(weights_->tag, scores);
    for (int m = 1; m < scores.rows(); ++m) normalize(scores.row(m), shape_->tag_count);
  }

  // scores(m, h): log-probabilities of heads.
  void score_arcs(int sentence, Matrix& scores) {
    const int length = sentences_->length(sentence);
    gather(*sentences_, sentence, attractions_, own_attractions_);
    // Whole vectors of heads, of which those beyond the last word are zeros.
    own_heads_.reset(heads_.columns(), simd::padded_byte_columns(length));
    for (int h = 0; h < length; ++h) {
      const float* head = heads_.row(sentences_->row(sentence, h));
      for (int c = 0; c < heads_.columns(); ++c) own_heads_.row(c)[h] = head[c];
    }
    scores.reset(length, own_heads_.columns());
    add_product(own_attractions_, own_heads_, scores);
    normalize_heads(scores, length);
  }

  // scores(m - 1, l): log-probabilities of labels, given a head for every word.
  void score_labels(int sentence, std::span<const int> heads, Matrix& scores) {
    join_labels(*sentences_, sentence, heads, label_heads_, label_modifiers_, joined_);
    bytes_.assign(joined_);
    apply(weights_->label, scores);
    for (int m = 0; m < scores.rows(); ++m) normalize(scores.row(m), shape_->label_count);
  }

 private:
  void add_vectors(std::span<const KnownPiece> pieces, const ByteTables& tables) {
    const int width = shape_->widths.vectors, given = shape_->widths.given;
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    vectors_.reset(sentences_->rows(), simd::padded_byte_columns(width));
    given_.reset(given > 0 ? sentences_->rows() : 0, given);
    for (int s = 0; s < sentences_->sentences(); ++s)
      for (int t = 0; t < sentences_->length(s); ++t) {
        const KnownPiece& piece = pieces[at(s)];
        const int row = sentences_->row(s, t);
        for (const int known : piece.sentence->rows_of(piece.begin + t))
          simd::add_bytes(width, tables.vectors + at(known) * at(width), tables.vector_scales[known],
                          vectors_.row(row));
        if (const float* vector = piece.sentence->vectors[at(piece.begin + t)]; vector && given > 0)
          set_given(vector, given, given_.row(row));
      }
    if (given == 0) return;
    bytes_.assign(given_);
    add_product(bytes_, weights_->given, vectors_);
  }

  // Of the rows that bytes_ holds.
  void apply(const ByteWeights::Layer& layer, Matrix& y) {
    y.resize(bytes_.view().rows, simd::padded_byte_columns(layer.weights.columns));
    set_product(bytes_, layer.weights, layer.bias, y);
  }
  void squash(const ByteWeights::Layer& layer, Matrix& y) {
    apply(layer, y);
    for (int r = 0; r < y.rows(); ++r)
      for (float *number = y.row(r), *end = number + y.columns(); number != end; ++number)
        *number = std::max(*number, leak * *number);
  }

  const NetworkShape* shape_;
  std::optional<PackedSentences> sentences_;
  std::optional<ByteWeights> weights_;
  ByteLstm lstm_;
  ByteRows bytes_;
  Matrix vectors_, given_;
  std::array<Matrix, 2> outputs_;
  const Matrix* states_ = nullptr;
  Matrix heads_, modifiers_, attractions_, label_heads_, label_modifiers_, joined_, tag_states_;
  Matrix own_heads_, own_attractions_;
};

}  // namespace headwise::scoring
