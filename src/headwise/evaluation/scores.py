"""All scores of one system, under the name people know them by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwise.evaluation.assessment import Assessment
from headwise.evaluation.protocols import Protocol
from headwise.evaluation.score import Score
from headwise.evaluation.ud_measures import UniversalAssessment, segmentation


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
    def of(cls, assessment: Assessment) -> Scores:
        clas = assessment.clas
        return cls(
            protocol=assessment.protocol,
            uas=assessment.score(assessment.uas),
            las=assessment.score(assessment.las),
            label_accuracy=assessment.score(assessment.label_accuracy),
            clas=None if clas is None else assessment.score(clas),
            unlabelled_match=assessment.whole_sentences(assessment.uas),
            labelled_match=assessment.whole_sentences(assessment.las),
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
    def of(cls, assessment: Assessment) -> UniversalScores:
        if not isinstance(assessment, UniversalAssessment):
            raise TypeError("UniversalScores are made of a UniversalAssessment")
        base = Scores.of(assessment)
        return cls(
            **{name: getattr(base, name) for name in Scores.__dataclass_fields__},
            tokens=segmentation(assessment.gold_text.tokens, assessment.system_text.tokens),
            sentences=segmentation(assessment.gold_text.sentences, assessment.system_text.sentences),
            words=assessment.words(),
            upos=assessment.score(assessment.upos),
            xpos=assessment.score(assessment.xpos),
            ufeats=assessment.score(assessment.ufeats),
            all_tags=assessment.score(assessment.all_tags),
            lemmas=assessment.score(assessment.lemmas),
            mlas=assessment.score(assessment.mlas),
            blex=assessment.score(assessment.blex),
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


def scores_of(assessment: Assessment) -> Scores:
    """All scores that the assessment's protocol has."""
    kind = UniversalScores if isinstance(assessment, UniversalAssessment) else Scores
    return kind.of(assessment)
