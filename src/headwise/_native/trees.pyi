"""Inference over dependency trees."""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray

class NoTreeError(ValueError):
    pass

def decode_projective(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]:
    """
    The best projective tree: (heads, score), score −inf when there is none.
    """

def decode_nonprojective(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]:
    """The best tree: (heads, score), score −inf when there is none."""

class Scores:
    def __init__(self, **kwargs: Any) -> None: ...

class Marginals:
    def __init__(self, **kwargs: Any) -> None: ...

def are_scores(
    table: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)], largest: float
) -> bool: ...
def sibling_count(nodes: int) -> int: ...
def pack_siblings(
    triples: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
def unpack_siblings(
    packed: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    triples: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu")],
) -> None: ...

class Distribution:
    @property
    def words(self) -> int: ...

def argmax(
    problems: Sequence[Distribution], threads: int
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    list[float],
]: ...
def top_k(
    problems: Sequence[Distribution], k: int, threads: int
) -> tuple[
    tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        list[float],
    ],
    list[int],
]: ...
def log_partition(problems: Sequence[Distribution], threads: int) -> list[float]: ...
def entropy(problems: Sequence[Distribution], threads: int) -> list[float]: ...
def count_modulo(problems: Sequence[Distribution], prime: int, threads: int) -> list[int]: ...
def marginals(problems: Sequence[Distribution], tables: Sequence[Marginals], threads: int) -> None: ...
def log_prob(
    problems: Sequence[Distribution],
    heads: Sequence[Sequence[int]],
    labels: Sequence[Sequence[int]],
    senses: Sequence[Sequence[int]],
    threads: int,
) -> list[float]: ...
def kl_divergence(
    problems: Sequence[Distribution], others: Sequence[Distribution], threads: int
) -> list[float]: ...
def sample(
    problems: Sequence[Distribution], k: int, seeds: Sequence[int], distinct: bool, threads: int
) -> tuple[
    tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        list[float],
    ],
    list[int],
]: ...

class FactorizationInfo:
    @property
    def tables(self) -> dict[str, Any]:
        """
        The tables besides arcs, and how many positions each tells apart; 0: none.
        """

    @property
    def is_dense(self) -> bool:
        """Whether tables are over all arcs, and not over candidates."""

    @property
    def head_view(self) -> tuple[str, int] | None:
        """
        Where head automata look at the grandparent, and how many modifiers back; None where there are none: no search for crossing arcs has this one.
        """

FACTORIZATIONS: dict[str, Any] = ...

PART_NODES: dict[str, Any] = ...

PARTS_OF_POSITIONS: dict[str, Any] = ...

def distribution(
    factorization: str, scores: Scores, single_root: bool, candidates: Candidates | None = None
) -> Distribution: ...
def senses(scores: Scores, single_root: bool) -> Distribution: ...
def spanning(scores: Scores, single_root: bool) -> Distribution: ...

class Candidates:
    def __init__(
        self,
        mask: Annotated[
            NDArray[numpy.bool_], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
        senses: Sequence[int] | None = None,
    ) -> None: ...
    def part_nodes(self, table: str) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]: ...
    def part_places(
        self,
        table: str,
        nodes: Annotated[
            NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def padded_is_tree(
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    results: Annotated[NDArray[numpy.bool_], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_argmax(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_argmax(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_sums(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    log_partition: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")],
    marginals: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")] | None,
) -> None: ...
@overload
def padded_sums(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    log_partition: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
    marginals: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")] | None,
) -> None: ...
@overload
def padded_derivatives(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    direction: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    second: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)] | None,
    results: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_derivatives(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    direction: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    second: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None,
    results: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_top_k(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    k: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_top_k(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    k: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_label_top_k(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    threads: int,
    trees: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    tree_scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    labels: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_label_top_k(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    threads: int,
    trees: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    tree_scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    labels: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    best: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_sample(
    scores: Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    k: int,
    seed: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
) -> None: ...
@overload
def padded_sample(
    scores: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
    projective: bool,
    single_root: bool,
    threads: int,
    k: int,
    seed: int,
    heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
) -> None: ...

class PaddedParts:
    def __init__(
        self,
        arcs: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
        tables: Sequence[
            Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None
        ],
        candidates: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)] | None,
        lengths: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
        single_root: bool,
    ) -> None: ...
    def argmax(
        self,
        threads: int,
        heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
        best: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
    ) -> None: ...
    def sums(
        self,
        threads: int,
        log_partition: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
        arcs: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
        tables: Sequence[Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")] | None],
    ) -> None: ...
    def derivatives(
        self,
        threads: int,
        direction: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None,
        directions: Sequence[
            Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None
        ],
        second: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None,
        seconds: Sequence[
            Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)] | None
        ],
        arcs: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")],
        tables: Sequence[Annotated[NDArray[numpy.float64], dict(order="C", device="cpu")] | None],
    ) -> None: ...
    def sample(
        self,
        threads: int,
        k: int,
        seed: int,
        heads: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu")],
    ) -> None: ...
