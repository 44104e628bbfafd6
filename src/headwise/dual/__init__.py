"""Dual decomposition: hard problems as easy ones that have to agree (Rush et al. 2010, Koo et al. 2010).

A problem has binary variables and subproblems; each subproblem maximizes its own score plus a multiplier for
every variable that it turns on, and the solver moves the multipliers until the subproblems agree::

    problem = Problem(variables=3)
    problem.add(tagger, [0, 1])
    problem.add(parser, [1, 2, 0])
    result = problem.solve()
    result.assignment, result.score, result.bound, result.exact

Nothing here knows what a subproblem is. For dependency trees see `headwise.trees.CrossingTrees`.
"""

from headwise.dual.limits import KOO_2010, RUSH_2010, Limits, StepRule
from headwise.dual.problem import Problem, Propose, Result, Subproblem
from headwise.dual.trace import Trace

__all__ = [
    "KOO_2010",
    "RUSH_2010",
    "Limits",
    "Problem",
    "Propose",
    "Result",
    "StepRule",
    "Subproblem",
    "Trace",
]
