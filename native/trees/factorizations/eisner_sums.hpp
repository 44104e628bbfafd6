// Inside and outside sums of first_order.hpp in plain doubles, eight spans at a time.
//
// The same spans as eisner.hpp, laid out by width, with weights for scores. Outside, every span asks for the larger
// spans it is part of, so that all sums are read from tables and written once. Where weights leave the range of
// doubles the processor says so, and nothing here holds: that is what scaled numbers are for (sum_of_weights.hpp).
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <vector>

#include "trees/scaled.hpp"
#include "trees/semiring.hpp"
#include "base/simd.hpp"

namespace headwise::trees {

// Tables by width w and first word i, as in EisnerDiagonals. Behind the spans of a width, and before the first of
// them, whole Lanes of zeros may be read.
struct EisnerSumTables {
  double* memory;
  int nodes;
  bool single_root;

  static constexpr int kinds = 9;
  int stride() const { return simd::padded(nodes) + 2 * simd::kLanes; }
  std::size_t size() const { return static_cast<std::size_t>(kinds) * nodes * stride(); }

  double* right(int w) const { return diagonal(0, w); }       // C(i, i+w)
  double* left(int w) const { return diagonal(1, w); }        // C(i+w, i)
  double* right_arc(int w) const { return diagonal(2, w); }   // I(i, i+w)
  double* left_arc(int w) const { return diagonal(3, w); }    // I(i+w, i)
  // The weights of the arcs; outside sums leave their probabilities there.
  double* right_weight(int w) const { return diagonal(4, w); }
  double* left_weight(int w) const { return diagonal(5, w); }
  // What Z gains for each unit more of a span, divided by Z.
  double* right_outside(int w) const { return diagonal(6, w); }
  double* left_outside(int w) const { return diagonal(7, w); }
  double* joined_outside(int w) const { return diagonal(8, w); }

 private:
  double* diagonal(int kind, int w) const {
    return memory + (static_cast<std::ptrdiff_t>(kind) * nodes + w) * stride() + simd::kLanes;
  }
};

}  // namespace headwise::trees

namespace headwise::simd {
extern void (*const eisner_inside)(const EisnerSumTables& spans);
extern void (*const eisner_outside)(const EisnerSumTables& spans);
}  // namespace headwise::simd

namespace headwise::trees {

// One for each thread; the memory is kept from sentence to sentence.
class EisnerSums {
 public:
  // Sums over the trees of a sentence; scores[h * (n + 1) + m]. False where doubles do not do.
  bool inside(const double* scores, int n, bool single_root) {
    tables_ = {nullptr, n + 1, single_root};
    if (memory_.size() < tables_.size()) memory_.resize(tables_.size());
    tables_.memory = memory_.data();
    if (!fill_weights(scores)) return false;
    std::feclearexcept(FE_ALL_EXCEPT);
    simd::eisner_inside(tables_);
    return total() > 0.0 && in_range();
  }
  double log_total() const { return std::log(total()) + shift_; }

  // probabilities[h * (n + 1) + m] of every arc, once inside() was there.
  bool outside(double* probabilities) {
    std::feclearexcept(FE_ALL_EXCEPT);
    simd::eisner_outside(tables_);
    if (!in_range()) return false;
    const int nodes = tables_.nodes;
    for (int h = 0; h < nodes; ++h) probabilities[h * (nodes + 1)] = probabilities[h * nodes] = 0.0;
    for (int w = 1; w < nodes; ++w)
      for (int i = 0; i + w < nodes; ++i) {
        probabilities[i * nodes + i + w] = tables_.right_weight(w)[i];
        probabilities[(i + w) * nodes + i] = tables_.left_weight(w)[i];
      }
    return true;
  }

 private:
  static bool in_range() { return !std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW | FE_INVALID); }
  double total() const { return tables_.right(tables_.nodes - 1)[0]; }

  // Weights relative to the best arc into each word: every tree has one arc into each.
  bool fill_weights(const double* scores) {
    const int nodes = tables_.nodes;
    const auto at = [nodes](int h) { return static_cast<std::size_t>(h) * nodes; };
    shifts_.assign(nodes, kImpossible);
    for (int h = 0; h < nodes; ++h)
      for (int m = 0; m < nodes; ++m)
        if (h != m) shifts_[m] = std::max(shifts_[m], scores[at(h) + m]);
    shift_ = 0.0;
    for (int m = 1; m < nodes; ++m) shift_ += shifts_[m];
    if (!(shift_ > kImpossible)) return false;  // a word without a head
    shifts_[0] = 0.0;
    weights_.resize(at(nodes));
    for (int h = 0; h < nodes; ++h)
      if (!simd::exp_differences(scores + at(h), shifts_.data(), nodes, weights_.data() + at(h))) return false;
    for (int w = 1; w < nodes; ++w)
      for (int i = 0; i + w < nodes; ++i) {
        tables_.right_weight(w)[i] = weights_[at(i) + i + w];
        tables_.left_weight(w)[i] = i > 0 ? weights_[at(i + w) + i] : 0.0;
      }
    return true;
  }

  EisnerSumTables tables_{};
  double shift_ = 0.0;
  simd::AlignedVector<double> memory_;
  std::vector<double> shifts_, weights_;
};

}  // namespace headwise::trees
