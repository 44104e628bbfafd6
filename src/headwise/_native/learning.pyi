"""From gold trees to weights."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.parsing
import headwise._native.scoring
import headwise._native.treebank

class DivergedError(ArithmeticError):
    pass

class TrainingExample:
    """A sentence and its tree, ready to be learned from."""

    def __init__(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        shape: headwise._native.parsing.ParserShape,
    ) -> None: ...
    @property
    def heads(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...
    @property
    def labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...
    def set_roles(
        self,
        roles: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None:
        """What each word is taken to be, for templates that ask for it."""

class TrainingCounts:
    """What happened during a stretch of training."""

    @property
    def words(self) -> int: ...
    @property
    def mistakes(self) -> int:
        """Words that got a wrong head."""

    @property
    def wrong_heads(self) -> int: ...
    @property
    def wrong_labels(self) -> int: ...
    @property
    def loss(self) -> float: ...
    @property
    def guessing(self) -> float:
        """The loss of guessing, at most; 0 where losses do not compare."""

class Learner:
    """What a user chooses about a learner."""

    def __init__(
        self,
        name: str,
        *,
        aggressiveness: float = 0.0,
        step: float = 0.0,
        damping: float = 0.0,
        label_step: float = 0.0,
        label_damping: float = 0.0,
        row_step: float = 0.0,
        row_damping: float = 0.0,
        l2: float = 0.0,
        cost: float = 0.0,
        negligible: float = 0.0,
        share: float = 1.0,
        at_once: bool = False,
    ) -> None: ...

class Trainer:
    """Training of a parser, one example after the other."""

    def __init__(
        self,
        shape: headwise._native.parsing.ParserShape,
        learner: Learner,
        *,
        rival: str = "tree",
        samples_a_word: int = 1,
        pairs: bool = True,
        gold: bool = True,
        keeps_chains: bool = False,
    ) -> None: ...
    def add(
        self, example: TrainingExample, pruner: headwise._native.parsing.Pruner | None = None
    ) -> tuple[int, int]:
        """
        Add an example; returns how many arcs survived pruning, and how many of them gold.
        """

    def freeze_rare(self, least: int) -> None:
        """
        Features of trees that occur less often than this in the gold trees are not learned.
        """

    def start(
        self,
        table: str,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """The weights of a table to start from, instead of zeros."""

    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> TrainingCounts: ...
    def averaged(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    ]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...
    def touched_weights(
        self, learner: Learner
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")],
    ]: ...
    def objective(
        self,
        learner: Learner,
        arcs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        arc_weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        labels: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        label_weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> tuple[
        float,
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]: ...

class EgTrainer:
    """Training of a parser by exponentiated gradient."""

    def __init__(
        self,
        shape: headwise._native.parsing.ParserShape,
        *,
        objective: str,
        regularization: float,
        start: float,
        rate: float,
        negligible: float,
        labels: Learner,
    ) -> None: ...
    def add(
        self, example: TrainingExample, pruner: headwise._native.parsing.Pruner | None = None
    ) -> tuple[int, int]:
        """
        Add an example; returns how many arcs survived pruning, and how many of them gold.
        """

    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
        online: bool = True,
    ) -> TrainingCounts: ...
    def batch_step(self) -> bool:
        """
        One step of all sentences at once; False where it failed, was taken back and the rate halved.
        """

    def objectives(self) -> tuple[float, float]:
        """
        The primal f(w) and the dual Q(α), both to be minimized; their sum is the gap.
        """

    @property
    def rate(self) -> float:
        """Of batch steps."""

    @property
    def mean_rate(self) -> float:
        """Of the single sentences."""

    def averaged(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    ]:
        """
        The weights of arcs, averaged over single steps since start_averaging(), and those of labels.
        """

    def start_averaging(self) -> None: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...

class WholeTreeTrainer:
    """
    Learning features of whole trees on top of parsers that have not seen the example.
    """

    def __init__(self, shape: headwise._native.parsing.ParserShape, *, aggressiveness: float) -> None: ...
    def add_parser(
        self,
        arc_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def add(self, example: TrainingExample, pruner: headwise._native.parsing.Pruner, parser: int) -> None: ...
    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> TrainingCounts: ...
    def averaged(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...

class RoleTrainer:
    """Learning what roles words have, by MIRA."""

    def __init__(self, shape: headwise._native.scoring.RoleShape, *, aggressiveness: float) -> None: ...
    def add(
        self,
        example: TrainingExample,
        roles: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None:
        """-1 stands for a role that is not known."""

    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> TrainingCounts: ...
    def averaged(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]: ...

class Roles:
    """Guesses the roles of words."""

    def __init__(
        self,
        shape: headwise._native.scoring.RoleShape,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def guess(
        self, example: TrainingExample
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...

def collect_word_features(
    templates: Sequence[str], examples: Sequence[TrainingExample], at_least: int
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]:
    """Features of words that occur at least so often, by their keys."""

def unfold_features(
    model: headwise._native.parsing.ParserShape,
    tensor: headwise._native.scoring.TensorShape,
    examples: Sequence[TrainingExample],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rows: int,
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
    """
    Weights of arcs that are entries of the tensor, [slot, row of the head, row of the modifier]; of the first rows.
    """

def collect_vocabulary(
    examples: Sequence[TrainingExample],
    at_least: int,
    pieces: int = 0,
    pieces_at_least: int = 1,
    annotations: bool = True,
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]:
    """
    The atoms of words that occur at least so often, and the pieces of words, of up to `pieces` characters.

    Without annotations, tags and lemmas are no atoms.
    """

def word_atoms(
    sentence: headwise._native.treebank.Sentence, pieces: int
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
]:
    """
    Of the root and all words, as they are without tags: the keys of their atoms, as vocabularies have them, the kind of each (as `network_atoms` has it), and how many each position has.
    """

def network_atoms(
    shape: headwise._native.scoring.NetworkShape, examples: Sequence[TrainingExample]
) -> tuple[
    Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
]:
    """
    Of the root and all words of all examples, one after the other: the rows of their vectors, the kind of each (0: the word, 1: its tags, 2: its spelling, 3: its clusters), and how many each position has.
    """

def given_vectors(
    shape: headwise._native.scoring.NetworkShape, examples: Sequence[TrainingExample]
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]:
    """
    Of the root and all words of all examples, as the network reads them: the vectors that come with words.
    """

class NetworkTrainer:
    """Learning a network by Adam."""

    def __init__(
        self,
        shape: headwise._native.scoring.NetworkShape,
        tag_pieces: Sequence[Sequence[int]] = [],
        *,
        total: int,
        seed: int,
        rate: float = 0.002,
        dropout: float = 0.25,
        batch: int = 16,
    ) -> None: ...
    def add(
        self,
        example: TrainingExample,
        tags: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
    ) -> None:
        """A sentence, and the tags of its words where the network scores them."""

    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> TrainingCounts: ...
    def averaged(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    ]:
        """
        The weights and the vectors as they are: the rate falls to zero, so there is nothing to average.
        """

    def loss(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> tuple[
        float,
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    ]:
        """Of examples, without dropout: the loss and its gradients."""

    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...
