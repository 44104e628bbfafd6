"""What fills the tables of scores beside features."""

from collections.abc import Sequence, Set
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

import headwise._native.treebank

class WordView:
    """How a model looks at words, beyond what the sentence says of them."""

    def __init__(self, *, known: Sequence[str] | None = None, ignored: Sequence[str] = []) -> None: ...
    def add_clustering(self, lines: bytes, near: Set[str], far: Set[str]) -> None:
        """
        Paths and words; the nodes of a contour near the root, and of one farther down.
        """

    def set_vectors(
        self,
        words: bytes,
        numbers: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        width: int,
    ) -> None:
        """Words, each with a line break, and a row of numbers for each."""

class ScorerShape:
    """What a scorer computes, without its weights."""

class LabelRules:
    """Rules that the labels of a tree obey together, as tables."""

    def __init__(
        self,
        *,
        label_count: int,
        rule_count: int,
        tags: Sequence[str],
        by_tag: Sequence[int],
        by_parent: Sequence[int],
        excuses: Sequence[int],
        head_on_left: Sequence[int],
        kinds: Sequence[int],
        nominal: Sequence[int],
        one_subject: int,
        one_object: int,
        no_oblique: int,
        goeswith: int,
        leaf_tag: int,
    ) -> None: ...
    def count_broken(self, sentence: headwise._native.treebank.Sentence, labels: Sequence[int]) -> list[int]:
        """
        How often labels of the sentence's tree break each rule; −1 is no label.
        """

    def choose(
        self, sentence: headwise._native.treebank.Sentence, options: Sequence[Sequence[tuple[int, float]]]
    ) -> list[int]:
        """
        The best labels of its tree that break the fewest rules, from labels and scores of each word.
        """

class RoleShape(ScorerShape):
    """The roles that words may have, and the features that choose them."""

    def __init__(
        self,
        *,
        tags: Sequence[str],
        arc_limits: Sequence[int],
        role_count: int,
        role_arcs: Sequence[int],
        templates: Sequence[str],
        bits: int,
    ) -> None: ...

class WholeTreeFeatures:
    """Which features of whole trees are scored."""

    def __init__(
        self,
        *,
        families: Sequence[str],
        coarse: str,
        fine: str,
        word: str,
        conjunctions: Sequence[str],
        adpositions: Sequence[str],
        kin: Sequence[Sequence[str]],
    ) -> None: ...

class WholeTreeShape(ScorerShape):
    """Features of whole trees as a scorer."""

    def __init__(self, features: WholeTreeFeatures, *, bits: int, restarts: int) -> None: ...

def features_of_trees(
    shape: WholeTreeFeatures,
    sentence: headwise._native.treebank.Sentence,
    heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bits: int,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
]:
    """
    Weights of the features of several trees, one after the other, and where those of each tree begin.
    """

class WholeTree:
    """A tree scored by features of the whole tree alone."""

    def __init__(
        self,
        shape: WholeTreeFeatures,
        sentence: headwise._native.treebank.Sentence,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def assign(
        self,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def score(self) -> float: ...
    def can_move(self, m: int, h: int, projective: bool = False) -> bool: ...
    def move(self, m: int, h: int) -> float: ...
    def hashes(
        self,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C")]:
        """Features but for kin, by their 64-bit hashes."""

    def features(
        self,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")]:
        """Indices of the weights of all features."""

    def kin(
        self,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> list[tuple[int, int, int, int, int]]:
        """(kind, words …) of the parts of kin.hpp."""

class TensorShape(ScorerShape):
    """A low-rank tensor as a scorer of arcs."""

    def __init__(
        self,
        *,
        templates: Sequence[str],
        vocabulary: Annotated[
            numpy.typing.NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        rank: int,
        weight: float,
        vectors: int = 0,
        labels: int = 0,
    ) -> None: ...
    @property
    def stride(self) -> int:
        """Numbers in a row; those beyond the rank are zero."""

    @property
    def rows(self) -> int:
        """Of the tables of heads and of modifiers."""

    @property
    def first_vector_row(self) -> int: ...
    def rows_of(
        self, sentence: headwise._native.treebank.Sentence, words: WordView | None = None
    ) -> list[list[int]]:
        """
        The rows that are added up for the root and for each word; those of vectors are not there.
        """

    def project(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        modifiers: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        words: WordView | None = None,
    ) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
        """Uφ and Vφ of the root and of each word, one after the other."""

class NetworkShape:
    """What a network computes, without its weights."""

    def __init__(
        self,
        vocabulary: Annotated[
            numpy.typing.NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        *,
        vectors: int,
        lstm: int,
        layers: int,
        arcs: int,
        labels: int,
        label_count: int,
        given: int = 0,
        pieces: int = 0,
        tags: int = 0,
        tag_count: int = 0,
    ) -> None: ...
    def vector_rows(self, sentence: headwise._native.treebank.Sentence) -> list[list[int]]:
        """
        The rows of the vectors that are added up for the root and for each word.
        """

    @property
    def weight_count(self) -> int: ...
    @property
    def vector_count(self) -> int: ...

class NetworkScorerShape(ScorerShape):
    """A network as a scorer."""

    def __init__(self, network: NetworkShape, *, weight: float, bits: int = 32, member: int = 1) -> None: ...

def quantize_network(
    shape: NetworkShape,
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    vectors: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> dict[str, Any]:
    """
    The tables of a network in bytes: network, network_scales, vectors, vector_scales.
    """

def restore_network(
    shape: NetworkShape, tables: dict[str, Any]
) -> tuple[
    Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
]:
    """
    The floats that the tables of a network in bytes stand for: of layers, and of vectors.
    """

def byte_kernels() -> list[str]:
    """
    The ways to multiply bytes that this processor has, the quickest first.
    """

def multiply_bytes(
    kernel: str,
    rows: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    matrix: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    inner: int,
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
    """
    The product of two matrices of floats, in bytes: row by row, with `inner` columns and rows.
    """

def log_probabilities(
    scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
    """scores - log Σ exp(scores), as networks in bytes do it."""

def gate_outputs(
    gates: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    width: int,
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
    """
    What an LSTM in bytes makes of the sums of its gates (input, forget, output, candidate), position by position.
    """
