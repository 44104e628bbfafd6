"""Features, scoring, decoding and learning."""

import enum
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.treebank

LABEL_ROW_PADDING: int = 256

class Decoder(enum.Enum):
    """Which tree is given."""

    map = 0

    minimum_risk = 1

    dual = 2

    max_z = 3

    climb = 4

    sample = 5

class ParserShape:
    """What a parser computes, without its weights."""

    def __init__(
        self,
        *,
        tags: Sequence[str],
        arc_limits: Sequence[int],
        arc_templates: Sequence[str],
        label_templates: Sequence[str],
        label_count: int,
        label_arcs: Sequence[int],
        label_mode: str,
        projective: bool,
        single_root: bool,
        arc_bits: int,
        label_bits: int,
    ) -> None: ...

class Parser:
    """A shape and its weights."""

    def __init__(
        self,
        shape: ParserShape,
        arc_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        label_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def parse(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        threads: int = 1,
        decoder: Decoder = Decoder.map,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]: ...
    def arc_scores(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def arc_features(
        self, sentence: headwise._native.treebank.Sentence, head: int, modifier: int
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C")]: ...
    def judge(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        *,
        temperature: float,
        label_temperature: float,
        background: float,
        adjustment: Sequence[float],
        label_background: float = 0.0,
        threads: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]:
        """
        Parses, or the trees given, with the probabilities of their arcs and labels.
        """

    def arc_probabilities(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        *,
        temperature: float,
        background: float,
        adjustment: Sequence[float],
        threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        The probability of every arc, [h * (n + 1) + m], one sentence after the other.
        """

    def probabilities_at(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        *,
        temperatures: Sequence[float],
        label_temperatures: Sequence[float],
        threads: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]:
        """
        Arcs and labels of given trees at several temperatures, and the arcs under the background.
        """

class TrainingExample:
    """A sentence and its tree, ready to be learned from."""

    def __init__(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        shape: ParserShape,
    ) -> None: ...
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

class DivergedError(ArithmeticError):
    pass

class Learner:
    """What a user chooses about a learner."""

    def __init__(
        self,
        name: str,
        *,
        aggressiveness: float,
        step: float,
        damping: float,
        label_step: float,
        label_damping: float,
        l2: float,
        cost: float,
        negligible: float,
    ) -> None: ...

class OnlineTrainer:
    """Training of a first-order parser, one example after the other."""

    def __init__(self, shape: ParserShape, learner: Learner) -> None: ...
    def add(self, example: TrainingExample) -> None: ...
    def start_labels(
        self,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None:
        """The weights of labels to start from, instead of zeros."""

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

class GlobalShape:
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

def features_of_trees(
    shape: GlobalShape,
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

class GlobalTree:
    """A tree scored by features of the whole tree alone."""

    def __init__(
        self,
        shape: GlobalShape,
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

class NetworkShape:
    """What a network computes, without its weights."""

    def __init__(
        self,
        vocabulary: Annotated[
            NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        *,
        vectors: int,
        lstm: int,
        layers: int,
        arcs: int,
        labels: int,
        label_count: int,
    ) -> None: ...
    def vector_rows(self, sentence: headwise._native.treebank.Sentence) -> list[list[int]]:
        """
        The rows of the vectors that are added up for the root and for each word.
        """

    @property
    def weight_count(self) -> int: ...
    @property
    def vector_count(self) -> int: ...

def collect_vocabulary(
    examples: Sequence[TrainingExample], at_least: int
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")]:
    """The atoms of words that occur at least so often."""

class NetworkTrainer:
    """Learning a network by Adam."""

    def __init__(
        self,
        shape: NetworkShape,
        *,
        total: int,
        seed: int,
        rate: float = 0.002,
        dropout: float = 0.25,
        batch: int = 16,
    ) -> None: ...
    def add(self, example: TrainingExample) -> None: ...
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

class RoleShape:
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

class RoleTrainer:
    """Learning what roles words have, by MIRA."""

    def __init__(self, shape: RoleShape, *, aggressiveness: float) -> None: ...
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
        shape: RoleShape,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def guess(
        self, example: TrainingExample
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...

class PrunerShape:
    """What a pruner computes, without its weights."""

    def __init__(
        self,
        *,
        tags: Sequence[str],
        arc_limits: Sequence[int],
        templates: Sequence[str],
        bits: int,
        projective: bool,
        single_root: bool,
        threshold: float,
        most_heads: int,
    ) -> None: ...

class Pruner:
    """Drops the arcs that a first-order log-linear model finds unlikely."""

    def __init__(
        self,
        shape: PrunerShape,
        weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def prune(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")]: ...
    def marginals(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...

class LogLinearTrainer:
    """Conditional likelihood of first-order trees."""

    def __init__(self, shape: PrunerShape, step: float) -> None: ...
    def train(self, examples: Sequence[TrainingExample]) -> TrainingCounts: ...
    def averaged(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]: ...

class HigherOrderShape:
    """A factorization, its templates and its pruner."""

    def __init__(
        self,
        base: ParserShape,
        *,
        factorization: str,
        part_templates: Mapping[str, Sequence[str]],
        pruner: PrunerShape,
        global_features: GlobalShape | None = None,
        global_bits: int = 4,
        global_restarts: int = 0,
        roles: RoleShape | None = None,
        network: NetworkShape | None = None,
        network_weight: float = 0.0,
    ) -> None: ...

class GlobalTrainer:
    """
    Learning features of whole trees on top of parsers that have not seen the example.
    """

    def __init__(self, shape: HigherOrderShape, *, aggressiveness: float) -> None: ...
    def add_parser(
        self,
        arc_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def add(self, example: TrainingExample, pruner: Pruner, parser: int) -> None: ...
    def train(
        self,
        order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        threads: int = 1,
    ) -> TrainingCounts: ...
    def averaged(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")]]: ...
    def state(self) -> dict[str, Any]: ...
    def restore(self, state: dict[str, Any]) -> None: ...

class HigherOrderParser:
    """A higher-order shape and its weights."""

    def __init__(
        self,
        shape: HigherOrderShape,
        arc_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        label_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        pruner_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        global_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        role_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        network_weights: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        vectors: Annotated[
            NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def parse(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        threads: int = 1,
        decoder: Decoder = Decoder.map,
        iterations: int = 20000,
        seed: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]: ...
    def label_tree(
        self,
        sentence: headwise._native.treebank.Sentence,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")]: ...
    def arc_scores(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def part_scores(self, sentence: headwise._native.treebank.Sentence) -> dict[str, Any]: ...
    def expansion(
        self, sentence: headwise._native.treebank.Sentence
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]: ...
    def judge(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        *,
        temperature: float,
        label_temperature: float,
        background: float,
        adjustment: Sequence[float],
        label_background: float = 0.0,
        threads: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C")],
    ]:
        """
        Parses, or the trees given, with the probabilities of their arcs and labels.
        """

    def arc_probabilities(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        *,
        temperature: float,
        background: float,
        adjustment: Sequence[float],
        threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")]:
        """
        The probability of every arc, [h * (n + 1) + m], one sentence after the other.
        """

    def probabilities_at(
        self,
        sentences: Sequence[headwise._native.treebank.Sentence],
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        *,
        temperatures: Sequence[float],
        label_temperatures: Sequence[float],
        threads: int = 1,
    ) -> tuple[
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ]:
        """
        Arcs and labels of given trees at several temperatures, and the arcs under the background.
        """

class HigherOrderTrainer:
    """Training of a higher-order parser, one example after the other."""

    def __init__(
        self,
        shape: HigherOrderShape,
        learner: Learner,
        rival: str = "tree",
        samples_a_word: int = 1,
        pairs: bool = True,
        gold: bool = True,
    ) -> None: ...
    def add(self, example: TrainingExample, pruner: Pruner) -> tuple[int, int]:
        """
        Add an example; returns how many arcs survived, and how many of them gold.
        """

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

class DualArcTrainer:
    """Exponentiated gradient for a first-order parser."""

    def __init__(
        self,
        shape: ParserShape,
        *,
        objective: str,
        regularization: float,
        start: float,
        rate: float,
        negligible: float,
        labels: Learner,
    ) -> None: ...
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
    def add(self, example: TrainingExample) -> None: ...

class DualPartTrainer:
    """Exponentiated gradient for a higher-order parser."""

    def __init__(
        self,
        shape: HigherOrderShape,
        *,
        objective: str,
        regularization: float,
        start: float,
        rate: float,
        negligible: float,
        labels: Learner,
    ) -> None: ...
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
    def add(self, example: TrainingExample, pruner: Pruner) -> tuple[int, int]:
        """
        Add an example; returns how many arcs survived, and how many of them gold.
        """
