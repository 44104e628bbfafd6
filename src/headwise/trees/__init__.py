"""Inference over dependency trees: NumPy in, NumPy out, exact, and usable without the parser.

A distribution is made from scores; every structure has the same verbs::

    from headwise.trees import ProjectiveTrees, SpanningTrees

    d = ProjectiveTrees(arcs, siblings=siblings, single_root=True)
    d.argmax().tree.heads, d.top_k(5), d.log_partition(), d.marginals().arcs, d.sample(3, seed=1)
"""

from headwise._native.trees import NoTreeError
from headwise.scoring.factorizations import Factorization
from headwise.trees.batch import Batch
from headwise.trees.crossing import CrossingTrees
from headwise.trees.distribution import Distribution
from headwise.trees.local_search import Annealing, Climbing, count_local_optima
from headwise.trees.parts import Marginals, Parts
from headwise.trees.projective import ProjectiveTrees
from headwise.trees.senses import SenseTrees
from headwise.trees.spanning import SpanningTrees
from headwise.trees.tree import Solution, Tree

__all__ = [
    "Annealing",
    "Batch",
    "Climbing",
    "CrossingTrees",
    "Distribution",
    "Factorization",
    "Marginals",
    "NoTreeError",
    "Parts",
    "ProjectiveTrees",
    "SenseTrees",
    "Solution",
    "SpanningTrees",
    "Tree",
    "count_local_optima",
]
