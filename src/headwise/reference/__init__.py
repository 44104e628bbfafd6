"""Brute-force enumeration in plain Python: the specification of tree inference and its test oracle."""

from headwise.reference.distribution import EnumeratedTrees
from headwise.reference.enumeration import all_trees, is_projective, is_tree
from headwise.reference.parts import FACTORIZATIONS, Factorization, tree_parts
from headwise.reference.senses import EnumeratedSenseParts, EnumeratedSenses

__all__ = [
    "FACTORIZATIONS",
    "EnumeratedSenseParts",
    "EnumeratedSenses",
    "EnumeratedTrees",
    "Factorization",
    "all_trees",
    "is_projective",
    "is_tree",
    "tree_parts",
]
