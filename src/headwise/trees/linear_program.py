"""A linear or integer program, column by column and row by row, and its solution by HiGHS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.base.errors import HeadwiseError
from headwise.trees.solver import highs


class ProgramSolution(NamedTuple):
    values: NDArray[np.float64]
    """Of all columns."""
    objective: float
    bound: float
    """No solution has a greater objective; the same as `objective` where the optimum is proved."""


class LinearProgram:
    """max c·x such that rows lie between bounds; columns are not negative."""

    def __init__(self) -> None:
        self._costs: list[float] = []
        self._upper: list[float] = []
        self._integer: list[bool] = []
        self._starts = [0]
        self._indices: list[int] = []
        self._values: list[float] = []
        self._row_lower: list[float] = []
        self._row_upper: list[float] = []

    def add_column(self, score: float = 0.0, upper: float = np.inf, *, integer: bool = False) -> int:
        """A variable; returns its number."""
        self._costs.append(score)
        self._upper.append(upper if score > -np.inf else 0.0)  # what is forbidden stays 0
        self._integer.append(integer)
        return len(self._costs) - 1

    def add_row(self, coefficients: dict[int, float], lower: float, upper: float) -> None:
        self._indices += coefficients
        self._values += coefficients.values()
        self._starts.append(len(self._indices))
        self._row_lower.append(lower)
        self._row_upper.append(upper)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return len(self._costs), len(self._row_lower)

    def solve(
        self, *, relax: bool, start: Mapping[int, float] | None = None, presolve: bool = True
    ) -> ProgramSolution | None:
        """The optimum, with `relax` of the linear program; None where there is no solution.

        `start` are values of all integer columns that a solution is known to have: it is the first incumbent.
        """
        highspy = highs()
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self.size
        costs = np.array(self._costs)
        program.col_cost_ = np.where(costs > -np.inf, -costs, 0.0)
        program.col_lower_ = np.zeros(len(costs))
        program.col_upper_ = np.array(self._upper)
        program.row_lower_ = np.array(self._row_lower)
        program.row_upper_ = np.array(self._row_upper)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(self._starts, dtype=np.int32)
        program.a_matrix_.index_ = np.array(self._indices, dtype=np.int32)
        program.a_matrix_.value_ = np.array(self._values)
        if not relax:
            kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
            program.integrality_ = [kinds[integer] for integer in self._integer]
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.setOptionValue("mip_abs_gap", 1e-9)
        solver.setOptionValue("presolve", "choose" if presolve else "off")
        solver.passModel(program)
        if start and not relax:
            columns = np.array(list(start), dtype=np.int32)
            solver.setSolution(len(columns), columns, np.array(list(start.values()), dtype=np.float64))
        solver.run()
        status = solver.getModelStatus()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise HeadwiseError(f"HiGHS gave up on a program of {self.size[0]} columns: {status}.")
        information = solver.getInfo()
        objective = -information.objective_function_value
        bound = objective if relax else -information.mip_dual_bound
        return ProgramSolution(np.array(solver.getSolution().col_value), objective, max(objective, bound))
