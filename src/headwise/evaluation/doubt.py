"""Which words of a treebank to look at again: those whose annotation a parser finds improbable.

A parser must not judge what it has learned, so a treebank is judged in folds, each by a parser trained on the
others. Words without an annotation are ranked by how uncertain a given parser is about their heads: what to
annotate next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import Constraints, can_be_projective
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.parser.search import Search
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence
from headwise.treebank.probabilities import (
    DOUBT,
    MODEL_HEAD,
    MODEL_LABEL,
    with_items,
    with_values,
    without_items,
)

if TYPE_CHECKING:
    from headwise.learning.loop import Listener

FOLDS = 5
BUG = "Bug"
"""The key under which tools for Universal Dependencies (Udapi's ud.MarkBugs) note what to look at."""
_LEAST = 1e-12
"""What an impossible answer counts as, so that doubts can be added up."""


@dataclass(frozen=True)
class LabelledArc:
    """A head and a label of a word, and how probable the parser finds them."""

    head: int
    label: str
    confidence: float
    label_confidence: float | None
    """Where the head is right; None from an unlabelled parser, or where nothing is known."""

    @property
    def probability(self) -> float:
        """Of both."""
        return self.confidence if self.label_confidence is None else self.confidence * self.label_confidence

    def to_json(self) -> dict[str, Any]:
        arc: dict[str, Any] = {"head": self.head, "deprel": self.label, "confidence": self.confidence}
        return arc if self.label_confidence is None else arc | {"label_confidence": self.label_confidence}


def _arc_of(parse: Parse, word: int) -> LabelledArc:
    assert parse.confidence is not None
    labels = parse.label_confidence
    return LabelledArc(
        int(parse.heads[word - 1]),
        parse.labels[word - 1],
        float(parse.confidence[word - 1]),
        None if labels is None else float(labels[word - 1]),
    )


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
    surprises: npt.NDArray[np.float64] | None = None
    """Of a half-annotated sentence: the surprise at each head that is there, NaN where there is none. The
    parse is then the best one around the annotation."""

    @property
    def words(self) -> npt.NDArray[np.float64]:
        """How doubtful each word is, in nats: surprise at its labelled head, or entropy of its head."""
        if self.surprises is not None:
            assert self.parse.entropy is not None
            return np.where(np.isnan(self.surprises), self.parse.entropy, self.surprises)
        if self.annotation is None:
            assert self.parse.entropy is not None
            return self.parse.entropy
        return -np.log(np.maximum(labelled_confidence(self.annotation), _LEAST))

    def annotated_arc(self, word: int) -> LabelledArc | None:
        """The head and the label that a word is annotated with; None where it has no head."""
        head, label = int(self.sentence.heads[word - 1]), self.sentence.labels[word - 1]
        if head < 0 or (self.annotation is None and self.surprises is None):
            return None
        if self.annotation is not None:
            return _arc_of(self.annotation, word)
        return LabelledArc(head, label, float(np.exp(-self.words[word - 1])), None)

    def model_arc(self, word: int) -> LabelledArc:
        """What the parser would have there."""
        return _arc_of(self.parse, word)

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

    With ``annotated`` about the heads that are there and, where a word has none, about what the parser would
    say itself around the others; without, about all that it would say.
    """
    constraints = [_known(parser, s) if annotated and is_half(s) else Constraints() for s in sentences]
    search = Search(threads=threads, confidence=True, constraints=constraints, too_long="stop")
    parses = parser.pipe(sentences, search)
    whole = [sentence for sentence in sentences if annotated and len(sentence) and has_tree(sentence)]
    judged = parser.judge(whole, threads=threads)
    for number, (sentence, parse) in enumerate(zip(sentences, parses, strict=True), 1):
        if annotated and is_half(sentence):
            yield Doubt(number, sentence, parse, None, _surprises(parser, sentence))
        else:
            yield Doubt(number, sentence, parse, next(judged) if annotated and has_tree(sentence) else None)


def is_half(sentence: Sentence) -> bool:
    """Whether some of its words have a head and others have none."""
    return bool((sentence.heads >= 0).any() and (sentence.heads < 0).any())


def _known(parser: Parser, sentence: Sentence) -> Constraints:
    """What is annotated; nothing, where arcs of the parser's trees may not cross and those of it do."""
    known, config = Constraints.of_annotation(sentence), parser.config
    if config.projective and not can_be_projective(sentence, known, single_root=config.single_root):
        return Constraints()
    return known


def _surprises(parser: Parser, sentence: Sentence) -> npt.NDArray[np.float64]:
    """−log of the probability of each head that is there, whatever the others are."""
    arcs = parser.arc_probabilities(sentence)
    found = arcs[np.maximum(sentence.heads, 0), np.arange(1, len(sentence) + 1)]
    return np.where(sentence.heads < 0, np.nan, -np.log(np.maximum(found, _LEAST)))


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
    from headwise.learning import Listener
    from headwise.training import train_parser

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
    from headwise.components.confidence.fitting import fit_calibration

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
        document: dict[str, Any] = {
            **_place(self.doubt),
            "word": self.word,
            "form": self.doubt.sentence.forms[self.word - 1],
            "doubt": self.nats,
        }
        if (annotated := self.doubt.annotated_arc(self.word)) is not None:
            document["annotated"] = annotated.to_json()
        return document | {"parser": self.doubt.model_arc(self.word).to_json()}


def _place(doubt: Doubt) -> dict[str, Any]:
    sentence = doubt.sentence
    return {
        "sentence": doubt.number,
        "sent_id": sentence.sent_id,
        "file": sentence.file,
        "line": sentence.line,
    }


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


def annotated_with_doubt(doubt: Doubt, suspects: Collection[int] = ()) -> Sentence:
    """The sentence with the doubt about each word in MISC, and what the parser would have there instead.

    Annotated words among ``suspects`` get a ``Bug`` too, as other tools write it.
    """
    parse, sentence = doubt.parse, doubt.sentence
    misc = []
    for m, (field, nats) in enumerate(zip(sentence.misc, doubt.words.tolist(), strict=True)):
        items = [f"{DOUBT}={nats:.4f}"]
        head, label = int(parse.heads[m]), parse.labels[m]
        if head != sentence.heads[m] or label not in (sentence.labels[m], "_"):
            items += [f"{MODEL_HEAD}={head}", f"{MODEL_LABEL}={label}"]
        if m + 1 in suspects and sentence.heads[m] >= 0:
            items.append(_bug(field, "doubtful-head" if head != sentence.heads[m] else "doubtful-label"))
        misc.append(with_items(without_items(field, {DOUBT, MODEL_HEAD, MODEL_LABEL}), items))
    changed = sentence.with_tree(sentence.heads, misc=misc)
    return with_values(changed, {"headwise_doubt": f"{doubt.whole:.4f}"})


def _bug(misc: str, what: str) -> str:
    """The item of MISC that says so, after what it says already."""
    found = next((item.partition("=")[2] for item in misc.split("|") if item.startswith(f"{BUG}=")), "")
    kinds = [kind for kind in found.split(",") if kind and kind != what]
    return f"{BUG}={','.join([*kinds, what])}"
