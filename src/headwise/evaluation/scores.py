"""All scores of one system, under the name people know them by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwise.evaluation.judgement import Judgement
from headwise.evaluation.protocols import Protocol
from headwise.evaluation.score import Score
from headwise.evaluation.ud_measures import UniversalJudgement, segmentation


@dataclass(frozen=True, slots=True)
class Scores:
    """Attachment scores; every number is under `protocol`."""

    protocol: Protocol
    uas: Score
    """Words with the right head (unlabelled attachment score)."""
    las: Score
    """Words with the right head and label (labelled attachment score)."""
    label_accuracy: Score
    """Words with the right label, whatever their head."""
    clas: Score | None
    """LAS of content words only; None where the labels are not those of UD."""
    unlabelled_match: Score
    """Sentences with every head right."""
    labelled_match: Score
    """Sentences with every head and label right."""

    @classmethod
    def of(cls, judgement: Judgement) -> Scores:
        clas = judgement.clas
        return cls(
            protocol=judgement.protocol,
            uas=judgement.score(judgement.uas),
            las=judgement.score(judgement.las),
            label_accuracy=judgement.score(judgement.label_accuracy),
            clas=None if clas is None else judgement.score(clas),
            unlabelled_match=judgement.whole_sentences(judgement.uas),
            labelled_match=judgement.whole_sentences(judgement.las),
        )

    def named(self) -> Iterator[tuple[str, Score | None]]:
        """Every score with the name reports print."""
        yield "UAS", self.uas
        yield "LAS", self.las
        yield "Label accuracy", self.label_accuracy
        yield "CLAS", self.clas
        yield "Unlabelled match", self.unlabelled_match
        yield "Labelled match", self.labelled_match


@dataclass(frozen=True, slots=True)
class UniversalScores(Scores):
    """Everything the CoNLL 2018 scorer reports, and what `Scores` has besides."""

    tokens: Score
    """Tokens that cover the same characters."""
    sentences: Score
    """Sentences that cover the same characters."""
    words: Score
    """Words that could be aligned."""
    upos: Score
    xpos: Score
    ufeats: Score
    """Universal features; other features are ignored."""
    all_tags: Score
    """UPOS, XPOS and universal features together."""
    lemmas: Score
    mlas: Score
    """CLAS where UPOS, universal features and function words must be right too."""
    blex: Score
    """CLAS where the lemma must be right too."""

    @classmethod
    def of(cls, judgement: Judgement) -> UniversalScores:
        if not isinstance(judgement, UniversalJudgement):
            raise TypeError("UniversalScores are made of a UniversalJudgement")
        base = Scores.of(judgement)
        return cls(
            **{name: getattr(base, name) for name in Scores.__dataclass_fields__},
            tokens=segmentation(judgement.gold_text.tokens, judgement.system_text.tokens),
            sentences=segmentation(judgement.gold_text.sentences, judgement.system_text.sentences),
            words=judgement.words(),
            upos=judgement.score(judgement.upos),
            xpos=judgement.score(judgement.xpos),
            ufeats=judgement.score(judgement.ufeats),
            all_tags=judgement.score(judgement.all_tags),
            lemmas=judgement.score(judgement.lemmas),
            mlas=judgement.score(judgement.mlas),
            blex=judgement.score(judgement.blex),
        )

    def named(self) -> Iterator[tuple[str, Score | None]]:
        """The official table in its order, then what it does not have."""
        yield "Tokens", self.tokens
        yield "Sentences", self.sentences
        yield "Words", self.words
        yield "UPOS", self.upos
        yield "XPOS", self.xpos
        yield "UFeats", self.ufeats
        yield "AllTags", self.all_tags
        yield "Lemmas", self.lemmas
        yield "UAS", self.uas
        yield "LAS", self.las
        yield "CLAS", self.clas
        yield "MLAS", self.mlas
        yield "BLEX", self.blex
        yield "Label accuracy", self.label_accuracy
        yield "Unlabelled match", self.unlabelled_match
        yield "Labelled match", self.labelled_match


def scores_of(judgement: Judgement) -> Scores:
    """All scores that the judgement's protocol has."""
    kind = UniversalScores if isinstance(judgement, UniversalJudgement) else Scores
    return kind.of(judgement)
