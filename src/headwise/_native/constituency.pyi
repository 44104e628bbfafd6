"""Phrase structure: grammars, charts, forests."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class PhraseGrammar:
    """A context-free grammar with two symbols on right-hand sides."""

    def __init__(
        self,
        *,
        phrases: int,
        tags: int,
        root: int,
        rules: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        rule_scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        chains: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        chain_scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        labels: Sequence[int],
        growth: Sequence[int],
        chain_labels: Sequence[Sequence[int]],
        tag_labels: Sequence[int],
    ) -> None: ...
    def top_k(
        self, words: Sequence[Sequence[tuple[int, float]]], k: int
    ) -> list[tuple[float, list[tuple[int, int, int]], list[int], list[int]]]: ...
    def log_sum(self, words: Sequence[Sequence[tuple[int, float]]]) -> float: ...
    def marginals(
        self, words: Sequence[Sequence[tuple[int, float]]]
    ) -> tuple[list[tuple[int, int, int, float]], list[list[float]]]: ...

class Model1:
    """The probabilities of Collins' Model 1."""

    def __init__(
        self,
        *,
        labels: int,
        words: int,
        modifiers: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        modifier_times: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        head_times: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        factor: float,
    ) -> None: ...
    def log_head(self, phrase: int, head_child: int, word: int, tag: int) -> float: ...
    def log_modifier(self, event: Sequence[int]) -> float: ...
    def word_given_tag(self, word: int, tag: int) -> float: ...

class LexicalizedTrees:
    """All trees of a sentence under Model 1."""

    def __init__(
        self,
        *,
        model: Model1,
        grammar: PhraseGrammar,
        previous_class: Sequence[int],
        verb_tags: Sequence[int],
        root: int,
        words: Sequence[int],
        tags: Sequence[Sequence[tuple[int, float]]],
        threshold: float,
        longest_chain: int,
        beam: float,
        most_edges: int,
    ) -> None: ...
    @property
    def has_tree(self) -> bool: ...
    @property
    def overflow(self) -> bool: ...
    @property
    def edges(self) -> int: ...
    @property
    def variables(self) -> int: ...
    @property
    def tags(self) -> list[list[tuple[int, float]]]: ...
    def arcs(self) -> list[tuple[int, int]]: ...
    def best(
        self,
        prices: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> tuple[float, list[tuple[int, int, int]], list[int], list[int]] | None: ...
    def top_k(
        self,
        k: int,
        prices: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> list[tuple[float, list[tuple[int, int, int]], list[int], list[int]]]: ...
    def marginals(
        self,
        prices: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> tuple[
        float,
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        list[tuple[int, int, int, float]],
    ]: ...
