"""Inference over dependency trees: NumPy in, NumPy out, exact, and usable without the parser.

A distribution is made from scores; every structure has the same verbs::

    from headwise.trees import ProjectiveTrees, SpanningTrees

    d = ProjectiveTrees(arcs, siblings=siblings, single_root=True)
    d.argmax().tree.heads, d.top_k(5), d.log_partition(), d.marginals().arcs, d.sample(3, seed=1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise._native.trees import NoTreeError as NoTreeError
    from headwise.trees.batch import Batch as Batch
    from headwise.trees.crossing import CrossingTrees as CrossingTrees
    from headwise.trees.distribution import Distribution as Distribution
    from headwise.trees.factorizations import Factorization as Factorization
    from headwise.trees.local_search import Annealing as Annealing
    from headwise.trees.local_search import Climbing as Climbing
    from headwise.trees.local_search import count_local_optima as count_local_optima
    from headwise.trees.parts import Marginals as Marginals
    from headwise.trees.parts import Parts as Parts
    from headwise.trees.projective import ProjectiveTrees as ProjectiveTrees
    from headwise.trees.sense_parts import SensePartTrees as SensePartTrees
    from headwise.trees.senses import SenseTrees as SenseTrees
    from headwise.trees.spanning import SpanningTrees as SpanningTrees
    from headwise.trees.tree import Solution as Solution
    from headwise.trees.tree import Tree as Tree

_HOMES = {
    "Annealing": "headwise.trees.local_search",
    "Batch": "headwise.trees.batch",
    "Climbing": "headwise.trees.local_search",
    "CrossingTrees": "headwise.trees.crossing",
    "Distribution": "headwise.trees.distribution",
    "Factorization": "headwise.trees.factorizations",
    "Marginals": "headwise.trees.parts",
    "NoTreeError": "headwise._native.trees",
    "Parts": "headwise.trees.parts",
    "ProjectiveTrees": "headwise.trees.projective",
    "SensePartTrees": "headwise.trees.sense_parts",
    "SenseTrees": "headwise.trees.senses",
    "Solution": "headwise.trees.tree",
    "SpanningTrees": "headwise.trees.spanning",
    "Tree": "headwise.trees.tree",
    "count_local_optima": "headwise.trees.local_search",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
