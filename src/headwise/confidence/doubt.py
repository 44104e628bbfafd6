"""Which words of a treebank to look at again: those whose annotation a parser finds improbable.

A parser must not judge what it has learned, so a treebank is judged in folds, each by a parser trained on the
others. Words without an annotation are ranked by how uncertain a given parser is about their heads: what to
annotate next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise.confidence.annotation import (
    DOUBT,
    MODEL_HEAD,
    MODEL_LABEL,
    with_items,
    with_values,
    without_items,
)
from headwise.errors import HeadwiseError
from headwise.learning.settings import TrainingSettings
from headwise.parser.parse import Parse
from headwise.parser.parser import Parser
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.learning.loop import Listener

FOLDS = 5
_LEAST = 1e-12
"""What an impossible answer counts as, so that doubts can be added up."""


@dataclass(frozen=True, eq=False)
class Doubt:
    """What a parser that has not seen the sentence makes of its annotation (or would make of it itself)."""

    number: int
    """Which sentence of the file it is, from 1."""
    sentence: Sentence
    parse: Parse
    """The parser's own answer, with its confidence."""
    annotation: Parse | None
    """The annotation, with the confidence the parser has in it; None where there is none."""

    @property
    def words(self) -> npt.NDArray[np.float64]:
        """How doubtful each word is, in nats: surprise at its labelled head, or entropy of its head."""
        if self.annotation is None:
            assert self.parse.entropy is not None
            return self.parse.entropy
        return -np.log(np.maximum(labelled_confidence(self.annotation), _LEAST))

    @property
    def whole(self) -> float:
        """How doubtful the sentence is: the mean over its words, so that long sentences do not always win."""
        return float(self.words.mean())


def labelled_confidence(parse: Parse) -> npt.NDArray[np.float64]:
    """The probability of each arc with its label (of each arc, from an unlabelled parser)."""
    assert parse.confidence is not None
    return parse.confidence if parse.label_confidence is None else parse.confidence * parse.label_confidence


def has_tree(sentence: Sentence) -> bool:
    return bool((sentence.heads >= 0).all())


def doubts_of(
    parser: Parser, sentences: Sequence[Sentence], *, annotated: bool = True, threads: int = 1
) -> Iterator[Doubt]:
    """The doubts of a parser, which must not have learned from these sentences.

    With ``annotated`` about their trees; without, about what it would say itself.
    """
    parses = parser.pipe(sentences, threads=threads, confidence=True)
    judged: Iterable[Parse | None] = parser.judge(sentences, threads=threads) if annotated else repeat(None)
    for number, (sentence, parse, annotation) in enumerate(zip(sentences, parses, judged, strict=False), 1):
        yield Doubt(number, sentence, parse, annotation)


def cross_fitted_doubts(
    sentences: Sequence[Sentence],
    settings: TrainingSettings | None = None,
    *,
    folds: int = FOLDS,
    listener: Listener | None = None,
) -> list[Doubt]:
    """The doubts about a treebank, each sentence judged by a parser that has not seen it.

    Sentence i belongs to fold i modulo ``folds``. Costs ``folds`` trainings. Each parser's probabilities are
    fitted on the fold that it judges, so that the folds are on one scale.
    """
    from headwise.learning import Listener, train_parser

    settings, listener = settings or TrainingSettings(), listener or Listener()
    if not 2 <= folds <= len(sentences):
        raise HeadwiseError(
            f"{len(sentences):,} sentences cannot be judged in {folds} folds; use 2 to {len(sentences):,}."
        )
    found: list[Doubt | None] = [None] * len(sentences)
    for fold in range(folds):
        listener.message(f"fold {fold + 1} of {folds}: training on the other folds")
        others = [sentence for i, sentence in enumerate(sentences) if i % folds != fold]
        parser = train_parser(others, None, replace(settings, calibrate=False))
        own = list(range(fold, len(sentences), folds))
        parser = fitted_to(parser, [sentences[i] for i in own], settings.threads)
        for i, doubt in zip(own, doubts_of(parser, [sentences[i] for i in own]), strict=True):
            found[i] = replace(doubt, number=i + 1)
    return [doubt for doubt in found if doubt is not None]


def fitted_to(parser: Parser, sentences: Sequence[Sentence], threads: int) -> Parser:
    """The parser with its probabilities fitted to these sentences; as it is, where they are too few."""
    from headwise.confidence.fitting import fit_calibration

    calibration = fit_calibration(parser, sentences, fitted_on="held-out", threads=threads)
    return parser if calibration is None else parser.with_calibration(calibration)


@dataclass(frozen=True)
class DoubtfulWord:
    """A word to look at, and why."""

    doubt: Doubt
    word: int
    """From 1."""
    nats: float

    def to_json(self) -> dict[str, Any]:
        doubt, m = self.doubt, self.word - 1
        parse, annotation = doubt.parse, doubt.annotation
        document: dict[str, Any] = {
            **_place(doubt),
            "word": self.word,
            "form": doubt.sentence.forms[m],
            "doubt": self.nats,
        }
        if annotation is not None:
            document["annotated"] = _arc(annotation, m)
        return document | {"parser": _arc(parse, m)}


def _place(doubt: Doubt) -> dict[str, Any]:
    sentence = doubt.sentence
    return {
        "sentence": doubt.number,
        "sent_id": sentence.sent_id,
        "file": sentence.file,
        "line": sentence.line,
    }


def _arc(parse: Parse, m: int) -> dict[str, Any]:
    assert parse.confidence is not None
    arc: dict[str, Any] = {
        "head": int(parse.heads[m]),
        "deprel": parse.labels[m],
        "confidence": float(parse.confidence[m]),
    }
    if parse.label_confidence is not None:
        arc["label_confidence"] = float(parse.label_confidence[m])
    return arc


@dataclass(frozen=True)
class DoubtfulSentence:
    """A sentence to look at: its mean doubt a word."""

    doubt: Doubt
    nats: float

    def to_json(self) -> dict[str, Any]:
        sentence = self.doubt.sentence
        text = sentence.text or " ".join(sentence.forms)
        return {**_place(self.doubt), "text": text, "doubt": self.nats, "words": self.doubt.words.tolist()}


def rank_words(doubts: Iterable[Doubt]) -> list[DoubtfulWord]:
    """All words, the most doubtful first; ties in the order of the file."""
    words = [
        DoubtfulWord(doubt, m, nats) for doubt in doubts for m, nats in enumerate(doubt.words.tolist(), 1)
    ]
    return sorted(words, key=lambda word: -word.nats)


def rank_sentences(doubts: Iterable[Doubt]) -> list[DoubtfulSentence]:
    """All sentences, the most doubtful first; ties in the order of the file."""
    sentences = [DoubtfulSentence(doubt, doubt.whole) for doubt in doubts]
    return sorted(sentences, key=lambda sentence: -sentence.nats)


def annotated_with_doubt(doubt: Doubt) -> Sentence:
    """The sentence with the doubt about each word in MISC, and what the parser would have there instead."""
    parse, sentence = doubt.parse, doubt.sentence
    misc = []
    for m, (field, nats) in enumerate(zip(sentence.misc, doubt.words.tolist(), strict=True)):
        items = [f"{DOUBT}={nats:.4f}"]
        head, label = int(parse.heads[m]), parse.labels[m]
        if head != sentence.heads[m] or label not in (sentence.labels[m], "_"):
            items += [f"{MODEL_HEAD}={head}", f"{MODEL_LABEL}={label}"]
        misc.append(with_items(without_items(field, {DOUBT, MODEL_HEAD, MODEL_LABEL}), items))
    changed = sentence.with_tree(sentence.heads, misc=misc)
    return with_values(changed, {"headwise_doubt": f"{doubt.whole:.4f}"})
