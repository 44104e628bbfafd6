// Weights as logarithms, with derivatives in up to two directions.
//
// `components` is 1 for plain numbers, 2 for a number and its derivative in a direction, 4 for two directions: the
// value, the derivative in each, and the second derivative in both (hyper-dual numbers, Fike and Alonso 2011). Every
// algorithm on weights thereby gives its own derivatives, with the same care about ranges.
#pragma once
#include "lanes.cuh"

namespace headwise::kernels {

#if defined(__CUDACC__)
HEADWISE_DEVICE float infinity() { return __int_as_float(0x7f800000); }
HEADWISE_DEVICE float log_of_one_to_two(float x) { return __log2f(x); }
HEADWISE_DEVICE double log_of_one_to_two(double x) { return log2(x); }
HEADWISE_DEVICE float power_of_two(float x) { return exp2f(x); }
HEADWISE_DEVICE float binary_log(float x) { return log2f(x); }
HEADWISE_DEVICE double power_of_two(double x) { return exp2(x); }
HEADWISE_DEVICE double binary_log(double x) { return log2(x); }
HEADWISE_DEVICE float larger(float a, float b) { return fmaxf(a, b); }
HEADWISE_DEVICE double larger(double a, double b) { return fmax(a, b); }
HEADWISE_DEVICE float negative_distance(float x) { return -fabsf(x); }
HEADWISE_DEVICE double negative_distance(double x) { return -fabs(x); }
#else
inline float infinity() { return HUGE_VALF; }
template <class T>
T log_of_one_to_two(T x) {
  return std::log2(x);
}
template <class T>
T power_of_two(T x) {
  return std::exp2(x);
}
template <class T>
T binary_log(T x) {
  return std::log2(x);
}
template <class T>
T larger(T a, T b) {
  return std::fmax(a, b);
}
template <class T>
T negative_distance(T x) {
  return -std::fabs(x);
}
#endif

template <class T>
HEADWISE_DEVICE T impossible() {
  return -static_cast<T>(infinity());
}
template <class T>
HEADWISE_DEVICE bool is_score(T x) {  // finite or −inf
  return x < -impossible<T>();
}
inline constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;

// A sum of weights, relative to something, and its derivatives.
template <class T, int components>
struct Sum {
  T x[components] = {};

  HEADWISE_DEVICE Sum& operator+=(const Sum& other) {
    for (int k = 0; k < components; ++k) x[k] += other.x[k];
    return *this;
  }
  HEADWISE_DEVICE friend Sum operator*(const Sum& a, const Sum& b) {
    Sum product;
    product.x[0] = a.x[0] * b.x[0];
    if constexpr (components > 1) product.x[1] = a.x[0] * b.x[1] + a.x[1] * b.x[0];
    if constexpr (components > 2) {
      product.x[2] = a.x[0] * b.x[2] + a.x[2] * b.x[0];
      product.x[3] = a.x[0] * b.x[3] + a.x[1] * b.x[2] + a.x[2] * b.x[1] + a.x[3] * b.x[0];
    }
    return product;
  }
  // Of lanes that share a task.
  HEADWISE_DEVICE void reduce(const Lanes& lanes, int shared) {
    for (int bits = 1; bits < shared; bits *= 2)
      for (int k = 0; k < components; ++k) x[k] += lanes.of_other(x[k], bits);
  }
};

// The logarithm of a weight: to base two, which the hardware has; its derivatives are those of the natural logarithm.
// An impossible weight has the logarithm −inf and no derivatives.
template <class T, int components>
struct Log {
  T x[components] = {};

  HEADWISE_DEVICE static Log none() {
    Log none;
    none.x[0] = impossible<T>();
    return none;
  }
  HEADWISE_DEVICE bool possible() const { return x[0] > impossible<T>(); }
  HEADWISE_DEVICE friend Log operator+(Log a, const Log& b) {
    for (int k = 0; k < components; ++k) a.x[k] += b.x[k];
    return a;
  }
  // b is possible.
  HEADWISE_DEVICE friend Log operator-(Log a, const Log& b) {
    for (int k = 0; k < components; ++k) a.x[k] -= b.x[k];
    return a;
  }
};

// The weight itself, times a power of two.
template <class T, int components>
HEADWISE_DEVICE Sum<T, components> scaled_exp(const Log<T, components>& a, T power) {
  Sum<T, components> sum;
  sum.x[0] = power;
  if constexpr (components > 1) sum.x[1] = power * a.x[1];
  if constexpr (components > 2) {
    sum.x[2] = power * a.x[2];
    sum.x[3] = power * (a.x[3] + a.x[1] * a.x[2]);
  }
  return sum;
}
template <class T, int components>
HEADWISE_DEVICE Sum<T, components> exp(const Log<T, components>& a) {
  return scaled_exp(a, power_of_two(a.x[0]));
}

template <class T, int components>
HEADWISE_DEVICE Log<T, components> log(const Sum<T, components>& sum, T shift = 0) {
  if (!(sum.x[0] > 0)) return Log<T, components>::none();
  Log<T, components> result;
  result.x[0] = binary_log(sum.x[0]) + shift;
  if constexpr (components > 1) {
    const T scale = 1 / sum.x[0];
    result.x[1] = sum.x[1] * scale;
    if constexpr (components > 2) {
      result.x[2] = sum.x[2] * scale;
      result.x[3] = sum.x[3] * scale - result.x[1] * result.x[2];
    }
  }
  return result;
}

// Adds up weights given by their logarithms, in one pass: the sum is kept relative to the largest so far.
template <class T, int components>
class LogSum {
 public:
  HEADWISE_DEVICE void add(const Log<T, components>& a) {
    const T distance = a.x[0] - top_;
    const T ratio = power_of_two(negative_distance(distance));
    const bool higher = distance > 0;
    const Sum<T, components> term = scaled_exp(a, higher ? T(1) : ratio);
    const T scale = higher ? ratio : T(1);
    for (int k = 0; k < components; ++k) sum_.x[k] = sum_.x[k] * scale + term.x[k];
    top_ = larger(top_, a.x[0]);
  }
  HEADWISE_DEVICE void reduce(const Lanes& lanes, int shared) {
    if (shared == 1) return;
    T top = top_;
    for (int bits = 1; bits < shared; bits *= 2) top = larger(top, lanes.of_other(top, bits));
    const T scale = power_of_two(top_ - top);
    for (int k = 0; k < components; ++k) sum_.x[k] *= scale;
    sum_.reduce(lanes, shared);
    top_ = top;
  }
  HEADWISE_DEVICE Log<T, components> value() const { return log(sum_, top_); }

 private:
  T top_ = sizeof(T) == 4 ? T(-3e38) : T(-1e308);  // below all scores; finite, so that −inf is at a distance
  Sum<T, components> sum_;
};

// The logarithm of the sum of two weights.
template <class T, int components>
HEADWISE_DEVICE Log<T, components> log_add(const Log<T, components>& a, const Log<T, components>& b) {
  if constexpr (components == 1) {
    if (!b.possible()) return a;
    const T distance = a.x[0] - b.x[0];
    Log<T, 1> result;
    result.x[0] = larger(a.x[0], b.x[0]) + log_of_one_to_two(1 + power_of_two(negative_distance(distance)));
    return result;
  } else {
    LogSum<T, components> sum;
    sum.add(a);
    sum.add(b);
    return sum.value();
  }
}

// The best of several weights: what takes the place of a sum in a search.
template <class T>
class Largest {
 public:
  HEADWISE_DEVICE void add(const Log<T, 1>& a) { top_.x[0] = larger(top_.x[0], a.x[0]); }
  HEADWISE_DEVICE void reduce(const Lanes& lanes, int shared) {
    for (int bits = 1; bits < shared; bits *= 2) top_.x[0] = larger(top_.x[0], lanes.of_other(top_.x[0], bits));
  }
  HEADWISE_DEVICE Log<T, 1> value() const { return top_; }

 private:
  Log<T, 1> top_ = Log<T, 1>::none();
};

// A table of weights, most often over pairs of nodes, or of sums.
template <class T, int components, class Entry = Log<T, components>>
struct Table {
  T* values;
  int stride;  // from row to row
  int size;    // of one component

  HEADWISE_DEVICE Entry operator()(int row, int column) const {
    Entry result;
    for (int k = 0; k < components; ++k) result.x[k] = values[k * size + row * stride + column];
    return result;
  }
  HEADWISE_DEVICE void set(int row, int column, const Entry& entry) const {
    for (int k = 0; k < components; ++k) values[k * size + row * stride + column] = entry.x[k];
  }
  HEADWISE_DEVICE void add(int row, int column, const Entry& entry) const {
    for (int k = 0; k < components; ++k) values[k * size + row * stride + column] += entry.x[k];
  }
  HEADWISE_DEVICE void clear(const Lanes& lanes) const {
    for (int k = lanes.rank(); k < components * size; k += lanes.count()) values[k] = 0;
  }
};
template <class T, int components>
using SumTable = Table<T, components, Sum<T, components>>;

// Tables one after the other in one piece of memory, for sentences of n words.
template <class T, int components>
class Memory {
 public:
  HEADWISE_DEVICE Memory(T* begin, int n) : free_(begin), stride_(row_stride(n)), size_((n + 1) * stride_) {}
  HEADWISE_DEVICE Table<T, components> table() { return rows(size_ / stride_); }
  HEADWISE_DEVICE Table<T, components> rows(int count) { return rows(count, stride_); }
  HEADWISE_DEVICE Table<T, components> rows(int count, int stride) {
    const Table<T, components> table{free_, stride, count * stride};
    free_ += components * table.size;
    return table;
  }
  HEADWISE_DEVICE SumTable<T, components> sums_like(const Table<T, components>& weights) {
    const Table<T, components> table = rows(weights.size / weights.stride, weights.stride);
    return {table.values, table.stride, table.size};
  }
  HEADWISE_DEVICE int* integers(int count) {
    int* integers = reinterpret_cast<int*>(free_);
    free_ += count;
    return integers;
  }
  HEADWISE_DEVICE T* rest() const { return free_; }
  // Even, so that the lanes of a warp, on neighbouring spans, read from different banks.
  HEADWISE_DEVICE static int row_stride(int n) { return (n + 2) & ~1; }

 private:
  T* free_;
  int stride_, size_;
};

}  // namespace headwise::kernels
