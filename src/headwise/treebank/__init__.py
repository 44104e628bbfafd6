"""Treebanks: sentences, the files they are kept in (CoNLL-U, CoNLL-X, .gz, .xz), the shapes of trees."""

from headwise._native.treebank import Sentence, Token
from headwise.errors import TreebankError
from headwise.treebank.checks import TreeProblem, check_tree
from headwise.treebank.conversion import Losses, conversion_losses, convert
from headwise.treebank.json_lines import (
    JsonError,
    json_writer,
    read_json,
    sentence_from_json,
    sentence_to_json,
    write_json,
)
from headwise.treebank.projectivity import (
    crossing_arcs,
    is_projective,
    nonprojective_arcs,
    projectivize,
    projectivized,
)
from headwise.treebank.reading import Reader, annotated, read
from headwise.treebank.statistics import Statistics, statistics
from headwise.treebank.treebank import Treebank
from headwise.treebank.writing import Writer, write, writer

__all__ = [
    "JsonError",
    "Losses",
    "Reader",
    "Sentence",
    "Statistics",
    "Token",
    "TreeProblem",
    "Treebank",
    "TreebankError",
    "Writer",
    "annotated",
    "check_tree",
    "conversion_losses",
    "convert",
    "crossing_arcs",
    "is_projective",
    "json_writer",
    "nonprojective_arcs",
    "projectivize",
    "projectivized",
    "read",
    "read_json",
    "sentence_from_json",
    "sentence_to_json",
    "statistics",
    "write",
    "write_json",
    "writer",
]
