"""Suggestions for the sentences of a CAS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from headwise.base.errors import HeadwiseError
from headwise.components.parser.constraints import Constraints
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.tagging.tagger import COLUMNS
from headwise.pipeline.pipeline import Pipeline
from headwise.treebank import Sentence
from headwise.web.inception.documents import UPOS, CasSentence, Place, place_of, read_sentences
from headwise.web.inception.layers import DEPENDENT, GOVERNOR, PREDICTED, column_of, is_relation, type_of
from headwise.web.inception.protocol import Wanted


@dataclass(frozen=True)
class Arc:
    """A suggested arc: words from 1, the root is 0."""

    head: int
    word: int
    label: str
    score: float
    why: str


class Recommender:
    """A model as INCEpTION asks it.

    Args:
        k_best: suggest the arcs of so many trees a sentence; 1: of the best one alone.
    """

    def __init__(self, model: Pipeline | Parser, *, k_best: int = 1) -> None:
        self.model = model
        self._k_best = k_best

    def with_parser(self, parser: Parser) -> Recommender:
        """The same with another parser behind the tagger."""
        return Recommender(self.model.with_parser(parser), k_best=self._k_best)

    def suggest(self, cas: Any, wanted: Wanted) -> None:
        """Add suggestions to a CAS: of arcs for a layer of relations, of tags for one of words."""
        layer_type = type_of(cas.typesystem, wanted.layer, wanted.feature)
        if is_relation(layer_type):
            self._suggest_arcs(cas, wanted, layer_type)
        else:
            self._suggest_tags(cas, wanted, layer_type)

    def tagged(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences with the tags of the tagger, and those of annotators where there are any."""
        found = self.model.flow().tagged(Sentence.from_words(sentence.forms) for sentence in sentences)
        return [_with_annotated(tagged, own) for tagged, own in zip(found, sentences, strict=True)]

    def _suggest_arcs(self, cas: Any, wanted: Wanted, layer_type: Any) -> None:
        ends = layer_type.get_feature(GOVERNOR).rangeType.name
        at = {place_of(end): end for end in cas.select(ends)} if cas.typesystem.contains_type(ends) else {}
        places = read_sentences(cas, wanted.layer, wanted.feature)
        for place, arcs in zip(places, self._arcs(places), strict=True):
            for arc in arcs:
                word = at.get(place_of(place.tokens[arc.word - 1]))
                head = word if arc.head == 0 else at.get(place_of(place.tokens[arc.head - 1]))
                if word is not None and head is not None:
                    relation = {GOVERNOR: head, DEPENDENT: word}
                    _add(cas, wanted, layer_type, place_of(word), arc.label, arc.score, arc.why, relation)

    def _arcs(self, places: Sequence[CasSentence]) -> Iterator[list[Arc]]:
        """For each sentence the arcs of words that nobody has annotated."""
        sentences = self.tagged([place.sentence for place in places])
        for place, sentence in zip(places, sentences, strict=True):
            trees, note = self._trees(sentence, place)
            found: dict[tuple[int, int], Arc] = {}
            for tree in trees:
                for arc in _arcs_of(tree, note):
                    if place.sentence.heads[arc.word - 1] < 0:
                        found.setdefault((arc.head, arc.word), arc)
            yield list(found.values())

    def _trees(self, sentence: Sentence, place: CasSentence) -> tuple[list[Parse], str]:
        """The best trees around what is annotated, and what is to be said of that."""
        constraints = place.constraints
        if constraints is None:
            return self._best(sentence, None), ""
        count = int((place.sentence.heads >= 0).sum())
        try:
            row = self._best(sentence, constraints)
        except HeadwiseError:  # the arcs of the annotator make no tree that the parser searches
            kind = "projective tree" if self.model.parser.config.projective else "tree"
            return self._best(sentence, None), f", annotated arcs set aside: no {kind} has them"
        is_kept = "constraints" not in row[0].left_out
        return row, f", given {count} annotated" if is_kept else ", annotated arcs set aside: a long sentence"

    def _best(self, sentence: Sentence, constraints: Constraints | None) -> list[Parse]:
        k = self._k_best if self._k_best > 1 else None
        return next(
            self.model.flow(tags="given", confidence=True, k=k, constraints=constraints).rows([sentence])
        )

    def _suggest_tags(self, cas: Any, wanted: Wanted, layer_type: Any) -> None:
        column = column_of(wanted.layer, wanted.feature)
        if self.model.tagger is None:
            raise HeadwiseError("the model is a parser alone, and has no tagger to suggest tags.")
        places = read_sentences(cas)
        if column == "xpos" and _has_universal_tags(places):
            column = "upos"
        annotated = "xpos" if wanted.feature == "PosValue" else column
        plain = [Sentence.from_words(place.sentence.forms) for place in places]
        for place, tagged in zip(places, self.model.flow().tagged(plain), strict=True):
            values, scores = getattr(tagged, column), self._tag_scores(tagged, column)
            own = getattr(place.sentence, annotated)
            for token, value, score, given in zip(place.tokens, values, scores, own, strict=True):
                if given == "_" and value != "_":
                    why = "" if score is None else f"{column} {score:.2f}"
                    _add(cas, wanted, layer_type, place_of(token), value, score, why)

    def _tag_scores(self, sentence: Sentence, column: str) -> list[float | None]:
        """The probability of each tag in a column; of lemmas none is known."""
        assert self.model.tagger is not None
        if column not in COLUMNS:
            return [None] * len(sentence)
        number = COLUMNS.index(column)
        values = getattr(sentence, column)
        return [
            sum(p for tags, p in word.items() if tags[number] == value)
            for word, value in zip(self.model.tagger.marginals(sentence), values, strict=True)
        ]


def _arcs_of(tree: Parse, note: str) -> Iterator[Arc]:
    for word in tree:
        head = 0 if word.head is None else word.head.id
        p, q = word.probability, word.label_probability
        score = 0.0 if p is None else p if q is None else p * q
        parts = [f"{name} {x:.2f}" for name, x in (("head", p), ("label", q)) if x is not None]
        yield Arc(head, word.id, "" if word.label == "_" else word.label, score, ", ".join(parts) + note)


def _with_annotated(tagged: Sentence, own: Sentence) -> Sentence:
    """The tagger's columns, with those of annotators in their place."""
    columns: dict[str, Any] = {}
    changed = False
    for name in ("lemmas", *COLUMNS):
        found, given = getattr(tagged, name), getattr(own, name)
        columns[name] = [y if y != "_" else x for x, y in zip(found, given, strict=True)]
        if name == "xpos":  # universal tags that stand there are no XPOS
            columns[name] = [
                x if y in UPOS else z for x, y, z in zip(found, given, columns[name], strict=True)
            ]
        changed = changed or columns[name] != found
    return Sentence.from_words(tagged.forms, **columns) if changed else tagged


def _has_universal_tags(places: Sequence[CasSentence]) -> bool:
    """Whether the annotators write universal tags where INCEpTION's layer has one feature for both."""
    tags = {tag for place in places for tag in place.sentence.xpos} - {"_"}
    return bool(tags) and tags <= UPOS


def _add(
    cas: Any,
    wanted: Wanted,
    layer_type: Any,
    place: Place,
    label: str,
    score: float | None,
    why: str,
    ends: dict[str, Any] | None = None,
) -> None:
    """A suggestion. INCEpTION adds the features for scores to the type; an older one may not."""
    fields = {
        "begin": place[0],
        "end": place[1],
        PREDICTED: True,
        wanted.feature: label or None,
        **(ends or {}),
    }
    extra = {"_score": score, "_score_explanation": why or None}
    for suffix, value in extra.items():
        if value is not None and layer_type.get_feature(wanted.feature + suffix) is not None:
            fields[wanted.feature + suffix] = value
    cas.add(layer_type(**fields))
