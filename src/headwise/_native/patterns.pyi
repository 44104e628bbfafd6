"""Pieces of trees that people look for."""

from collections.abc import Callable, Iterable, Sequence

import numpy
import numpy.typing

import headwise._native.treebank

class PatternBuilder:
    """A pattern while it is put together."""

    def __init__(self) -> None: ...
    def block(self, wanted: bool, nodes: int) -> None:
        """
        Begin a block with so many nodes of its own; nodes are numbered through.
        """

    def ask(self, node: int, column: str, key: str, kind: str, values: Sequence[str]) -> None:
        """
        Whether a value is there (defined, undefined), and which it is (one of, none of).
        """

    def ask_expressions(
        self, node: int, column: str, key: str, like: bool, asks: list[Callable[[str], object]]
    ) -> None:
        """Whether one of these functions of a value says so."""

    def ask_number(self, node: int, column: str, key: str, comparison: str, number: float) -> None: ...
    def relate(self, kind: str, a: int, b: int) -> None: ...
    def compare(
        self,
        a: int,
        column_of_a: str,
        key_of_a: str,
        comparison: str,
        b: int,
        column_of_b: str,
        key_of_b: str,
    ) -> None: ...

class Matcher:
    """Finds a pattern in sentences."""

    def __init__(self, builder: PatternBuilder) -> None: ...
    def find(
        self, sentences: Iterable[headwise._native.treebank.Sentence], most: int = 0
    ) -> numpy.typing.NDArray[numpy.int32]:
        """
        Of each match the number of its sentence, and the words of the nodes, in rows one after the other.
        """
