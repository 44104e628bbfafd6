// A recurrent network that says which head each word of a sentence is likely to have, with which label, and which tags:
// vectors of the atoms of words, layers of LSTMs in both directions, and a bilinear form of what they make of head and modifier
// (Kiperwasser and Goldberg 2016; Dozat and Manning 2017). Forward here, its gradient beside it in each step.
//
// Features are conjunctions that somebody wrote down; this reads the whole sentence and learns what matters.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/simd/log_probabilities.hpp"
#include "scoring/network/dropout.hpp"
#include "scoring/network/readout.hpp"
#include "scoring/network/shape.hpp"

namespace headwise::scoring {

class Network {
 public:
  // What is made of the positions of a sentence.
  using States = Matrix;

  explicit Network(const NetworkShape& shape) : shape_(&shape) {
    for (int layer = 0; layer < shape.widths.layers; ++layer)
      layers_.push_back({{LstmDirection(shape.widths.lstm, false), LstmDirection(shape.widths.lstm, true)}, {}, {}});
  }

  // What the last layer makes of each position of sentences, or pieces of them, longest first.
  void encode(std::span<const KnownPiece> pieces, const NetworkTables& tables) {
    std::vector<int> lengths;
    for (const KnownPiece& piece : pieces) lengths.push_back(piece.count);
    const PackedSentences packed(lengths);
    vectors_.reset(packed.rows(), shape_->widths.vectors);
    reset_given(packed.rows());
    for (int s = 0; s < packed.sentences(); ++s)
      for (int t = 0; t < packed.length(s); ++t) {
        const KnownPiece& piece = pieces[at(s)];
        const int row = packed.row(s, t);
        for (const int known : piece.sentence->rows_of(piece.begin + t)) add_vector(tables.vectors, known, row);
        set_given(piece.sentence->vectors[at(piece.begin + t)], row);
      }
    encode(packed, tables.weights, nullptr);
  }
  // Those of one of them, from row `begin` on.
  void copy_states(int sentence, int begin, States& states) const {
    for (int t = 0; t < sentences_->length(sentence); ++t) {
      const float* row = encoded().row(sentences_->row(sentence, t));
      std::copy(row, row + states.columns(), states.row(begin + t));
    }
  }

  // Goes on from the states of one sentence, to score its arcs and labels.
  void look_at(const States& states, const NetworkTables& tables) {
    const int length = states.rows();
    sentences_.emplace(std::span(&length, 1));
    weights_.emplace(*shape_, tables.weights);
    look_at(states, static_cast<Dropout*>(nullptr));
  }
  // scores(m, t): log-probabilities of tags, of the states of one sentence. Row 0 is of no use.
  void score_tags(const Matrix& states, const NetworkTables& tables, Matrix& scores) {
    const NetworkWeights<const float> weights(*shape_, tables.weights);
    squash(states, weights.tag_state, tag_states_);
    apply(tag_states_, weights.tag, scores);
    for (int m = 1; m < scores.rows(); ++m) normalize(scores.row(m), scores.columns());
  }

  // Reads several: `vectors()` holds, for every row, the sum of the vectors of its atoms.
  Matrix& vectors() { return vectors_; }
  void add_vector(const float* table, int row, int to) {
    const auto width = shape_->widths.vectors;
    const float* vector = table + static_cast<std::ptrdiff_t>(row) * width;
    float* sum = vectors_.row(to);
    for (int c = 0; c < width; ++c) sum[c] += vector[c];
  }
  // The rows of given vectors, to be set beside; those of words that have none stay zero.
  void reset_given(int rows) { given_.reset(rows, shape_->widths.given); }
  const Matrix& given() const { return given_; }
  void set_given(const float* vector, int to) {
    if (vector && given_.columns() > 0) scoring::set_given(vector, given_.columns(), given_.row(to));
  }
  void read(const PackedSentences& sentences, const float* weights, Dropout* dropout) {
    encode(sentences, weights, dropout);
    look_at(encoded(), dropout);
  }
  void encode(const PackedSentences& sentences, const float* weights, Dropout* dropout) {
    sentences_.emplace(sentences);
    weights_.emplace(*shape_, weights);
    const NetworkWidths& widths = shape_->widths;
    if (widths.given > 0) add_product(given_, weights_->given, vectors_);
    drop(dropout, vectors_, vectors_mask_);
    const Matrix* x = &vectors_;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      Layer& layer = layers_[l];
      layer.output.reset(sentences.rows(), 2 * widths.lstm);
      for (int d = 0; d < 2; ++d)
        layer.directions[at(d)].read(sentences, *x, weights_->layers[l][at(d)], half(layer.output, d));
      // In training, what goes on is a copy with some columns left out; the output is kept for its gradient.
      if (dropout) layer.dropped = layer.output;
      drop(dropout, layer.dropped, layer.mask);
      x = &layer.sent_on();
    }
  }

  // scores(m, h): log-probabilities of heads. Row 0 and the diagonal are of no use.
  void score_arcs(int sentence, Matrix& scores) {
    const int length = sentences_->length(sentence);
    gather(*sentences_, sentence, heads_, own_heads_);
    gather(*sentences_, sentence, attractions_, own_attractions_);
    transpose(own_heads_, transposed_);
    scores.reset(length, length);
    add_product(own_attractions_, transposed_, scores);
    normalize_heads(scores, length, normalize);
  }

  // scores(m - 1, l): log-probabilities of labels, given a head for every word; a word without one (-1) hangs from the
  // root.
  void score_labels(int sentence, std::span<const int> heads, Dropout* dropout, Matrix& scores) {
    const int words = static_cast<int>(heads.size()), width = shape_->widths.labels;
    join_labels(*sentences_, sentence, heads, label_heads_, label_modifiers_, joined_);
    joined_mask_.reset(0, 0);
    if (dropout) {
      dropout->draw(1, width, joined_mask_);
      for (int m = 0; m < words; ++m)
        for (int c = 0; c < width; ++c) joined_.row(m)[c] *= joined_mask_.row(0)[c];
    }
    apply(joined_, weights_->label, scores);
    for (int m = 0; m < words; ++m) normalize(scores.row(m), scores.columns());
  }

  // scores(row, t): log-probabilities of tags, of all rows of all sentences. Those of roots are of no use.
  void score_tags(Dropout* dropout, Matrix& scores) {
    squash(encoded(), weights_->tag_state, tag_states_);
    drop(dropout, tag_states_, tag_states_mask_);
    apply(tag_states_, weights_->tag, scores);
    for (int r = 0; r < scores.rows(); ++r) simd::to_log_probabilities(scores.columns(), scores.row(r));
  }

  // Gradients, in this order: begin, then for every sentence arcs and labels (right after it was scored), then tags of
  // all, then end, which leaves the gradient of the vectors' sums in vector_gradient().
  void begin_gradient() {
    for (Matrix* matrix : {&heads_gradient_, &attractions_gradient_})
      matrix->reset(sentences_->rows(), shape_->widths.arcs);
    for (Matrix* matrix : {&label_heads_gradient_, &label_modifiers_gradient_})
      matrix->reset(sentences_->rows(), shape_->widths.labels);
  }
  void add_arc_gradient(int sentence, const Matrix& of_scores) {
    own_gradient_.reset(of_scores.rows(), shape_->widths.arcs);
    add_product(of_scores, own_heads_, own_gradient_);
    scatter(sentence, own_gradient_, attractions_gradient_);
    own_gradient_.reset(of_scores.rows(), shape_->widths.arcs);
    add_transposed_product(of_scores, own_attractions_, own_gradient_);
    scatter(sentence, own_gradient_, heads_gradient_);
  }
  void add_label_gradient(int sentence, std::span<const int> heads, const Matrix& of_scores,
                          const NetworkWeights<float>& gradient) {
    joined_gradient_.reset(joined_.rows(), joined_.columns());
    apply_backward(joined_, weights_->label, of_scores, gradient.label, joined_gradient_);
    for (int m = 1; m <= joined_.rows(); ++m) {
      float* head = label_heads_gradient_.row(sentences_->row(sentence, std::max(0, heads[at(m - 1)])));
      float* modifier = label_modifiers_gradient_.row(sentences_->row(sentence, m));
      for (int c = 0; c < joined_.columns(); ++c) {
        const float kept = joined_mask_.rows() > 0 ? joined_mask_.row(0)[c] : 1.0f;
        const float amount = joined_gradient_.row(m - 1)[c] * kept * (joined_.row(m - 1)[c] > 0 ? 1.0f : leak);
        head[c] += amount;
        modifier[c] += amount;
      }
    }
  }
  void add_tag_gradient(const Matrix& of_scores, const NetworkWeights<float>& gradient) {
    tag_states_gradient_.reset(tag_states_.rows(), tag_states_.columns());
    apply_backward(tag_states_, weights_->tag, of_scores, gradient.tag, tag_states_gradient_);
  }
  void end_gradient(const NetworkWeights<float>& gradient) {
    const Matrix& encoded = this->encoded();
    Matrix* of_output = &gradient_of_layer_[0];
    Matrix* of_input = &gradient_of_layer_[1];
    of_output->reset(encoded.rows(), encoded.columns());
    modifiers_gradient_.reset(encoded.rows(), shape_->widths.arcs);
    apply_backward(modifiers_, weights_->attraction, attractions_gradient_, gradient.attraction, modifiers_gradient_);
    squash_backward(encoded, modifiers_, modifiers_mask_, weights_->modifier, modifiers_gradient_, gradient.modifier,
                    *of_output);
    squash_backward(encoded, heads_, heads_mask_, weights_->head, heads_gradient_, gradient.head, *of_output);
    apply_backward(encoded, weights_->label_head, label_heads_gradient_, gradient.label_head, *of_output);
    apply_backward(encoded, weights_->label_modifier, label_modifiers_gradient_, gradient.label_modifier, *of_output);
    if (shape_->widths.tags > 0)
      squash_backward(encoded, tag_states_, tag_states_mask_, weights_->tag_state, tag_states_gradient_,
                      gradient.tag_state, *of_output);
    for (std::size_t l = layers_.size(); l-- > 0;) {
      Layer& layer = layers_[l];
      undrop(layer.mask, *of_output);
      const Matrix& x = l == 0 ? vectors_ : layers_[l - 1].sent_on();
      of_input->reset(x.rows(), x.columns());
      for (int d = 0; d < 2; ++d)
        layer.directions[at(d)].read_backward(*sentences_, x, half(layer.output, d), weights_->layers[l][at(d)],
                                              half(*of_output, d), gradient.layers[l][at(d)], *of_input);
      std::swap(of_output, of_input);
    }
    undrop(vectors_mask_, *of_output);
    if (shape_->widths.given > 0) add_transposed_product(given_, *of_output, gradient.given);
    vector_gradient_ = of_output;
  }
  const Matrix& vector_gradient() const { return *vector_gradient_; }

 private:
  struct Layer {
    std::array<LstmDirection, 2> directions;
    Matrix output, dropped, mask{};
    const Matrix& sent_on() const { return mask.rows() > 0 ? dropped : output; }
  };
  const Matrix& encoded() const { return layers_.back().sent_on(); }
  void look_at(const Matrix& states, Dropout* dropout) {
    squash(states, weights_->head, heads_);
    drop(dropout, heads_, heads_mask_);
    squash(states, weights_->modifier, modifiers_);
    drop(dropout, modifiers_, modifiers_mask_);
    apply(modifiers_, weights_->attraction, attractions_);
    apply(states, weights_->label_head, label_heads_);
    apply(states, weights_->label_modifier, label_modifiers_);
  }

  MatrixOut half(Matrix& both, int direction) const {
    return both.view().columns_from(direction * shape_->widths.lstm, shape_->widths.lstm);
  }

  void drop(Dropout* dropout, Matrix& x, Matrix& mask) {
    mask.reset(0, 0);  // none
    if (!dropout) return;
    dropout->draw(sentences_->sentences(), x.columns(), mask);
    multiply_by_mask(*sentences_, mask, x);
  }
  void undrop(const Matrix& mask, Matrix& gradient) {
    if (mask.rows() > 0) multiply_by_mask(*sentences_, mask, gradient);
  }

  static void apply(const Matrix& x, const Affine<const float>& layer, Matrix& y) {
    y.reset(x.rows(), layer.weights.columns);
    fill_rows(layer.bias, y);
    add_product(x, layer.weights, y);
  }
  void apply_backward(const Matrix& x, const Affine<const float>& layer, const Matrix& of_y,
                      const Affine<float>& gradient, Matrix& of_x) {
    add_transposed_product(x, of_y, gradient.weights);
    add_rows_to(of_y, gradient.bias);
    transpose(layer.weights, transposed_);
    add_product(of_y, transposed_, of_x);
  }
  static void squash(const Matrix& x, const Affine<const float>& layer, Matrix& y) {
    apply(x, layer, y);
    for (int r = 0; r < y.rows(); ++r)
      for (int c = 0; c < y.columns(); ++c)
        if (float& number = y.row(r)[c]; number < 0) number *= leak;
  }
  void squash_backward(const Matrix& x, const Matrix& y, const Matrix& mask, const Affine<const float>& layer,
                       Matrix& of_y, const Affine<float>& gradient, Matrix& of_x) {
    undrop(mask, of_y);
    for (int r = 0; r < y.rows(); ++r)
      for (int c = 0; c < y.columns(); ++c)
        if (y.row(r)[c] < 0) of_y.row(r)[c] *= leak;
    apply_backward(x, layer, of_y, gradient, of_x);
  }

  void scatter(int sentence, const Matrix& own, Matrix& all) {
    for (int t = 0; t < own.rows(); ++t) {
      float* row = all.row(sentences_->row(sentence, t));
      for (int c = 0; c < own.columns(); ++c) row[c] += own.row(t)[c];
    }
  }

  const NetworkShape* shape_;
  std::optional<PackedSentences> sentences_;
  std::optional<NetworkWeights<const float>> weights_;
  std::vector<Layer> layers_;
  Matrix vectors_, given_, vectors_mask_, heads_, heads_mask_, modifiers_, modifiers_mask_, attractions_;
  Matrix label_heads_, label_modifiers_, joined_, joined_mask_, tag_states_, tag_states_mask_, tag_states_gradient_;
  Matrix own_heads_, own_attractions_, own_gradient_, transposed_;
  Matrix heads_gradient_, modifiers_gradient_, attractions_gradient_, label_heads_gradient_, label_modifiers_gradient_;
  Matrix joined_gradient_, gradient_of_layer_[2];
  Matrix* vector_gradient_ = nullptr;
};

}  // namespace headwise::scoring
