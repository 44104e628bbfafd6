"""The option of commands that train parsers of features alone."""

from __future__ import annotations

from typing import Annotated

from headwise.cli.command import Option
from headwise.trees.factorizations import Factorization

OfFeatures = Annotated[
    Factorization,
    Option(
        "--factorization",
        help="The parts that features of the parsers see: arcs alone (arc), pairs (carreras), triples"
        " (model1) …",
    ),
]
