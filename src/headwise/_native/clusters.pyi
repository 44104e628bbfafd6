"""Words clustered by the company they keep."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

def plain_words(text: bytes) -> bytes:
    """
    Running text with a space between any two words, found by a plain rule.
    """

class Bigrams:
    """Words by falling frequency, and how often each follows each."""

    @property
    def words(self) -> list[str]: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def total(self) -> int:
        """The number of bigrams that were counted."""

    def pairs(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]:
        """(first, second, count), one after the other."""

class BigramCounter:
    """Counts words and bigrams of lines of words."""

    def __init__(self) -> None: ...
    def add(self, lines: bytes, separator: str = " ") -> None:
        """Lines of words; nothing goes over the end of a line."""

    def add_text(self, text: bytes) -> None:
        """Running text, whose words are found by a plain rule."""

    @property
    def words(self) -> int:
        """Running words so far."""

    def add_counts(self, other: BigramCounter) -> None:
        """What another counted."""

    @property
    def vocabulary(self) -> int:
        """Different words so far."""

    def bigrams(self, least: int) -> Bigrams:
        """Without words that occur less often than this."""

class WindowCounts:
    """How often words have which frequent words near them, row by row."""

    @property
    def words(self) -> list[str]: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def columns(self) -> int: ...
    def rows(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]:
        """
        Where rows begin, the columns and the numbers, as SciPy's sparse matrices have them.
        """

class WindowCounter:
    """Counts what stands near what in lines of words."""

    def __init__(self) -> None: ...
    def add(self, lines: bytes, separator: str = " ") -> None:
        """Lines of words; nothing goes over the end of a line."""

    def add_text(self, text: bytes) -> None:
        """Running text, whose words are found by a plain rule."""

    @property
    def words(self) -> int:
        """Running words so far."""

    def counts(self, least: int, contexts: int, reach: int) -> WindowCounts:
        """Of words that occur so often, near the most frequent ones."""

class BrownClusters:
    """Brown's algorithm, word by word and then merger by merger."""

    def __init__(self, bigrams: Bigrams, clusters: int) -> None: ...
    def add_words(self, count: int) -> bool:
        """Bring in more words; False when all are in."""

    def join(self, count: int) -> bool:
        """After all words, merge what is left; False when there is one."""

    @property
    def words_done(self) -> int: ...
    @property
    def active(self) -> int:
        """Clusters that are there now."""

    def mergers(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]:
        """(kept, absorbed, loss in bits × 2²⁰), one after the other."""
