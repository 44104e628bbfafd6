"""The way of sentences through a model: tagged, parsed, judged; a row of parses comes out for each.

All that parses goes this way: what reads and writes around it (commands, corpora, servers, other programs)
says what it wants as a `Search`, and decides nothing of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headwise.base.errors import HeadwiseError
from headwise.components.parser.batch_search import BatchSearch
from headwise.components.parser.conditions import LONGEST
from headwise.components.parser.constraints import Task, tasks_of
from headwise.components.parser.parse import Parse
from headwise.components.parser.search import Search, check_lengths
from headwise.components.parser.tagged import AsGiven, Tagged, Tagging
from headwise.treebank import Sentence
from headwise.treebank.streaming import Input, as_sentence, checked_sentences, in_batches

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser

Row = list[Parse]
"""What is found for a sentence: its parse, or the k best; empty where it could not be parsed."""


@dataclass
class TagCounts:
    """What became of the tags of sentences."""

    kept: int = 0
    """Sentences that kept theirs, …"""
    words: int = 0
    """… how many words they have, …"""
    strange: int = 0
    """… and how many of these a tag that the model does not know."""
    found: int = 0
    """Sentences that were tagged by the model."""

    def add(self, tagged: Tagged, known: Collection[str]) -> None:
        if tagged.tags == "kept":
            self.kept += 1
            self.words += len(tagged.sentence)
            self.strange += sum(tag not in known for tag in tagged.sentence.upos)
        self.found += tagged.tags == "found"


class Flow:
    """A model and a search, ready for sentences.

    Attributes:
        skipped: the errors of sentences that were passed over (``Search.on_error``).
        left_out: what was left out of sentences that were too long for it, and of how many.
        tags: what became of tags that sentences had.
    """

    def __init__(self, parser: Parser, search: Search, tagging: Tagging | None = None) -> None:
        search.check(parser.config, has_tagger=tagging is not None)
        self.parser, self.search = parser, search
        self.tagging = AsGiven() if tagging is None or search.tags == "given" else tagging
        self.skipped: list[HeadwiseError] = []
        self.left_out: Counter[str] = Counter()
        self.tags = TagCounts()
        self._known = frozenset(parser.config.tags)
        self._batches = BatchSearch(parser, search)

    def rows(self, sentences: Iterable[Input]) -> Iterator[Row]:
        """A row for each sentence, in order."""
        search = self.search
        given = checked_sentences(sentences, self._missing_from)
        answers = in_batches(
            tasks_of(given, search.constraints),
            self._answers,
            batch_size=search.sentences_at_once,
            ahead=search.threads != 1,
        )
        return self._delivered(answers)

    def parses(self, sentences: Iterable[Input]) -> Iterator[Parse]:
        """The first of each row."""
        return (row[0] for row in self.rows(sentences) if row)

    def tagged(self, sentences: Iterable[Input]) -> Iterator[Sentence]:
        """The sentences as they would be parsed."""
        return in_batches(
            map(as_sentence, sentences),
            lambda batch: [tagged.sentence for tagged in self.tagging(batch)],
            batch_size=self.search.sentences_at_once,
            ahead=self.search.threads != 1,
        )

    def batch(self, tasks: Sequence[Task]) -> list[Row]:
        """The rows of some sentences, all at once."""
        tagged = self.tagging([sentence for sentence, _ in tasks])
        rows: list[Row] = [[] for _ in tasks]
        without = [self._without(task) for task in tasks]
        plain, full = list[int](), list[int]()
        for i, (task, found, missing) in enumerate(zip(tasks, tagged, without, strict=True)):
            if found.parse is not None and self.search.is_plain and task[1] is None:
                rows[i] = [found.parse]
            else:
                (plain if "probabilities" in missing else full).append(i)
        for numbers, work in ((full, self._batches.rows), (plain, self._batches.plain_rows)):
            own = [
                (tagged[i].sentence, None if "constraints" in without[i] else tasks[i][1]) for i in numbers
            ]
            for i, row in zip(numbers, work(own) if own else (), strict=True):
                rows[i] = row
        for found, missing in zip(tagged, without, strict=True):
            self.tags.add(found, self._known)
            self.left_out.update(missing)
        return [
            [self._finished(parse, found, missing) for parse in self.chosen(row)]
            for row, found, missing in zip(rows, tagged, without, strict=True)
        ]

    def chosen(self, row: Row) -> Row:
        """What is given of the trees that were found: all, where nobody else chooses among them."""
        return row

    def _missing_from(self, sentence: Sentence) -> str | None:
        return self.parser.config.missing_from(sentence) if self.tagging.keeps(sentence) else None

    def _without(self, task: Task) -> tuple[str, ...]:
        """What a sentence is too long for."""
        sentence, constraints = task
        search, words = self.search, len(sentence)
        limits = {
            "probabilities": search.longest if search.wants_probabilities else words,
            "constraints": LONGEST if constraints is not None else words,
        }
        if search.too_long == "stop":
            for what, most in limits.items():
                check_lengths([sentence], what, most)
        return tuple(what for what, most in limits.items() if words > most)

    def _finished(self, parse: Parse, tagged: Tagged, without: tuple[str, ...]) -> Parse:
        """The parse with what is to be said of it."""
        if not tagged.exact:
            parse = replace(parse, exact=False, gap=math.inf)
        if without:
            parse = replace(parse, left_out=without)
        return parse.noted(certificate=self.search.certificates)

    def _answers(self, tasks: list[Task]) -> list[Row | HeadwiseError]:
        """The rows of a batch. Where it fails, sentences are tried one by one: which of them is to blame?"""
        try:
            return list[Row | HeadwiseError](self.batch(tasks))
        except HeadwiseError as error:
            return self._one_by_one(tasks) or [error] if len(tasks) > 1 else [error]

    def _one_by_one(self, tasks: list[Task]) -> list[Row | HeadwiseError]:
        """Empty where the first is to blame, and nothing comes after it."""
        answers: list[Row | HeadwiseError] = []
        for task in tasks:
            answers += self._answers([task])
            if isinstance(answers[-1], HeadwiseError) and self.search.on_error == "stop":
                return answers if len(answers) > 1 else []
        return answers

    def _delivered(self, answers: Iterator[Row | HeadwiseError]) -> Iterator[Row]:
        for answer in answers:
            if not isinstance(answer, HeadwiseError):
                yield answer
            elif self.search.on_error == "skip":
                self.skipped.append(answer)
                yield []
            else:
                raise answer
