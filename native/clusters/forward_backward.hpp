// The forward-backward algorithm (Baum et al. 1970) over a block of lines at once, so that its steps are products of
// matrices.
//
// Rows are scaled as usual: with c_t the probability of word t given those before it, forward rows are
// α_t(s) = P(s_t = s | w_1 … w_t), backward rows β_t(s) = P(w_t+1 … | s_t = s) / Π c, so α_t(s) β_t(s) is the posterior of
// state s. What came before the word is reached(s) = P(s_t = s | w_1 … w_t−1), what the word and the rest say is
// said(s) = P(w_t | s) β_t(s) / c_t, and their product is the posterior too.
//
// Lines lie by falling length, rows by place in the line: at every place the lines that are long enough come first.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/simd/matrix_product.hpp"
#include "clusters/hmm.hpp"

namespace headwise::clusters {

// A model, and its transitions column by column.
struct PreparedModel {
  const HiddenMarkovModel* model;
  Floats transposed;

  explicit PreparedModel(const HiddenMarkovModel& of) : model(&of), transposed(of.transitions.size()) {
    for (std::size_t s = 0; s < of.width; ++s)
      for (std::size_t x = 0; x < of.width; ++x) transposed[x * of.width + s] = of.from(s)[x];
  }
};

class LineBlock {
 public:
  using Line = std::span<const std::uint32_t>;

  // Posteriors, and what the counts are made of. Lines are not empty.
  void run(const PreparedModel& prepared, std::span<const Line> lines) {
    lay_out(lines);
    const HiddenMarkovModel& model = *prepared.model;
    width_ = model.width;
    for (Floats* rows : {&reached_, &forward_, &posterior_}) rows->resize(rows_ * width_);
    next_said_.assign(rows_ * width_, 0.0f);
    scale_.resize(rows_);
    first_said_.resize(lines.size() * width_);
    log_likelihood_ = 0;
    forward(model);
    backward(prepared);
  }

  std::size_t rows() const { return rows_; }
  double log_likelihood() const { return log_likelihood_; }
  std::uint32_t word(std::size_t row) const { return word_[row]; }
  const float* posterior(std::size_t row) const { return posterior_.data() + row * width_; }
  bool is_first(std::size_t row) const { return row < rank_.size(); }
  bool is_last(std::size_t row) const { return last_[row]; }
  std::size_t row_of(std::size_t line, std::size_t place) const { return place_begin_[place] + rank_[line]; }

  // sums(s, x) += Σ α_t(s) said_t+1(x): times P(x | s), the expected number of transitions.
  void add_transitions(float* sums, std::size_t states) const {
    simd::multiply_add(static_cast<int>(states), static_cast<int>(width_), static_cast<int>(rows_), forward_.data(), 1,
                       static_cast<int>(width_), next_said_.data(), static_cast<int>(width_), sums,
                       static_cast<int>(width_));
  }

  // use(reached, said, posterior) of every word.
  template <class Use>
  void each_row(Use use) const {
    for (std::size_t place = 0; place < places(); ++place)
      for (std::size_t k = 0; k < lines_at(place); ++k) {
        const std::size_t row = place_begin_[place] + k;
        const float* said = place ? next_said_.data() + (place_begin_[place - 1] + k) * width_ : first_said_.data() + k * width_;
        use(reached_.data() + row * width_, said, posterior(row));
      }
  }

 private:
  void lay_out(std::span<const Line> lines) {
    std::vector<std::size_t> order(lines.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lines[a].size() > lines[b].size(); });
    rank_.resize(lines.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank_[order[k]] = k;
    word_.clear();
    last_.clear();
    place_begin_ = {0};
    std::size_t active = lines.size();
    for (std::size_t place = 0; active; ++place) {
      while (active && lines[order[active - 1]].size() <= place) --active;
      for (std::size_t k = 0; k < active; ++k) {
        word_.push_back(lines[order[k]][place]);
        last_.push_back(lines[order[k]].size() == place + 1);
      }
      if (active) place_begin_.push_back(word_.size());
    }
    rows_ = word_.size();
  }

  static float sum(const float* row, std::size_t width) {
    float lanes[HiddenMarkovModel::vector_floats] = {};
    for (std::size_t s = 0; s < width; s += HiddenMarkovModel::vector_floats)
      for (std::size_t k = 0; k < HiddenMarkovModel::vector_floats; ++k) lanes[k] += row[s + k];
    for (std::size_t half = HiddenMarkovModel::vector_floats / 2; half; half /= 2)
      for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
    return lanes[0];
  }

  std::size_t places() const { return place_begin_.size() - 1; }
  std::size_t lines_at(std::size_t place) const { return place_begin_[place + 1] - place_begin_[place]; }
  float* at(Floats& rows, std::size_t row) { return rows.data() + row * width_; }

  static void multiply(const HiddenMarkovModel& model, std::size_t rows, const float* from, const float* matrix, float* to) {
    const auto width = static_cast<int>(model.width);
    std::fill(to, to + rows * model.width, 0.0f);
    simd::multiply_add(static_cast<int>(rows), width, static_cast<int>(model.states), from, width, 1, matrix, width, to, width);
  }

  static double logarithm(float probability) {
    if (!(probability > 0)) throw std::domain_error("a line has no probability under the model");
    return std::log(static_cast<double>(probability));
  }

  void forward(const HiddenMarkovModel& model) {
    for (std::size_t place = 0; place < places(); ++place) {
      const std::size_t begin = place_begin_[place], count = lines_at(place);
      if (!place)
        for (std::size_t k = 0; k < count; ++k) std::copy(model.start.begin(), model.start.end(), at(reached_, k));
      else
        multiply(model, count, at(forward_, place_begin_[place - 1]), model.transitions.data(), at(reached_, begin));
      for (std::size_t row = begin; row < begin + count; ++row) {
        const float *reached = at(reached_, row), *emission = model.of_word(word_[row]);
        float* alpha = at(forward_, row);
        for (std::size_t s = 0; s < width_; ++s) alpha[s] = reached[s] * emission[s];
        scale_[row] = sum(alpha, width_);
        log_likelihood_ += logarithm(scale_[row]);
        for (std::size_t s = 0; s < width_; ++s) alpha[s] /= scale_[row];
      }
    }
  }

  // Until its line's forward and backward rows are multiplied, a posterior row is the backward row.
  void backward(const PreparedModel& prepared) {
    const HiddenMarkovModel& model = *prepared.model;
    for (std::size_t place = places(); place-- > 0;) {
      const std::size_t begin = place_begin_[place], count = lines_at(place);
      const std::size_t going_on = place + 1 < places() ? lines_at(place + 1) : 0;
      multiply(model, going_on, at(next_said_, begin), prepared.transposed.data(), at(posterior_, begin));
      for (std::size_t row = begin; row < begin + count; ++row) {
        float* beta = at(posterior_, row);
        const float* alpha = at(forward_, row);
        if (last_[row]) {
          for (std::size_t s = 0; s < width_; ++s) beta[s] = alpha[s] * model.stop[s];
          const float ending = sum(beta, width_);
          log_likelihood_ += logarithm(ending);
          for (std::size_t s = 0; s < width_; ++s) beta[s] = model.stop[s] / ending;
        }
        const float* emission = model.of_word(word_[row]);
        float* said = place ? at(next_said_, place_begin_[place - 1] + (row - begin)) : at(first_said_, row);
        for (std::size_t s = 0; s < width_; ++s) said[s] = emission[s] * beta[s] / scale_[row];
        for (std::size_t s = 0; s < width_; ++s) beta[s] *= alpha[s];
      }
    }
  }

  std::size_t rows_ = 0, width_ = 0;
  double log_likelihood_ = 0;
  std::vector<std::size_t> place_begin_, rank_;
  std::vector<std::uint32_t> word_;
  std::vector<std::uint8_t> last_;
  std::vector<float> scale_;
  Floats reached_, forward_, posterior_;
  Floats first_said_, next_said_;  // of first words; of the words after each row's, zeros after the last
};

}  // namespace headwise::clusters
