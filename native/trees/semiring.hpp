// What it means to combine the derivations of an item: take the best, count them, or (sum_of_weights.hpp)
// add their weights.
//
// A semiring has a Value with zero (no derivation), one (the empty derivation) and `times` (join the pieces
// of one derivation); `lift` turns a score into a Value; a Chart holds the values of all items; a Sum
// collects the ways to build an item, a strip of edges at a time.
#pragma once
#include "rooms.hpp"
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/index.hpp"

namespace headwise::trees {

inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// `count` ways to build an item: way k joins the items left + k·left_step and right + k·right_step.
struct Strip {
  int left, left_step;
  int right, right_step;
  int count;
};

// The parts of a strip whose edges score nothing of their own.
struct NoParts {};

// A chart whose values are plain numbers, side by side.
template <class Value>
class PlainChart {
 public:
  void reset(std::size_t size, Value zero) { values_.assign(size, zero); }
  Value operator[](int number) const { return values_[number]; }
  void set(int number, Value value) { values_[number] = value; }
  const Value* data() const { return values_.data(); }
  // The values of `count` scores, side by side from `first` on.
  template <class Semiring>
  void lift(const Semiring& ring, const double* scores, Index count, int first) {
    for (Index k = 0; k < count; ++k) values_[first + k] = ring.lift(scores[k]);
  }

 private:
  std::vector<Value> values_;
};

// The best derivation: (max, +) over the reals with −inf.
struct MaxPlus {
  using Value = double;
  using Chart = PlainChart<double>;
  struct Scratch {
    void reserve(int) {}
  };
  static constexpr Value zero() { return kImpossible; }
  static constexpr Value one() { return 0.0; }
  static Value lift(double score) { return score; }
  static Value times(Value a, Value b) { return a + b; }

  // The value of edge k of a strip.
  template <class PartScore>
  static auto edge_value(const Chart& chart, const Strip& strip, PartScore score) {
    return [left = chart.data() + strip.left, right = chart.data() + strip.right, l = strip.left_step,
            r = strip.right_step, score](int k) {
      if constexpr (std::is_same_v<PartScore, NoParts>)
        return left[k * l] + right[k * r];
      else
        return left[k * l] + right[k * r] + score(k);
    };
  }

  class Sum {
   public:
    Sum(const MaxPlus&, const Chart& chart, Scratch&) : chart_(chart) {}
    // Four running maxima hide the latency of the comparison; their order does not change a maximum.
    template <class PartScore>
    void add(const Strip& strip, PartScore score) {
      const auto value = edge_value(chart_, strip, score);
      double a = best_, b = best_, c = best_, d = best_;
      int k = 0;
      for (; k + 4 <= strip.count; k += 4) {
        a = greater(a, value(k));
        b = greater(b, value(k + 1));
        c = greater(c, value(k + 2));
        d = greater(d, value(k + 3));
      }
      for (; k < strip.count; ++k) a = greater(a, value(k));
      best_ = greater(greater(a, b), greater(c, d));
    }
    Value total() const { return best_; }

   private:
    static double greater(double a, double b) { return b > a ? b : a; }
    const Chart& chart_;
    double best_ = kImpossible;
  };
};

// The number of derivations that do not score −inf, modulo a prime below 2^63.
struct CountModulo {
  using Value = std::uint64_t;
  using Chart = PlainChart<std::uint64_t>;
  struct Scratch {
    void reserve(int) {}
  };
  std::uint64_t prime;
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static Value lift(double score) { return score > kImpossible; }
  Value times(Value a, Value b) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<Value>(static_cast<Wide>(a) * b % prime);
  }

  class Sum {
   public:
    Sum(const CountModulo& ring, const Chart& chart, Scratch&) : ring_(ring), chart_(chart) {}
    template <class PartScore>
    void add(const Strip& strip, PartScore score) {
      for (int k = 0; k < strip.count; ++k) {
        if constexpr (!std::is_same_v<PartScore, NoParts>)
          if (!(score(k) > kImpossible)) continue;
        const Value ways =
            ring_.times(chart_[strip.left + k * strip.left_step], chart_[strip.right + k * strip.right_step]);
        total_ = (total_ + ways) % ring_.prime;
      }
    }
    Value total() const { return total_; }

   private:
    const CountModulo& ring_;
    const Chart& chart_;
    Value total_ = 0;
  };
};

}  // namespace headwise::trees
