"""Raw text: the ends of tokens and sentences."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.treebank

class BoundaryCounts:
    """What happened during a stretch of training."""

    @property
    def words(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def loss(self) -> float: ...

class BoundaryTrainer:
    """MIRA training of token and sentence ends."""

    def __init__(self, bits: int, spaces_in_tokens: bool, context: str, aggressiveness: float) -> None: ...
    def add(
        self,
        text: str,
        boundaries: Annotated[
            NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        A paragraph, and for each character what ends after it: 0 nothing, 1 a token, 2 a multiword token,
        3 a sentence, 4 a sentence with a multiword token.
        """

    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> BoundaryCounts:
        """
        One pass over examples; each step needs the one before, whatever the threads.
        """

    def averaged(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...

class Splitter:
    """Splits paragraphs into sentences and tokens."""

    def __init__(
        self,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        bits: int,
        spaces_in_tokens: bool,
        addresses: bool,
        handles: bool,
        context: str,
    ) -> None: ...
    def paragraph(
        self,
        text: str,
        words_of: Callable[[str], Sequence[str]],
        sentences: bool,
        offsets: bool,
        first_offset: int,
        first_comments: str,
        first_number: int,
    ) -> list[tuple[headwise._native.treebank.Sentence, int]]:
        """
        The sentences of a paragraph, each with the character of the paragraph where it begins.
        """
