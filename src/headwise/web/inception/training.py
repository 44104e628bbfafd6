"""Learning from annotators: a parser of their own, which is used once it is better than the first one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.training.settings import of_features
from headwise.treebank import Sentence, check_tree
from headwise.trees.factorizations import Factorization
from headwise.web.inception.documents import read_sentences
from headwise.web.inception.protocol import TrainRequest, Wanted
from headwise.web.inception.recommender import Recommender

LEAST_SENTENCES = 20
"""Nothing is learned from fewer annotated sentences."""
HELD_OUT = 5
"""Every so manieth sentence is kept back to see whether what was learned is worth anything."""


@dataclass(frozen=True)
class Learning:
    """How parsers are trained.

    Attributes:
        treebank: sentences to learn from beside those of annotators.
        factorization: the parts that features see, where trees are whole.
        settings: of training (`headwise.training.TrainingSettings`), beside these.
        folder: where trained parsers are kept, and found again by the next run; None: in memory alone.
        tell: is told how it went.
    """

    treebank: Sequence[Sentence] = ()
    factorization: Factorization = "carreras"
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    threads: int = 1
    folder: Path | None = None
    tell: Callable[[str], None] = lambda text: None

    def train(self, sentences: Sequence[Sentence], *, calibrate: bool) -> Parser:
        """Words without a head are summed over, which the learner ``log-linear`` can.

        Where there are any, the parser scores arcs alone: above first order, the arcs that pruning leaves
        need not hold a tree with the heads that are known.
        """
        everything = [*self.treebank, *sentences]
        whole = all((sentence.heads >= 0).all() for sentence in everything)
        return Parser.train(
            everything,
            settings=of_features(
                self.factorization if whole else "arc",
                learner="log-linear",
                seed=self.seed,
                threads=self.threads,
                calibrate=calibrate,
                labels="separate" if _is_labelled(everything) else "none",
                **self.settings,
            ),
        )


class Recommenders:
    """The recommender of each annotator: the first one for all, until training has made a better one."""

    def __init__(self, first: Recommender, learning: Learning | None = None) -> None:
        self._first, self._learning = first, learning or Learning()
        self._trained: dict[Wanted, Recommender] = {}
        self._busy = threading.Lock()

    def of(self, wanted: Wanted) -> Recommender:
        """That which is to suggest what is wanted."""
        if wanted not in self._trained and (path := self._file(wanted)) is not None and path.exists():
            self._trained[wanted] = self._first.with_parser(Parser.load(path))
        return self._trained.get(wanted, self._first)

    def learn_in_background(self, request: TrainRequest) -> bool:
        """Begin to learn; false where that is under way already."""
        if not self._busy.acquire(blocking=False):
            return False
        threading.Thread(target=self._learn_and_tell, args=(request,), daemon=True).start()
        return True

    def wait(self) -> None:
        """Until what has begun is done."""
        with self._busy:
            pass

    def _learn_and_tell(self, request: TrainRequest) -> None:
        who = f"project {request.wanted.project}, {request.wanted.user}"
        try:
            self._learning.tell(f"{who}: {self._learn(request)}")
        except HeadwiseError as error:
            self._learning.tell(f"{who}: not trained: {error}")
        except Exception as error:  # a thread has nobody else to tell
            self._learning.tell(f"{who}: not trained: {error!r}")
            raise
        finally:
            self._busy.release()

    def _learn(self, request: TrainRequest) -> str:
        """Train, use the result if it does better on sentences that it has not seen, and say so."""
        wanted, learning = request.wanted, self._learning
        sentences = self._annotated(request)
        if len(sentences) < LEAST_SENTENCES:
            return f"{len(sentences)} annotated sentences; training begins with {LEAST_SENTENCES}"
        held_out = sentences[::HELD_OUT]
        rest = [sentence for i, sentence in enumerate(sentences) if i % HELD_OUT]
        before = accuracy(self._first.model.parser, held_out)
        after = accuracy(learning.train(rest, calibrate=False), held_out)
        compared = (
            f"{len(sentences)} annotated sentences, on a fifth of them {after:.1%} right against {before:.1%}"
        )
        if after <= before:
            return f"{compared}: the first model stays"
        parser = learning.train(sentences, calibrate=True)
        if (path := self._file(wanted)) is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            parser.save(path)
        self._trained[wanted] = self._first.with_parser(parser)
        return f"{compared}: the new model is used"

    def _annotated(self, request: TrainRequest) -> list[Sentence]:
        """The sentences in which something is annotated that may be part of a tree, as it sees them."""
        wanted = request.wanted
        places = [
            place
            for cas in request.documents
            for place in read_sentences(cas, wanted.layer, wanted.feature)
            if place.constraints and not check_tree(place.sentence.heads, single_root=False, partial=True)
        ]
        own = [place.sentence for place in places]
        labelled = _is_labelled(own)
        return [
            tagged.with_tree(_heads(sentence, labelled), sentence.labels)
            for tagged, sentence in zip(self._first.tagged(own), own, strict=True)
        ]

    def _file(self, wanted: Wanted) -> Path | None:
        folder = self._learning.folder
        if folder is None:
            return None
        parts = (wanted.project, wanted.user, wanted.layer.rpartition(".")[2], wanted.feature)
        return folder / ("_".join(quote(part, safe="") for part in parts) + ".hw")


def accuracy(parser: Parser, sentences: Sequence[Sentence]) -> float:
    """The share of annotated words that get their head and, where one is annotated, their label."""
    right = total = 0
    for sentence, parse in zip(sentences, parser.pipe(sentences), strict=True):
        pairs: Any = zip(sentence.heads, sentence.labels, parse.heads, parse.labels, strict=True)
        scored = [h == g and own in ("_", found) for g, own, h, found in pairs if g >= 0]
        right, total = right + sum(scored), total + len(scored)
    return right / max(total, 1)


def _is_labelled(sentences: Sequence[Sentence]) -> bool:
    return any(label != "_" for sentence in sentences for label in sentence.labels)


def _heads(sentence: Sentence, labelled: bool) -> Any:
    """Where labels are learned, an arc without one is not finished."""
    if not labelled:
        return sentence.heads
    return np.where(np.array(sentence.labels, dtype=object) == "_", -1, sentence.heads)
