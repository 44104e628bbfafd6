"""The best tree under higher-order scores as an integer program: the referee of every other search.

Trees are flows (Martins, Smith and Xing 2009): ``single``, where the root sends a unit of one commodity to
every word and an arc of weight x lets through n·x, or ``multi``, where every word has a commodity of its own,
of which an arc lets through x. Both are exact as integer programs; as linear programs the second is tighter:
it describes the convex hull of all spanning trees. Larger parts are head automata as flows
(`headwise.trees.automata_program`), so that the relaxation with ``multi`` is the one that dual decomposition
solves (Koo et al. 2010, section 4.2).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from headwise._native.trees import NoTreeError, decode_nonprojective
from headwise.base.errors import HeadwiseError
from headwise.trees.automata_program import add_automata
from headwise.trees.crossing import CrossingTrees
from headwise.trees.linear_program import LinearProgram, ProgramSolution
from headwise.trees.tree import Solution, Tree

Flow = Literal["single", "multi"]
Columns = dict[tuple[int, int], int]

INTEGRAL = 1e-6
"""A value this close to a whole number is one: the solver's own tolerance."""


def solve_program(
    trees: CrossingTrees, *, relax: bool = False, flow: Flow = "single", start: ArrayLike | None = None
) -> Solution:
    """The best tree; with `relax`, the tree that the linear program gives, `exact` where that is integral.

    `start` are the heads of a good tree, which the integer program then has to beat. A fractional solution
    becomes the spanning tree of greatest weight under it (Martins et al. 2009).
    """
    if trees.projective:
        raise ValueError("the integer program is about trees whose arcs may cross; use ProjectiveTrees")
    if flow not in ("single", "multi"):
        raise ValueError(f"flow must be 'single' or 'multi', not {flow!r}")
    program = LinearProgram()
    nodes = map(tuple, trees.candidates.part_nodes("arcs").tolist())
    # The scores of arcs are in the automata; here they only make trees.
    arcs: Columns = {(h, m): program.add_column(upper=1.0, integer=True) for h, m in nodes}
    add_tree(program, arcs, trees.words, trees.single_root, flow)
    add_automata(program, trees, arcs)
    known = -np.inf if start is None or relax else trees.score(start)
    solution = _solve(program, relax, None if start is None else known_arcs(arcs, start), known)
    weights = np.full((trees.words + 1, trees.words + 1), -np.inf)
    for (h, m), column in arcs.items():
        weights[h, m] = solution.values[column]
    chosen = weights[weights > -np.inf]
    integral = bool(np.all(np.minimum(np.abs(chosen), np.abs(1 - chosen)) < INTEGRAL))
    heads, _ = decode_nonprojective(weights, trees.single_root)
    score = trees.score(heads)
    exact = integral if relax else True
    return Solution(Tree(heads), score, score if exact else max(score, solution.bound), exact)


def _solve(
    program: LinearProgram, relax: bool, start: dict[int, float] | None, known: float
) -> ProgramSolution:
    """The optimum, which is not below a score that is known to be reached.

    HiGHS 1.15 is wrong on a few hard programs: it claims an optimum that a known tree beats, with presolving
    on some and without on others.
    """
    for presolve in (True, False):
        solution = program.solve(relax=relax, start=start, presolve=presolve)
        if solution is None:
            raise NoTreeError("no tree is left: every tree contains a forbidden arc or part")
        if solution.objective >= known - INTEGRAL:
            return solution
    raise HeadwiseError(
        f"HiGHS claims that no tree scores {known:.6g}, where one is known that does: its answers cannot be "
        "trusted. Install another version of highspy."
    )


def known_arcs(arcs: Columns, heads: ArrayLike) -> dict[int, float]:
    """The values of the columns of all arcs under a tree."""
    chosen = {(int(h), m) for m, h in enumerate(np.asarray(heads), start=1)}
    if not chosen <= set(arcs):
        raise ValueError("start must be a tree of allowed arcs")
    return {column: float(arc in chosen) for arc, column in arcs.items()}


def add_tree(program: LinearProgram, arcs: Columns, words: int, single_root: bool, flow: Flow) -> None:
    """Rows that make the arcs a spanning tree."""
    into: dict[int, list[int]] = {m: [] for m in range(1, words + 1)}
    for (_, m), column in arcs.items():
        into[m].append(column)
    for columns in into.values():
        program.add_row(dict.fromkeys(columns, 1.0), 1.0, 1.0)
    if single_root:
        program.add_row({column: 1.0 for (h, _), column in arcs.items() if h == 0}, 1.0, 1.0)
    if flow == "single":
        _add_commodity(program, arcs, words, float(words), dict.fromkeys(range(1, words + 1), 1.0))
    else:
        for word in range(1, words + 1):
            _add_commodity(program, arcs, words, 1.0, {m: float(m == word) for m in range(1, words + 1)})


def _add_commodity(
    program: LinearProgram, arcs: Columns, words: int, capacity: float, consumed: dict[int, float]
) -> None:
    """A flow from the root along the arcs, of which every word keeps what it consumes."""
    balance: dict[int, dict[int, float]] = {m: {} for m in range(1, words + 1)}
    for (h, m), arc in arcs.items():
        column = program.add_column(upper=capacity)
        program.add_row({column: 1.0, arc: -capacity}, -np.inf, 0.0)
        balance[m][column] = 1.0
        if h > 0:
            balance[h][column] = -1.0
    for m, row in balance.items():
        program.add_row(row, consumed[m], consumed[m])
