// The semiring of probabilistic inference: the weights exp(score) of derivations multiply and add, as scaled
// numbers (scaled.hpp) that neither overflow nor underflow.
#pragma once
#include "rooms.hpp"
#include <cstddef>
#include <type_traits>
#include <vector>

#include "trees/scaled.hpp"
#include "trees/semiring.hpp"

namespace headwise::trees {

struct SumOfWeights {
  using Value = Scaled;
  static constexpr Value zero() { return Scaled::zero(); }
  static constexpr Value one() { return Scaled::one(); }
  static Value lift(double score) { return Scaled::exp(score); }
  static Value times(const Value& a, const Value& b) { return a * b; }

  // Significands and exponents apart, with room for a whole vector past the end.
  class Chart {
   public:
    void reset(std::size_t size, Value zero) {
      significand_.assign(size + simd::kLanes, zero.significand);
      exponent_.assign(size + simd::kLanes, zero.exponent);
    }
    Value operator[](int number) const { return {significand_[number], exponent_[number]}; }
    void set(int number, const Value& value) {
      const Scaled normal = value.normalized();
      significand_[number] = normal.significand;
      exponent_[number] = normal.exponent;
    }
    void lift(const SumOfWeights&, const double* scores, Index count, int first) {
      simd::split_exps(scores, static_cast<int>(count), significand_.data() + first, exponent_.data() + first);
    }
    const double* significands() const { return significand_.data(); }
    const double* exponents() const { return exponent_.data(); }

   private:
    std::vector<double> significand_, exponent_;
  };

  // The weights of the edges of one item, gathered.
  struct Scratch {
    std::vector<double> significand, exponent, part_significand, part_exponent;
    int count = 0;
    void reserve(int edges) {
      const auto size = static_cast<std::size_t>(edges) + simd::kLanes;
      for (auto* list : {&significand, &exponent, &part_significand, &part_exponent})
        if (list->size() < size) list->resize(size);
    }
  };

  template <class PartScore>
  static void gather(const Chart& chart, const Strip& strip, PartScore score, Scratch& scratch) {
    double* __restrict significand = scratch.significand.data() + scratch.count;
    double* __restrict exponent = scratch.exponent.data() + scratch.count;
    const double* left = chart.significands() + strip.left;
    const double* left_exponent = chart.exponents() + strip.left;
    const double* right = chart.significands() + strip.right;
    const double* right_exponent = chart.exponents() + strip.right;
    if (strip.left_step == 1 && strip.right_step == 1) {
      simd::multiply_scaled(left, left_exponent, right, right_exponent, strip.count, significand, exponent);
    } else {
      for (int k = 0; k < strip.count; ++k) {
        significand[k] = left[k * strip.left_step] * right[k * strip.right_step];
        exponent[k] = left_exponent[k * strip.left_step] + right_exponent[k * strip.right_step];
      }
    }
    if constexpr (!std::is_same_v<PartScore, NoParts>) {
      double* part = scratch.part_significand.data();
      double* part_exponent = scratch.part_exponent.data();
      for (int k = 0; k < strip.count; ++k) part[k] = score(k);
      simd::split_exps(part, strip.count, part, part_exponent);
      simd::multiply_scaled(significand, exponent, part, part_exponent, strip.count, significand, exponent);
    }
    scratch.count += strip.count;
  }

  // An item built by one contiguous strip without parts needs no gathering.
  class Sum {
   public:
    Sum(const SumOfWeights&, const Chart& chart, Scratch& scratch) : chart_(chart), scratch_(scratch) {
      scratch.count = 0;
    }
    template <class PartScore>
    void add(const Strip& strip, PartScore score) {
      if constexpr (std::is_same_v<PartScore, NoParts>) {
        const bool is_contiguous = strip.count == 1 || (strip.left_step == 1 && strip.right_step == 1);
        if (is_contiguous && scratch_.count == 0 && waiting_.count == 0) {
          waiting_ = strip;
          return;
        }
      }
      settle();
      gather(chart_, strip, score, scratch_);
    }
    Value total() {
      if (scratch_.count == 0) {
        if (waiting_.count == 1) return chart_[waiting_.left] * chart_[waiting_.right];
        const double* significands = chart_.significands();
        const double* exponents = chart_.exponents();
        return simd::sum_products(significands + waiting_.left, exponents + waiting_.left,
                                  significands + waiting_.right, exponents + waiting_.right, waiting_.count);
      }
      settle();
      return simd::sum_scaled(scratch_.significand.data(), scratch_.exponent.data(), scratch_.count);
    }

   private:
    void settle() {
      if (waiting_.count == 0) return;
      gather(chart_, waiting_, NoParts{}, scratch_);
      waiting_.count = 0;
    }
    const Chart& chart_;
    Scratch& scratch_;
    Strip waiting_{0, 1, 0, 1, 0};
  };
};

}  // namespace headwise::trees
