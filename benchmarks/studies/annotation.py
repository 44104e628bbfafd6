"""How much of a file must a person look at and change until 97 % of its words are right?

A parser is trained on the training set and the test set is annotated with its help; gold answers in the place
of a person. Three things are counted until head and label of 97 % of all words are right:

- words looked at: each of them is confirmed or corrected, head and label;
- words changed: those that were wrong when they were looked at;
- things set: heads and labels that had to be given by hand (a word may need both).

Reading in order without parsing again is what an annotator does in an ordinary editor: every word up to some
place of the file is looked at. "Sentence by sentence" is the order of the page of headwise annotate: the
sentence with the most doubtful word, in it all words that are wrong with at least 5 %, then the next one.

The last order is one that nobody can have: it knows gold, and always takes the wrong word whose correction
mends the most. No order that asks about one word at a time can be expected to need much fewer changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

import numpy as np

from benchmarks.engine import CONFIDENCE, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.data import find_treebank
from headwise import Parser
from headwise.components.parser.parse import Parse
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, read
from headwise.web.annotate import Decision, Suggester
from headwise.web.annotate.suggestions import doubts_of

TREEBANKS = ("UD_Gothic-PROIEL", "UD_Greek-GDT", "UD_French-Sequoia")
DEPENDS = ("src/headwise/web/annotate", *CONFIDENCE)
TARGET = 0.97
DOUBTFUL = 0.05
"""Words that the page stops at."""


@dataclass(frozen=True)
class Strategy:
    name: str
    order: str
    """``file``, ``doubt``, ``sentences`` or ``oracle``."""
    reparses: bool


STRATEGIES = (
    Strategy("in order, nothing parsed again", "file", False),
    Strategy("in order, parsed again", "file", True),
    Strategy("most doubtful first, nothing parsed again", "doubt", False),
    Strategy("most doubtful first, parsed again", "doubt", True),
    Strategy("sentence by sentence, parsed again", "sentences", True),
)
ORACLE = Strategy("most is mended first (knows gold), parsed again", "oracle", True)


@dataclass
class Count:
    """What a person has done so far."""

    start: float = 0.0
    """The share of the words that was right at the beginning."""
    looked_at: int = 0
    changed: int = 0
    set: int = 0


@dataclass
class Desk:
    """The sentences on their way from a parser's trees to gold's."""

    gold: Sequence[Sentence]
    suggester: Suggester
    reparses: bool
    decisions: list[list[Decision]] = field(default_factory=list)
    trees: list[tuple[list[int], list[str]]] = field(default_factory=list)
    doubts: list[np.ndarray] = field(default_factory=list)
    revisions: list[int] = field(default_factory=list)
    count: Count = field(default_factory=Count)

    def __post_init__(self) -> None:
        self.decisions = [[Decision()] * len(sentence) for sentence in self.gold]
        self.words = sum(map(len, self.gold))
        self.parse_all()
        self.count.start = self.right

    def parse_all(self) -> None:
        parses = self.suggester.suggest(list(zip(self.gold, self.decisions, strict=True)))
        self.trees = [(parse.heads.tolist(), list(parse.labels)) for parse in parses]
        self.doubts = [doubts_of(p, own) for p, own in zip(parses, self.decisions, strict=True)]
        self.revisions = [0] * len(self.gold)
        self.good = sum(map(self._right_in, range(len(self.gold))))

    @property
    def right(self) -> float:
        return self.good / self.words

    def _right_in(self, i: int) -> int:
        return self._right(i, *self.trees[i])

    def _right(self, i: int, heads: Sequence[int], labels: Sequence[str]) -> int:
        gold = self.gold[i]
        words = zip(heads, gold.heads, labels, gold.labels, strict=True)
        return sum(head == right and label == same for head, right, label, same in words)

    def ask(self, i: int, m: int) -> None:
        """Look at a word, and set what is wrong about it."""
        head, label = int(self.gold[i].heads[m - 1]), self.gold[i].labels[m - 1]
        before = self._right_in(i)
        self.count.looked_at += 1
        if (self.trees[i][0][m - 1], self.trees[i][1][m - 1]) != (head, label):
            self.count.changed += 1
        if self.trees[i][0][m - 1] != head:
            self.count.set += 1
            self._decide(i, m, Decision(head))
        if self.trees[i][1][m - 1] != label:
            self.count.set += 1
        self._decide(i, m, Decision(head, label))
        self.good += self._right_in(i) - before

    def _decide(self, i: int, m: int, decision: Decision) -> None:
        self.decisions[i][m - 1] = decision
        if self.reparses:
            parse: Parse = self.suggester.suggest([(self.gold[i], self.decisions[i])])[0]
            self.trees[i] = parse.heads.tolist(), list(parse.labels)
            self.doubts[i] = doubts_of(parse, self.decisions[i])
        else:
            self.trees[i][0][m - 1] = self.trees[i][0][m - 1] if decision.head is None else decision.head
            if decision.label is not None:
                self.trees[i][1][m - 1] = decision.label
            self.doubts[i][m - 1] = 0.0 if decision.is_whole else self.doubts[i][m - 1]
        self.revisions[i] += 1

    def best_correction(self, i: int) -> tuple[int, int] | None:
        """The word of a sentence whose correction makes the most words right, and how many; gold is asked."""
        gains = []
        for m, (head, label) in enumerate(zip(*self.trees[i], strict=True), 1):
            right = Decision(int(self.gold[i].heads[m - 1]), self.gold[i].labels[m - 1])
            if right != Decision(head, label):
                decisions = [*self.decisions[i][: m - 1], right, *self.decisions[i][m:]]
                parse = self.suggester.suggest([(self.gold[i], decisions)])[0]
                gains.append((self._right(i, parse.heads.tolist(), parse.labels) - self._right_in(i), m))
        return max(gains, default=None)

    def open_words(self, i: int) -> Iterator[tuple[int, float]]:
        for m, decision in enumerate(self.decisions[i], 1):
            if not decision.is_whole:
                yield m, float(self.doubts[i][m - 1])


def places(desk: Desk, order: str) -> Iterator[tuple[int, int]]:
    """The words to ask about, one after the other, in view of what was answered before."""
    if order == "oracle":
        yield from _best_places(desk)
        return
    if order == "file":
        for i in range(len(desk.gold)):
            for m in range(1, len(desk.gold[i]) + 1):
                if not desk.decisions[i][m - 1].is_whole:
                    yield i, m
        return
    everywhere = range(len(desk.gold))
    waiting = [(-doubt, i, m, desk.revisions[i]) for i in everywhere for m, doubt in desk.open_words(i)]
    heapify(waiting)
    while waiting:
        _, i, m, revision = heappop(waiting)
        if revision != desk.revisions[i] or desk.decisions[i][m - 1].is_whole:
            continue  # there is a newer entry
        yield i, m
        while order == "sentences":
            doubtful = [(doubt, -word) for word, doubt in desk.open_words(i) if doubt >= DOUBTFUL]
            if not doubtful:
                break
            yield i, -max(doubtful)[1]
        for word, doubt in desk.open_words(i):
            heappush(waiting, (-doubt, i, word, desk.revisions[i]))


def _best_places(desk: Desk) -> Iterator[tuple[int, int]]:
    waiting: list[tuple[int, int, int]] = []

    def look_at(i: int) -> None:
        if (best := desk.best_correction(i)) is not None:
            heappush(waiting, (-best[0], i, best[1]))

    for i in range(len(desk.gold)):
        look_at(i)
    while waiting:
        _, i, m = heappop(waiting)
        yield i, m
        look_at(i)


def annotate(gold: Sequence[Sentence], parser: Parser, strategy: Strategy) -> Count:
    desk = Desk(gold, Suggester(parser), strategy.reparses)
    for i, m in places(desk, strategy.order):
        if desk.right >= TARGET:
            break
        desk.ask(i, m)
    return desk.count


def annotated(
    treebank: str, sentences: int | None, measured: int | None, epochs: int | None = None
) -> Result:
    split = find_treebank(treebank)
    train, gold = list(read(split.train))[:sentences], list(read(split.test))[:measured]
    chosen = {"epochs": epochs} if epochs else {}
    settings = TrainingSettings.preset("first", seed=1, **chosen)  # type: ignore[arg-type]
    parser = Parser.train(train, settings=settings)
    counts = {strategy.name: vars(annotate(gold, parser, strategy)) for strategy in (*STRATEGIES, ORACLE)}
    return {"words": sum(map(len, gold)), "strategies": counts}


def tasks(scale: Scale) -> dict[str, Task]:
    cut = {"sentences": scale.sentences, "measured": scale.measured, "epochs": scale.epochs}
    return {
        treebank: Task("studies.annotation:annotated", DEPENDS, treebank=treebank, **cut)
        for treebank in TREEBANKS[: scale.treebanks]
    }


def rows(found: Found) -> list[Row]:
    """In brackets the ratio to reading in order without parsing again."""
    made = []
    for treebank in found:
        strategies = found[treebank]["strategies"]
        base = strategies[STRATEGIES[0].name]
        for name, own in strategies.items():
            row = {"treebank": treebank, "order": name, "words": f"{found[treebank]['words']:,}"}
            row["LAS before"] = shown(100 * own["start"])
            for column, what in (("looked at", "looked_at"), ("changed", "changed"), ("set", "set")):
                ratio = f" ({own[what] / base[what]:.2f})" if own is not base and base[what] else ""
                row[column] = f"{own[what]:,}{ratio}"
            made.append(row)
    return made


STUDY = Study(
    "annotation",
    "How much must a person look at and change until 97 % of the words of a file are right?",
    tasks,
    {"annotation": rows},
    padded=False,
)
