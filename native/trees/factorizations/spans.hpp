// The spans of a sentence in an order in which every span comes after the spans inside it.
#pragma once
#include "rooms.hpp"

namespace headwise::trees {

// visit(phase, i, j) for 0 ≤ i < j < nodes, from short to long, the phases of a span in order. Spans of one
// width do not wait for each other.
template <class Visit>
void spans_bottom_up(int nodes, int phases, Visit visit) {
  for (int width = 1; width < nodes; ++width)
    for (int i = 0; i + width < nodes; ++i)
      for (int phase = 0; phase < phases; ++phase) visit(phase, i, i + width);
}

// The same spans and phases in exactly the opposite order.
template <class Visit>
void spans_top_down(int nodes, int phases, Visit visit) {
  for (int width = nodes - 1; width >= 1; --width)
    for (int i = nodes - 1 - width; i >= 0; --i)
      for (int phase = phases - 1; phase >= 0; --phase) visit(phase, i, i + width);
}

// The items of a chart over spans in these orders. `Own` has nodes(), span_items(phase, i, j, visit) and, where there are
// items that no span is needed for, empty_halves(visit).
template <class Own, int phases>
class InOrderOfSpans {
 public:
  template <class Visit>
  void bottom_up(Visit visit) const {
    if constexpr (requires { chart().empty_halves(visit); }) chart().empty_halves(visit);
    spans_bottom_up(chart().nodes(), phases, [&](int phase, int i, int j) { chart().span_items(phase, i, j, visit); });
  }
  template <class Visit>
  void top_down(Visit visit) const {
    spans_top_down(chart().nodes(), phases, [&](int phase, int i, int j) { chart().span_items(phase, i, j, visit); });
    if constexpr (requires { chart().empty_halves(visit); }) chart().empty_halves(visit);
  }

 private:
  const Own& chart() const { return static_cast<const Own&>(*this); }
};

}  // namespace headwise::trees
