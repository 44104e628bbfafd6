"""The factorizations: which parts make up a tree.

=========================  ===========================================  ============  ==================
name                       parts                                        time, memory  from
=========================  ===========================================  ============  ==================
``"arc"``                  arcs                                         O(n³), O(n²)  Eisner 2000
``"sibling"``              adjacent siblings                            O(n³), O(n²)  McDonald & Pereira
``"carreras"``             siblings, outermost grandchildren            O(n⁴), O(n³)  Carreras 2007
``"model0"``               all grandchildren                            O(n⁴), O(n³)  Koo 2010, 5.4.1
``"model1"``               all grand-siblings                           O(n⁴), O(n³)  Koo 2010, 5.4.2
``"model2"``               outermost grand-siblings, all tri-siblings   O(n⁴), O(n³)  Koo 2010, 5.4.3
``"grand_tri_sibling"``    all grand-tri-siblings                       O(n⁵), O(n⁴)  Koo 2010, B.5.3
``"great_grand_sibling"``  all great-grand-siblings                     O(n⁵), O(n⁴)  Koo 2010, B.5.2
=========================  ===========================================  ============  ==================

Each scores its lower-order parts too. Time and memory are over all arcs; see docs/trees.md.
"""

from __future__ import annotations

from typing import Literal, get_args

Factorization = Literal[
    "arc",
    "sibling",
    "carreras",
    "model0",
    "model1",
    "model2",
    "grand_tri_sibling",
    "great_grand_sibling",
]
"""The names, as native/trees/factorizations.hpp has them, from simple to rich."""

FACTORIZATIONS: tuple[Factorization, ...] = get_args(Factorization)

PARTS: dict[str, tuple[str, ...]] = {
    "arc": (),
    "sibling": ("sibling",),
    "carreras": ("sibling", "grandchild"),
    "model0": ("grandchild",),
    "model1": ("sibling", "grandchild", "grand_sibling", "outermost"),
    "model2": ("sibling", "grandchild", "grand_sibling", "tri_sibling", "outermost"),
    "grand_tri_sibling": (
        "sibling",
        "grandchild",
        "grand_sibling",
        "tri_sibling",
        "outermost",
        "grand_tri_sibling",
    ),
    "great_grand_sibling": (
        "sibling",
        "grandchild",
        "grand_sibling",
        "outermost",
        "great_grandchild",
        "great_grand_sibling",
    ),
}
"""The factorizations with their parts larger than an arc. Each part has a template table of its name."""

PROJECTIVE_ONLY = ("grand_tri_sibling", "great_grand_sibling")
"""Those without a search for crossing arcs."""

RELATIVES_OF_LABELS: dict[str, str] = {
    "arc": "",
    "sibling": "s",
    "carreras": "s",
    "model0": "g",
    "model1": "gs",
    "model2": "s",
    "grand_tri_sibling": "gs",
    "great_grand_sibling": "gs",
}
"""What parts show of every modifier, and labels inside the search may ask for: the next modifier towards the
head (s), the head of the head (g)."""

MODIFIERS_OF_LABELS = {"carreras": "lr"}
"""And what the chart of projective trees can tell them as well, one of these at a time: the outermost
modifiers of the modifier (Carreras 2007)."""

KIN_TABLES = ("any_sibling", "great_grandparent", "sibling_grandchild", "head_bigram")
"""The tables of parts that are scored in whole trees only (`headwise.components.whole_tree.config`)."""

PART_TABLES = tuple(dict.fromkeys(part for parts in PARTS.values() for part in parts))
TABLES = ("arc", *PART_TABLES, *KIN_TABLES, "label", "role", "tensor", "pruner")
"""All template tables of a parser."""
