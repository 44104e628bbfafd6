"""The scores that spaCy prints for Docs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spacy.morphology import Morphology
from spacy.pipeline.dep_parser import parser_score
from spacy.scorer import Scorer
from spacy.tokens import Token
from spacy.training import Example


def score_docs(examples: Iterable[Example], **options: Any) -> dict[str, Any]:
    """Those of spaCy's own parser (which leaves out punctuation unless ``ignore_labels`` is empty), tagger,
    morphologizer and lemmatizer."""
    examples = list(examples)
    scores: dict[str, Any] = dict(parser_score(examples, **options))
    for attribute in ("tag", "pos", "lemma"):
        scores |= Scorer.score_token_attr(examples, attribute)
    scores |= Scorer.score_token_attr(examples, "morph", getter=_morph)
    return scores


def _morph(token: Token, _: str) -> str:
    """As text: equal features of two vocabularies need not be equal objects."""
    return str(token.morph) or Morphology.EMPTY_MORPH
