"""Which parts each factorization scores, and the template tables that describe them."""

from __future__ import annotations

from typing import Literal

Factorization = Literal["arc", "sibling", "carreras", "model0", "model1", "model2"]

PARTS: dict[str, tuple[str, ...]] = {
    "arc": (),
    "sibling": ("sibling",),
    "carreras": ("sibling", "grandchild"),
    "model0": ("grandchild",),
    "model1": ("sibling", "grandchild", "grand_sibling", "outermost"),
    "model2": ("sibling", "grandchild", "grand_sibling", "tri_sibling", "outermost"),
}
"""The parts of each factorization that are larger than an arc; each has a template table of its name."""

KIN_TABLES = ("any_sibling", "great_grandparent", "sibling_grandchild", "head_bigram")
"""The tables of parts that are scored in whole trees only (:mod:`headwise.scoring.whole_tree`)."""

TABLES = ("arc", *PARTS["model2"], *KIN_TABLES, "label", "role", "pruner")
"""All template tables of a parser."""
