// A layer of two LSTMs (Hochreiter and Schmidhuber 1997), one that reads sentences from left to right and one from
// right to left, side by side; and its gradient.
#pragma once
#include "rooms.hpp"
#include <vector>

#include "base/index.hpp"
#include "scoring/network/matrix.hpp"
#include "scoring/network/packed_sentences.hpp"

namespace headwise::scoring {

// The weights of one direction: the sums of the gates are x · input + h · recurrent + bias, for the input, forget and
// output gates and the candidate, `width` of each.
template <class Matrix, class Row>
struct LstmWeightsOf {
  Matrix input, recurrent;
  Row bias;
};
template <class Number>
using LstmWeights = LstmWeightsOf<MatrixView<Number>, Number*>;

class LstmDirection {
 public:
  LstmDirection(int width, bool backwards) : width_(width), backwards_(backwards), nothing_(at(width), 0.0f) {}

  // `output` is a block of `width` columns.
  void read(const PackedSentences& sentences, MatrixIn x, const LstmWeights<const float>& weights, MatrixOut output) {
    gates_.reset(sentences.rows(), 4 * width_);
    cells_.reset(sentences.rows(), width_);
    squashed_.reset(sentences.rows(), width_);
    fill_rows(weights.bias, gates_);
    add_product(x, weights.input, gates_);
    for (int step = 0; step < sentences.positions(); ++step) {
      const int t = backwards_ ? sentences.positions() - 1 - step : step, before = earlier(t);
      const int first = sentences.first_row(t), count = sentences.active(t), going_on = continued(sentences, t);
      if (going_on > 0)
        add_product(output.rows_from(sentences.first_row(before), going_on), weights.recurrent,
                    gates_.view().rows_from(first, going_on));
      for (int b = 0; b < count; ++b)
        simd::open_gates(width_, gates_.row(first + b), cell_before(sentences, t, b), cells_.row(first + b),
                           squashed_.row(first + b), output.row(first + b));
    }
  }

  // After read(): adds to the gradients of the weights and of x. `output_gradient` is used up.
  void read_backward(const PackedSentences& sentences, MatrixIn x, MatrixIn output,
                     const LstmWeights<const float>& weights, MatrixOut output_gradient,
                     const LstmWeights<float>& gradient, MatrixOut x_gradient) {
    transpose(weights.recurrent, transposed_);
    carried_.reset(sentences.sentences(), width_);
    previous_.reset(sentences.rows(), width_);
    for (int step = sentences.positions() - 1; step >= 0; --step) {
      const int t = backwards_ ? sentences.positions() - 1 - step : step, after = later(t);
      const int first = sentences.first_row(t), count = sentences.active(t);
      if (const int went_on = continued(sentences, after); went_on > 0)
        add_product(gates_.view().rows_from(sentences.first_row(after), went_on), transposed_,
                    output_gradient.rows_from(first, went_on));
      for (int b = 0; b < count; ++b) {
        simd::open_gates_backward(width_, gates_.row(first + b), cell_before(sentences, t, b),
                                    squashed_.row(first + b), output_gradient.row(first + b), carried_.row(b));
        if (b < continued(sentences, t)) {
          const float* h = output.row(sentences.first_row(earlier(t)) + b);
          std::copy(h, h + width_, previous_.row(first + b));
        }
      }
    }
    add_transposed_product(x, gates_, gradient.input);
    add_transposed_product(previous_, gates_, gradient.recurrent);
    add_rows_to(gates_, gradient.bias);
    transpose(weights.input, transposed_);
    add_product(gates_, transposed_, x_gradient);
  }

 private:
  int earlier(int t) const { return backwards_ ? t + 1 : t - 1; }
  int later(int t) const { return backwards_ ? t - 1 : t + 1; }
  // How many sentences come to position t from another one: those that have both.
  int continued(const PackedSentences& sentences, int t) const {
    return std::min(sentences.active(t), sentences.active(earlier(t)));
  }
  const float* cell_before(const PackedSentences& sentences, int t, int b) const {
    return b < continued(sentences, t) ? cells_.row(sentences.first_row(earlier(t)) + b) : nothing_.data();
  }

  int width_;
  bool backwards_;
  Floats nothing_;
  Matrix gates_, cells_, squashed_, carried_, previous_, transposed_;
};

}  // namespace headwise::scoring
