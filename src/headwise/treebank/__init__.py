"""Treebanks: sentences, the files they are kept in (CoNLL-U, CoNLL-X, .gz, .xz), the shapes of trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise._native.treebank import Sentence, Token
from headwise.base.errors import TreebankError
from headwise.base.lazy import offer
from headwise.treebank.statistics import Statistics, statistics

if TYPE_CHECKING:
    from headwise.treebank.checks import TreeProblem as TreeProblem
    from headwise.treebank.checks import check_tree as check_tree
    from headwise.treebank.conversion import Losses as Losses
    from headwise.treebank.conversion import conversion_losses as conversion_losses
    from headwise.treebank.conversion import convert as convert
    from headwise.treebank.json_lines import JsonError as JsonError
    from headwise.treebank.json_lines import json_writer as json_writer
    from headwise.treebank.json_lines import read_json as read_json
    from headwise.treebank.json_lines import sentence_from_json as sentence_from_json
    from headwise.treebank.json_lines import sentence_to_json as sentence_to_json
    from headwise.treebank.json_lines import write_json as write_json
    from headwise.treebank.projectivity import crossing_arcs as crossing_arcs
    from headwise.treebank.projectivity import is_projective as is_projective
    from headwise.treebank.projectivity import nonprojective_arcs as nonprojective_arcs
    from headwise.treebank.projectivity import projectivize as projectivize
    from headwise.treebank.projectivity import projectivized as projectivized
    from headwise.treebank.reading import Reader as Reader
    from headwise.treebank.reading import annotated as annotated
    from headwise.treebank.reading import read as read
    from headwise.treebank.treebank import Treebank as Treebank
    from headwise.treebank.writing import Writer as Writer
    from headwise.treebank.writing import write as write
    from headwise.treebank.writing import writer as writer

_HOMES = {
    "JsonError": "headwise.treebank.json_lines",
    "Losses": "headwise.treebank.conversion",
    "Reader": "headwise.treebank.reading",
    "TreeProblem": "headwise.treebank.checks",
    "Treebank": "headwise.treebank.treebank",
    "Writer": "headwise.treebank.writing",
    "annotated": "headwise.treebank.reading",
    "check_tree": "headwise.treebank.checks",
    "conversion_losses": "headwise.treebank.conversion",
    "convert": "headwise.treebank.conversion",
    "crossing_arcs": "headwise.treebank.projectivity",
    "is_projective": "headwise.treebank.projectivity",
    "json_writer": "headwise.treebank.json_lines",
    "nonprojective_arcs": "headwise.treebank.projectivity",
    "projectivize": "headwise.treebank.projectivity",
    "projectivized": "headwise.treebank.projectivity",
    "read": "headwise.treebank.reading",
    "read_json": "headwise.treebank.json_lines",
    "sentence_from_json": "headwise.treebank.json_lines",
    "sentence_to_json": "headwise.treebank.json_lines",
    "write": "headwise.treebank.writing",
    "write_json": "headwise.treebank.json_lines",
    "writer": "headwise.treebank.writing",
}
__all__ = ["Sentence", "Statistics", "Token", "TreebankError", "statistics", *_HOMES]
__getattr__, __dir__ = offer(__name__, _HOMES)
