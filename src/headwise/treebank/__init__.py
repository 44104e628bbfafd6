"""Treebanks: sentences, the files they are kept in (CoNLL-U, CoNLL-X, .gz, .xz), the shapes of trees."""

from headwise._native.conll import Sentence, Token
from headwise.errors import TreebankError
from headwise.treebank.checks import TreeProblem, check_tree
from headwise.treebank.conversion import Losses, conversion_losses, convert
from headwise.treebank.projectivity import (
    crossing_arcs,
    is_projective,
    nonprojective_arcs,
    projectivize,
    projectivized,
)
from headwise.treebank.reading import Reader, read
from headwise.treebank.statistics import Statistics, statistics
from headwise.treebank.treebank import Treebank
from headwise.treebank.writing import Writer, write, writer

__all__ = [
    "Losses",
    "Reader",
    "Sentence",
    "Statistics",
    "Token",
    "TreeProblem",
    "Treebank",
    "TreebankError",
    "Writer",
    "check_tree",
    "conversion_losses",
    "convert",
    "crossing_arcs",
    "is_projective",
    "nonprojective_arcs",
    "projectivize",
    "projectivized",
    "read",
    "statistics",
    "write",
    "writer",
]
