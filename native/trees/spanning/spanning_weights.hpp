// Arc weights of a sentence for the Matrix-Tree theorem, from labelled scores: w(h, m) is the sum of
// exp(score) over the labels of the arc, divided by the largest exp(score) of any arc into m. Every tree has
// one arc into each word, so the division takes the same factor out of all trees.
//
// Doubles are fast and mostly enough. Whether they were is not guessed: the processor says if anything on
// the way fell out of their range, and then the same computation is done again in scaled numbers.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <utility>
#include <vector>

#include "trees/spanning/matrix_tree.hpp"
#include "trees/semiring.hpp"

namespace headwise::trees {

class SpanningWeights {
 public:
  // scores[(h * (n + 1) + m) * labels + l], −inf where forbidden; the diagonal and what goes into node 0 are
  // ignored.
  SpanningWeights(const double* scores, int nodes, int labels)
      : scores_(scores), nodes_(nodes), labels_(labels), shift_(nodes, kImpossible) {
    std::vector<double> best;
    double* tops = labels == 1 ? shift_.data() : (best.assign(nodes * labels, kImpossible), best.data());
    columns_max(scores, nodes, nodes * labels, tops);
    for (int k = 0; labels > 1 && k < nodes * labels; ++k)
      shift_[k / labels] = std::max(shift_[k / labels], best[k]);
    for (double& shift : shift_) shift = shift > kImpossible ? shift : 0.0;
  }

  // The score taken out of every tree.
  double total_shift() const {
    double total = 0.0;
    for (int m = 1; m < nodes_; ++m) total += shift_[m];
    return total;
  }
  double shifted(int h, int m, int label) const { return at(h, m)[label] - shift_[m]; }

  // compute(weights) in doubles if that is safe, else in scaled numbers.
  template <class Compute>
  auto with(Compute compute) const {
    if (WeightMatrix<double> weights(nodes_); fill(weights)) {
      std::feclearexcept(FE_ALL_EXCEPT);
      auto result = compute(std::move(weights));
      if (!std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_DIVBYZERO | FE_INVALID)) return result;
    }
    WeightMatrix<Scaled> weights(nodes_);
    for (int h = 0; h < nodes_; ++h)
      for (int m = 1; m < nodes_; ++m)
        for (int label = 0; h != m && label < labels_; ++label)
          weights[h][m] += Scaled::exp(shifted(h, m, label)).normalized();
    return compute(std::move(weights));
  }

 private:
  const double* at(int h, int m) const { return scores_ + (static_cast<Index>(h) * nodes_ + m) * labels_; }

  // tops[k] becomes the greatest of what it was and of column k. Four rows a turn: less of `tops` to move.
  static void columns_max(const double* rows, int height, int width, double* tops) {
    const auto row = [&](int h) { return rows + static_cast<Index>(h) * width; };
    int h = 0;
    for (; h + 4 <= height; h += 4)
      for (int k = 0; k < width; ++k)
        tops[k] = std::max(tops[k], std::max(std::max(row(h)[k], row(h + 1)[k]),
                                             std::max(row(h + 2)[k], row(h + 3)[k])));
    for (; h < height; ++h)
      for (int k = 0; k < width; ++k) tops[k] = std::max(tops[k], row(h)[k]);
  }

  // False where a weight is too small for a double.
  bool fill(WeightMatrix<double>& weights) const {
    const int width = nodes_ * labels_;
    std::vector<double> shifts, row;
    if (labels_ > 1) {
      row.resize(width);
      for (int k = 0; k < width; ++k) shifts.push_back(shift_[k / labels_]);
    }
    for (int h = 0; h < nodes_; ++h) {
      double* out = labels_ == 1 ? weights[h] : row.data();
      if (!simd::exp_differences(at(h, 0), labels_ == 1 ? shift_.data() : shifts.data(), width, out)) return false;
      for (int k = 0; labels_ > 1 && k < width; ++k) weights[h][k / labels_] += row[k];
      weights[h][0] = weights[h][h] = 0.0;
    }
    return true;
  }

  const double* scores_;
  int nodes_, labels_;
  std::vector<double> shift_;
};

}  // namespace headwise::trees
