"""Label sequences: tags, and the scripts of lemmas."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.parsing
import headwise._native.scoring
import headwise._native.treebank

class Lexicon:
    """Which labels a word may have."""

    def __init__(
        self,
        keys: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        begins: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        label_count: int,
    ) -> None: ...
    def candidates(self, form: str, word_context: str = "", guess_context: str = "") -> list[int]:
        """The labels seen with the word; else a guess."""

    def guess(self, form: str, context: str = "") -> list[int]:
        """The labels of a word as if it was never seen."""

    @staticmethod
    def word_key(form: str, context: str = "") -> int: ...
    @staticmethod
    def shape_key(form: str, context: str = "") -> int: ...
    @staticmethod
    def suffix_keys(form: str, context: str = "") -> list[int]:
        """Of its endings, longest first."""

def viterbi(
    widths: Sequence[int],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[list[int], float]:
    """
    The best sequence of a chain with widths[i] candidates at word i, and its score.

    scores holds s_i(v, u, t) word after word, t running fastest; one start candidate stands before the words.
    """

def k_best(
    widths: Sequence[int],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    k: int,
) -> list[tuple[list[int], float]]:
    """The k best sequences of such a chain, best first."""

def best_through(
    widths: Sequence[int],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    word: int,
    candidate: int,
) -> tuple[list[int], float]:
    """
    The best sequence of such a chain in which a word has a candidate, and its score.
    """

def edge_marginals(
    widths: Sequence[int],
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]]:
    """The log-partition of such a chain and the probability of each edge."""

class SequenceShape:
    """The labels and features of a sequence model."""

    def __init__(
        self,
        labels: headwise._native.treebank.Sentence,
        templates: Sequence[str],
        bits: int,
        words: headwise._native.scoring.WordView | None = None,
    ) -> None: ...

class SequenceCounts:
    """What happened during a stretch of training."""

    @property
    def words(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def loss(self) -> float: ...

class SequenceTrainer:
    """Perceptron, MIRA and log-linear training of a sequence model."""

    def __init__(self, shape: SequenceShape, learner: str, rate: float = 0.0, decay: float = 0.0) -> None: ...
    def add(
        self,
        sentence: headwise._native.treebank.Sentence,
        candidates: Sequence[Sequence[int]],
        gold: Sequence[int],
        forgetting: Sequence[float],
    ) -> None: ...
    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> SequenceCounts:
        """
        One pass over examples; each step needs the one before, whatever the threads.
        """

    def gradient(
        self, example: int
    ) -> tuple[
        float,
        Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]:
        """-log P(gold) of an example, and its gradient as (indices, values)."""

    def averaged(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...

class Tagger:
    """Tags and lemmas for sentences."""

    def __init__(
        self,
        shape: SequenceShape,
        lexicon: Lexicon,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        labels: headwise._native.treebank.Sentence,
        upos: bool,
        xpos: bool,
        feats: bool,
    ) -> None: ...
    def add_lemmas(
        self,
        shape: SequenceShape,
        lexicon: Lexicon,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        scripts: Sequence[str],
    ) -> None: ...
    def use_network(self, parser: headwise._native.parsing.Parser, weight: float) -> None:
        """
        From now on tags are chosen with what the parser's network says of them, times a weight.
        """

    def tag(
        self, sentences: Sequence[headwise._native.treebank.Sentence], threads: int = 1
    ) -> list[headwise._native.treebank.Sentence]: ...
    def probabilities(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        column: str,
        temperatures: Sequence[float],
        threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        Of what each word has in a column, at each temperature: one number a word, temperature after temperature.
        """

    def with_labels(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        labels: Sequence[Sequence[int]],
        threads: int = 1,
    ) -> list[headwise._native.treebank.Sentence]:
        """The sentences with these tags, and with lemmas of them."""

    def detours(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        margin: float,
        most: int,
        threads: int = 1,
    ) -> list[list[tuple[list[int], float]]]:
        """
        Of each sentence the best labels and, for other labels of single words, the best sequences with them.
        """

    def score_labels(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        labels: Sequence[Sequence[int]],
        threads: int = 1,
    ) -> list[float]: ...
    def top_k(self, sentence: headwise._native.treebank.Sentence, k: int) -> list[tuple[list[int], float]]:
        """The k best label sequences and their scores."""

    def marginals(self, sentence: headwise._native.treebank.Sentence) -> list[list[tuple[int, float]]]:
        """For each word, its candidate labels and their probabilities."""

    def lattice(
        self, sentence: headwise._native.treebank.Sentence
    ) -> tuple[list[list[int]], Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]]:
        """The candidates of each word, and the scores that `viterbi` takes."""

def apply_lemma_script(script: str, form: str) -> str: ...
