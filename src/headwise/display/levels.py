"""How high each arc is drawn, so that none runs into another and the drawing stays low.

Two arcs overlap when some gap between neighbouring words lies under both. Overlapping arcs are on different
levels, and an arc inside another is below it; arcs that cross may go either way. Nothing else is asked, so
that arcs which meet at a word may share a level.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwise.display.drawing import Arc

Span = tuple[int, int]

_PATIENCE = 400
"""Dead ends to run into before one level more is allowed."""


def arc_levels(arcs: Sequence[Arc]) -> list[int]:
    """The level of each arc, from 1. The line from the root starts above all arcs over its word."""
    between_words = [arc for arc in arcs if not arc.from_root]
    levels = dict(zip(between_words, span_levels([arc.span for arc in between_words]), strict=True))
    for arc in arcs:
        if arc.from_root:
            over = (
                levels[other] for other in between_words if other.span[0] <= arc.modifier <= other.span[1]
            )
            levels[arc] = 1 + max(over, default=0)
    return [levels[arc] for arc in arcs]


def span_levels(spans: Sequence[Span]) -> list[int]:
    """A level for each span, from 1, with as few levels as possible.

    Without crossing spans the level of a span is the depth of the nest inside it, O(n²). Where two crossing
    spans end up on the same level, one has to go above the other; both choices are tried, within a number
    of levels that grows until it is enough. That is minimal, except that a tangle with very many choices
    may get a level more than it needs.
    """
    crossing, above = _relations(spans)
    nested = [1] * len(spans)
    for i in sorted(range(len(spans)), key=lambda i: _length(spans[i])):
        _raise_those_above(i, nested, above)
    # All spans over one gap need levels of their own.
    crowds = (sum(left <= gap < right for left, right in spans) for gap, _ in spans)
    allowed = max([*nested, *crowds], default=0)
    while (levels := _keep_apart(crossing, nested, above, allowed)) is None:
        allowed += 1
    return levels


def _relations(spans: Sequence[Span]) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """The pairs of spans that cross, the shorter one first; and for each span those around it."""
    crossing: list[tuple[int, int]] = []
    above: list[list[int]] = [[] for _ in spans]
    by_length = sorted(range(len(spans)), key=lambda i: _length(spans[i]))
    for position, i in enumerate(by_length):
        for j in by_length[position + 1 :]:
            (left, right), (other_left, other_right) = spans[i], spans[j]
            if max(left, other_left) >= min(right, other_right):
                continue
            if other_left <= left and right <= other_right and spans[i] != spans[j]:
                above[i].append(j)
            else:  # the same span twice is like two that cross: either may be above
                crossing.append((i, j))
    return crossing, above


def _keep_apart(
    crossing: list[tuple[int, int]], levels: list[int], above: list[list[int]], allowed: int
) -> list[int] | None:
    """Levels up to `allowed` at which crossing spans are apart, found depth first; None if there are none."""
    choices = [(levels, above)]
    dead_ends = 0
    while choices and dead_ends <= _PATIENCE:
        levels, above = choices.pop()
        if max(levels, default=0) > allowed:
            dead_ends += 1
            continue
        clash = next((pair for pair in crossing if levels[pair[0]] == levels[pair[1]]), None)
        if clash is None:
            return levels
        for lower, upper in (clash[::-1], clash):  # the last one, the shorter span below, is tried first
            raised, ordered = levels.copy(), above.copy()
            ordered[lower] = [*above[lower], upper]
            _raise_those_above(lower, raised, ordered)
            choices.append((raised, ordered))
    return None


def _raise_those_above(changed: int, levels: list[int], above: list[list[int]]) -> None:
    waiting = [changed]
    while waiting:
        lower = waiting.pop()
        for upper in above[lower]:
            if levels[upper] <= levels[lower]:
                levels[upper] = levels[lower] + 1
                waiting.append(upper)


def _length(span: Span) -> int:
    return span[1] - span[0]
