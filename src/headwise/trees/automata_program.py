"""Head automata as flows: the modifiers of a word as paths through a network, in rows of a linear program.

For every word, every head it may have and either side, a path leads from the word outwards over the modifiers
it takes. An edge of the network is a part of the tree with a score. As much flows through the networks of a
head as the arc from that head has; as much flows into a modifier as its arc has. With the arcs 0 or 1, the
flows are a tree's parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from headwise._native import trees as native
from headwise.trees.crossing import CrossingTrees
from headwise.trees.linear_program import LinearProgram

State = tuple[int, int]
"""The last modifier of a path and, in model 2, the one before it, counted outwards; −1 for none."""


@dataclass(frozen=True)
class Context:
    """A word h and the head g that its automaton looks at; None where it looks at none."""

    h: int
    g: int | None


class Scores:
    """The scores of parts by their nodes."""

    def __init__(self, trees: CrossingTrees) -> None:
        view = native.FACTORIZATIONS[trees.factorization].head_view
        assert view is not None
        self.grandparent, self.siblings = view
        """Where the grandparent is looked at, and how many modifiers back a part reaches."""
        self.single_root = trees.single_root
        self._tables: dict[str, dict[tuple[int, ...], float]] = {}
        for name, table in trees.tables.items():
            # [g, h, g] names an absent modifier, and the arcs g → h → g, which no tree has: those come first.
            nodes = trees.candidates.part_nodes(name)
            self._tables[name] = dict(zip(map(tuple, nodes.tolist()), table.tolist(), strict=True))

    def of(self, name: str, *nodes: int) -> float:
        table = self._tables.get(name)
        return 0.0 if table is None else table[nodes]

    def modifier(self, context: Context, m: int, s: int, t: int | None) -> float:
        """What modifier m adds after s (h for none), which came after t (h for none, None if not scored)."""
        h, g = context.h, context.g
        if h == 0 and s != h and self.single_root:
            return -math.inf
        score = self.of("arcs", h, m) + self.of("siblings", h, m, s)
        if t is not None:
            score += self.of("tri_siblings", h, m, s, t)
        if g is not None and self.grandparent == "every modifier":
            score += self.of("grandchildren", g, h, m) + self.of("grand_siblings", g, h, m, s)
        return score

    def end(self, context: Context, m: int, s: int) -> float:
        """What it adds that m, after s, is the last modifier."""
        h, g = context.h, context.g
        if g is None:
            return 0.0
        score = self.of("outermost", g, h, m)
        if self.grandparent == "last modifiers":
            score += self.of("grandchildren", g, h, m)
            if self.siblings == 2:
                score += self.of("grand_siblings", g, h, m, s)
                score += self.of("grandchildren", g, h, s) if s != h else 0.0
        return score

    def empty(self, context: Context, is_left: bool) -> float:
        h, g = context.h, context.g
        if g is None:
            return -math.inf if h == 0 and not is_left else 0.0  # somebody hangs from the root
        faces_head = is_left == (g < h)
        return self.of("grandchildren", g, h, g if faces_head else h)


def add_automata(program: LinearProgram, trees: CrossingTrees, arcs: dict[tuple[int, int], int]) -> None:
    """Adds the networks of all words; `arcs` are the columns of the arcs."""
    scores = Scores(trees)
    looks_up = scores.grandparent != "none"
    modifiers: dict[int, list[int]] = {h: [] for h in range(trees.words + 1)}
    heads: dict[int, list[int]] = {m: [] for m in range(1, trees.words + 1)}
    for h, m in arcs:
        modifiers[h].append(m)
        heads[m].append(h)
    for h in range(trees.words + 1):
        contexts = [Context(h, g) for g in heads[h]] if looks_up and h > 0 else [Context(h, None)]
        for is_left in (True, False):
            side = sorted((m for m in modifiers[h] if (m < h) == is_left), key=lambda m: abs(m - h))
            into: dict[int, list[int]] = {m: [] for m in side}
            for context in contexts:
                usable = [m for m in side if m != context.g]
                for m, column in _add_network(program, scores, context, usable, is_left, arcs):
                    into[m].append(column)
            for m, columns in into.items():
                program.add_row({**dict.fromkeys(columns, 1.0), arcs[h, m]: -1.0}, 0.0, 0.0)


def _add_network(
    program: LinearProgram,
    scores: Scores,
    context: Context,
    side: list[int],
    is_left: bool,
    arcs: dict[tuple[int, int], int],
) -> Iterator[tuple[int, int]]:
    """One side of a word under one of its heads; yields (modifier, column) for the edges into modifiers."""
    h = context.h
    two = scores.siblings == 2
    flow: dict[State | None, dict[int, float]] = {
        None: {program.add_column(scores.empty(context, is_left)): 1.0}
    }
    states: list[State] = []
    for j, m in enumerate(side):
        # The states that a modifier can follow: none, or one that ends in a nearer modifier.
        for before in [None, *[state for state in states if state[0] < j]]:
            s = h if before is None else side[before[0]]
            t = None if before is None else (h if before[1] < 0 else side[before[1]])
            column = program.add_column(scores.modifier(context, m, s, t if two else None))
            state = (j, before[0] if before is not None and two else -1)
            if state not in flow:
                flow[state] = {}
            flow[state][column] = -1.0
            flow.setdefault(before, {})[column] = 1.0
            yield m, column
        states += [state for state in flow if state is not None and state[0] == j]
    for state in states:
        m, s = side[state[0]], h if state[1] < 0 else side[state[1]]
        flow[state][program.add_column(scores.end(context, m, s))] = 1.0
        program.add_row(flow[state], 0.0, 0.0)  # what comes in goes out
    start = flow[None]
    if context.g is None:
        program.add_row(start, 1.0, 1.0)
    else:
        program.add_row({**start, arcs[context.g, h]: -1.0}, 0.0, 0.0)
