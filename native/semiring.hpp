// What it means to combine the derivations of an item: to take the best one, or their log-sum.
//
// A semiring has a Value, its zero (no derivation) and one (the empty derivation), `times` to join the
// pieces of one derivation, `lift` to turn a score into a Value, and a Sum that collects alternatives a
// strip of edges at a time.
#pragma once
#include <limits>

namespace headwise {

inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// The best derivation: (max, +) over the reals with −inf.
struct MaxPlus {
  using Value = double;
  static constexpr Value zero() { return kImpossible; }
  static constexpr Value one() { return 0.0; }
  static Value lift(double score) { return score; }
  static Value times(Value a, Value b) { return a + b; }

  class Sum {
   public:
    // Four running maxima hide the latency of the comparison; their order does not change a maximum.
    template <class ValueOf>
    void add(int count, ValueOf value) {
      double a = best_, b = best_, c = best_, d = best_;
      int k = 0;
      for (; k + 4 <= count; k += 4) {
        a = greater(a, value(k));
        b = greater(b, value(k + 1));
        c = greater(c, value(k + 2));
        d = greater(d, value(k + 3));
      }
      for (; k < count; ++k) a = greater(a, value(k));
      best_ = greater(greater(a, b), greater(c, d));
    }
    Value total() const { return best_; }

   private:
    static double greater(double a, double b) { return b > a ? b : a; }
    double best_ = kImpossible;
  };
};

}  // namespace headwise
