"""Words clustered by the company they keep."""

from collections.abc import Sequence
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

    def __init__(self, across_lines: bool = False) -> None:
        """Whether the first word of a line follows the last one before."""

    def add(self, lines: bytes, separator: str = " ") -> None:
        """Lines of words."""

    def add_text(self, text: bytes) -> None:
        """Running text, whose words are found by a plain rule."""

    @property
    def words(self) -> int:
        """Running words so far."""

    def add_counts(self, other: BigramCounter) -> None:
        """What another counted."""

    def add_table(
        self,
        words: Sequence[str],
        counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        pairs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None:
        """
        Words, how often each came, and (first, second, count) one after the other.
        """

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
        """Lines of words."""

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
        """(kept, absorbed), one after the other."""

    def losses(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        The information that each merger lost, in bits of all bigrams together.
        """

class ExchangeClusters:
    """Words go, one after the other, where they gain most."""

    def __init__(self, bigrams: Bigrams, clusters: int) -> None: ...
    def begin_with(
        self,
        of_words: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """
        Before the first sweep: clusters of all words that were found elsewhere; none may be empty.
        """

    def place_words(self, count: int) -> bool:
        """More words find a place; False at the end of a sweep."""

    def moved(self) -> int:
        """Words that have moved since this was last asked."""

    @property
    def words_done(self) -> int:
        """In this sweep."""

    def of_words(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")]:
        """The cluster of every word, numbered by most frequent words."""

def cluster_bigrams(
    bigrams: Bigrams,
    of_words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Bigrams:
    """
    Clusters as words: which stand beside which. Numbered by their most frequent words.
    """

class WordLines:
    """A text as lines of numbers of words."""

    @property
    def words(self) -> list[str]:
        """By falling frequency."""

    @property
    def counts(self) -> list[int]:
        """Of these words, and then of all that are too rare, which are one."""

    @property
    def lines(self) -> int: ...
    @property
    def running(self) -> int:
        """Running words."""

    def numbers(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]:
        """The text: numbers of words, and len(words) for one that is too rare."""

    def begins(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]:
        """Where each line begins in it, and where the last ends."""

class WordLineCollector:
    """Collects lines of words."""

    def __init__(self) -> None: ...
    def add(self, lines: bytes, separator: str = " ") -> None: ...
    def add_text(self, text: bytes) -> None:
        """Running text, whose words are found by a plain rule."""

    @property
    def words(self) -> int:
        """Running words so far."""

    @property
    def vocabulary(self) -> int:
        """Different words so far."""

    def lines(self, least: int) -> WordLines:
        """Words that occur less often than this are one."""

class HiddenMarkovModel:
    """Probabilities of states and words. It does not change."""

    @staticmethod
    def of_arrays(
        states: int,
        words: int,
        start: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        stop: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        transitions: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        emissions: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> HiddenMarkovModel: ...
    @staticmethod
    def of_groups(
        lines: WordLines,
        groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        count: int,
        spread: float,
        smoothing: float,
    ) -> HiddenMarkovModel:
        """
        As if every word were in the state of its group (−1: in all), but for a share that is spread evenly.
        """

    @property
    def states(self) -> int: ...
    @property
    def words(self) -> int:
        """With the word for all that are too rare."""

    @property
    def start(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]: ...
    @property
    def stop(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]: ...
    @property
    def transitions(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
        """From × to."""

    @property
    def emissions(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
        """Words × states."""

    @property
    def mass(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        How often each state is expected in the text that the model was learned from.
        """

    def split(self, noise: float, seed: int) -> HiddenMarkovModel:
        """State s becomes 2 s and 2 s + 1."""

    def merged(
        self,
        target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        states: int,
    ) -> HiddenMarkovModel:
        """Each state becomes, or becomes a part of, that of the number given."""

    def posteriors(
        self,
        line: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
        """Words × states."""

    def best_states(
        self,
        line: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]:
        """The most probable sequence of states."""

class ExpectationStep:
    """What is expected in a text under a model."""

    def __init__(
        self, model: HiddenMarkovModel, lines: WordLines, threads: int = 1, merge_losses: bool = False
    ) -> None: ...
    def advance(self) -> bool:
        """Some lines more; False when all are done."""

    @property
    def progress(self) -> float:
        """Between 0 and 1."""

    @property
    def log_likelihood(self) -> float:
        """Of the text under the model, in nats."""

    def most_likely(self, smoothing: float) -> HiddenMarkovModel:
        """The model that the expected counts make."""

    def state_of_words(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]:
        """The state that each word is most often expected in."""

    def merge_losses(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """What merging states 2 k and 2 k + 1 would lose, roughly and in nats."""
