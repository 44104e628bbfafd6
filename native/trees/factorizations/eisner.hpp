// The max-plus chart of first_order.hpp, eight spans at a time.
//
// Spans of one width do not depend on each other, and way k to build the span at i + 1 lies beside way k to
// build the span at i once spans are stored by width. So eight spans are built together, lane by lane, where a
// sum over the ways to build one span would end in a reduction across lanes; that is what most of the time goes
// into while sentences are short.
#pragma once
#include "rooms.hpp"
#include <algorithm>

#include "trees/semiring.hpp"
#include "base/simd.hpp"

namespace headwise::trees {

// Spans by width w and first word i, which is their head (right) or their last word's modifier (left):
// right(w)[i] = C(i, i+w), left(w)[i] = C(i+w, i), right_arc(w)[i] = I(i, i+w), left_arc(w)[i] = I(i+w, i);
// joined(w)[i] = J(i, i+w). The arcs hold the scores of their leaves until the spans are built.
struct EisnerDiagonals {
  double* memory;
  int nodes;
  bool single_root;

  // Lanes may be read from any first word on.
  int stride() const { return simd::padded(nodes) + simd::kLanes; }
  std::size_t size() const { return 5 * static_cast<std::size_t>(nodes) * stride(); }
  double* right(int w) const { return diagonal(0, w); }
  double* left(int w) const { return diagonal(1, w); }
  double* right_arc(int w) const { return diagonal(2, w); }
  double* left_arc(int w) const { return diagonal(3, w); }
  double* joined(int w) const { return diagonal(4, w); }

 private:
  double* diagonal(int kind, int w) const {
    return memory + (static_cast<std::ptrdiff_t>(kind) * nodes + w) * stride();
  }
};

}  // namespace headwise::trees

namespace headwise::simd {
// Builds all spans from the empty ones (right(0), left(0)) and the leaves.
extern void (*const eisner)(const EisnerDiagonals& spans);
}
