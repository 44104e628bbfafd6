"""What a parser makes of a sentence of which something is decided: the best tree around it, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.conditions import LONGEST
from headwise.components.parser.constraints import can_be_projective, has_tree
from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.parser.search import check_lengths
from headwise.treebank import Sentence
from headwise.web.annotate.marks import Decision, constraints_of

MOST_ALTERNATIVES = 8
"""Heads of a word, and labels of an arc, that are named …"""
LEAST_PROBABLE = 0.001
"""… where they are at least so probable."""


@dataclass(frozen=True)
class Alternative:
    """A head that a word may have, with its best label there."""

    head: int
    probability: float
    """Of the head, among all trees that have what is decided."""
    label: str
    label_probability: float
    """Of the label, if the head is right."""
    changes: tuple[int, ...] = ()
    """Other words that would have another head or label then."""


class Suggester:
    """A parser under decisions.

    Decided arcs may cross whatever the parser was trained for: where its trees have no crossing arcs and none
    of them has what is decided, the same scores are searched over all trees.
    """

    def __init__(self, parser: Parser) -> None:
        if parser.config.label_mode in ("latent", "none"):
            raise HeadwiseError("the model knows no labels to annotate with. Train one that does.")
        self.parser = parser

    @property
    def labels(self) -> list[str]:
        return list(self.parser.config.labels)

    @cached_property
    def _over_all_trees(self) -> Parser:
        return Parser(replace(self.parser.config, projective=False), self.parser.weights, self.parser.scorers)

    def parser_for(self, sentence: Sentence, decisions: Sequence[Decision]) -> Parser:
        config = self.parser.config
        if not config.projective or can_be_projective(
            sentence, constraints_of(decisions), single_root=config.single_root
        ):
            return self.parser
        return self._over_all_trees

    def suggest(
        self, tasks: Sequence[tuple[Sentence, Sequence[Decision]]], *, threads: int = 1
    ) -> list[Parse]:
        """The best tree of each sentence among those that have what is decided, with probabilities.

        Raises `headwise.components.parser.constraints.ConstraintError` where there is none.
        """
        check_lengths([sentence for sentence, _ in tasks], "annotation", LONGEST)
        parsers = [self.parser_for(sentence, decisions) for sentence, decisions in tasks]
        found: list[Parse | None] = [None] * len(tasks)
        for parser in {id(parser): parser for parser in parsers}.values():
            own = [i for i, chosen in enumerate(parsers) if chosen is parser]
            parses = parser.pipe(
                [tasks[i][0] for i in own],
                constraints=[constraints_of(tasks[i][1]) for i in own],
                confidence=True,
                threads=threads,
            )
            for i, parse in zip(own, parses, strict=True):
                found[i] = _with_certainty(parse, tasks[i][1])
        return [parse for parse in found if parse is not None]

    def heads(self, sentence: Sentence, decisions: Sequence[Decision], word: int) -> list[tuple[int, float]]:
        """The heads that a word may have with what is decided of the others, the most probable first."""
        others = _without(decisions, word)
        table = self.parser_for(sentence, others).arc_probabilities(sentence, constraints_of(others))
        ranked = sorted(enumerate(table[:, word].tolist()), key=lambda pair: -pair[1])
        worth_it = [pair for pair in ranked if pair[1] >= LEAST_PROBABLE and pair[0] != word]
        # The background of probabilities speaks for every arc, also for those that would close a cycle.
        possible = (
            pair for pair in worth_it if self._has_tree(sentence, _with(others, word, Decision(pair[0])))
        )
        return list(islice(possible, MOST_ALTERNATIVES))

    def _has_tree(self, sentence: Sentence, decisions: Sequence[Decision]) -> bool:
        allowed = constraints_of(decisions).allowed(sentence)
        single_root = self.parser.config.single_root
        return allowed is None or has_tree(allowed, projective=False, single_root=single_root)

    def alternatives(
        self, sentence: Sentence, decisions: Sequence[Decision], word: int, now: Parse
    ) -> list[Alternative]:
        """The same with the best label of each, and with what else would change."""
        ranked = self.heads(sentence, decisions, word)
        kept = decisions[word - 1].label
        tasks = [(sentence, _with(decisions, word, Decision(head, kept))) for head, _ in ranked]
        return [
            Alternative(
                head,
                probability,
                parse.labels[word - 1],
                _label_certainty(parse)[word - 1],
                tuple(m for m in _differences(now, parse) if m != word),
            )
            for (head, probability), parse in zip(ranked, self.suggest(tasks), strict=True)
        ]

    def labels_of(self, parse: Parse, word: int) -> list[tuple[str, float]]:
        """The labels that the arc of a word may have, the most probable first."""
        names = self.labels
        trees = [
            parse.sentence.with_tree(parse.heads, [*parse.labels[: word - 1], name, *parse.labels[word:]])
            for name in names
        ]
        probabilities = [_label_certainty(judged)[word - 1] for judged in self.parser.judge(trees)]
        ranked = sorted(zip(names, probabilities, strict=True), key=lambda pair: -pair[1])
        return [pair for pair in ranked[:MOST_ALTERNATIVES] if pair[1] >= LEAST_PROBABLE]


def doubts_of(parse: Parse, decisions: Sequence[Decision]) -> npt.NDArray[np.float64]:
    """The probability that each word is wrong: 0 where all of it is decided."""
    assert parse.confidence is not None
    right = parse.confidence * _label_certainty(parse)
    return np.array(
        [0.0 if decision.is_whole else 1.0 - p for decision, p in zip(decisions, right, strict=True)]
    )


def _label_certainty(parse: Parse) -> list[float]:
    assert parse.label_confidence is not None
    return [float(p) for p in parse.label_confidence]


def _with_certainty(parse: Parse, decisions: Sequence[Decision]) -> Parse:
    """The parse; what is decided is certain, also where the parser would never have thought of it."""
    assert parse.confidence is not None
    assert parse.label_confidence is not None
    heads = np.array([decision.head is not None for decision in decisions], np.bool_)
    labels = np.array([decision.label is not None for decision in decisions], np.bool_)
    return replace(
        parse,
        confidence=np.where(heads, 1.0, parse.confidence),
        label_confidence=np.where(labels, 1.0, parse.label_confidence),
    )


def _differences(one: Parse, other: Parse) -> Iterator[int]:
    """The words whose head or label differs."""
    for m in range(1, len(one) + 1):
        if one.heads[m - 1] != other.heads[m - 1] or one.labels[m - 1] != other.labels[m - 1]:
            yield m


def _with(decisions: Sequence[Decision], word: int, decision: Decision) -> list[Decision]:
    return [*decisions[: word - 1], decision, *decisions[word:]]


def _without(decisions: Sequence[Decision], word: int) -> list[Decision]:
    return _with(decisions, word, Decision(None, decisions[word - 1].label))
