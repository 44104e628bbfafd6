"""How much of a file must a person look at and change until 97 % of its words are right?

    python benchmarks/annotation.py -o annotation.md
    python benchmarks/annotation.py UD_Gothic --preset third --models models
    python benchmarks/annotation.py UD_Gothic --seed-sentences 300 --retrain 500

A parser is trained on the training set and the test set is annotated with its help; gold answers in the place
of a person. Three things are counted until head and label of 97 % of all words are right:

- words looked at: each of them is confirmed or corrected, head and label;
- words changed: those that were wrong when they were looked at;
- things set: heads and labels that had to be given by hand (a word may need both).

Reading in order without parsing again is what an annotator does in an ordinary editor: every word up to some
place of the file is looked at. "Sentence by sentence" is the order of the page of headwise annotate: the
sentence with the most doubtful word, in it all words that are wrong with at least 5 %, then the next one.

--oracle adds an order that nobody can have: it knows gold, and always takes the wrong word whose correction
mends the most. No order that asks about one word at a time can be expected to need much fewer changes.

With --seed-sentences the parser is trained on the first sentences of the training set alone (log-linear), and
with --retrain again after every so many words, on these and on what is annotated by then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush

import numpy as np

from experiment import cpu_seconds, note
from headwise import Parser
from headwise.components.parser.parse import Parse
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, read
from headwise.web.annotate import Decision, Suggester
from headwise.web.annotate.suggestions import doubts_of
from options import add_models_option, benchmark_options
from report import Report, Row, Table, command_line, machine
from shared_data import find_treebank

TREEBANKS = ("UD_Gothic-PROIEL", "UD_Greek-GDT", "UD_French-Sequoia")
TARGET = 0.97
DOUBTFUL = 0.05
"""Words that the page stops at."""
QUICK = 60
"""Sentences of each part with --quick."""


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


def annotate_and_train(
    gold: Sequence[Sentence],
    seed_sentences: Sequence[Sentence],
    parser: Parser,
    settings: TrainingSettings,
    every: int,
    order: str,
) -> Count:
    """Train again after every so many words, on all that is annotated by then."""
    desk = Desk(gold, Suggester(parser), True)
    while desk.right < TARGET:
        since = desk.count.looked_at
        for i, m in places(desk, order):
            if desk.right >= TARGET or desk.count.looked_at - since >= every:
                break
            desk.ask(i, m)
        if desk.right >= TARGET:
            break
        done = [
            sentence.with_tree([-1 if d.head is None else d.head for d in own], [d.label or "_" for d in own])
            for sentence, own in zip(gold, desk.decisions, strict=True)
            if any(d.is_whole for d in own)
        ]
        note(f"  {desk.count.looked_at} words looked at, {100 * desk.right:.2f} % right; training again")
        desk.suggester = Suggester(Parser.train([*seed_sentences, *done], settings=settings))
        desk.parse_all()
    return desk.count


def row(name: str, strategy: str, words: int, count: Count, base: Count) -> Row:
    def with_share(own: int, of: int) -> str:
        return f"{own:,} ({own / of:.2f})" if of else f"{own:,}"

    return {
        "treebank": name,
        "order": strategy,
        "words": f"{words:,}",
        "LAS before": f"{100 * count.start:.2f}",
        "looked at": with_share(count.looked_at, base.looked_at),
        "changed": with_share(count.changed, base.changed),
        "set": with_share(count.set, base.set),
    }


def main(arguments: list[str]) -> None:
    options = benchmark_options(__doc__, treebanks=TREEBANKS)
    options.add_argument("--preset", default="first", help="of the parser; default: first")
    options.add_argument("--seed-sentences", type=int, help="train on so many sentences alone, log-linear")
    options.add_argument("--oracle", action="store_true", help="also the order that knows gold")
    options.add_argument("--retrain", type=int, help="… and again after so many words")
    add_models_option(options)
    given = options.parse_args(arguments)
    report = Report(given.output)
    rows: list[Row] = []
    learner = {"learner": "log-linear"} if given.seed_sentences else {}
    epochs = {"epochs": given.epochs} if given.epochs else {}
    settings = TrainingSettings.preset(given.preset, seed=1, **learner, **epochs)
    facts = {
        "command": command_line(sys.argv[0], arguments),
        "machine": machine(),
        "until": f"{TARGET:.0%} of all words have the right head and label",
        "in brackets": "the ratio to reading in order without parsing again",
    }
    title = f"Annotation with a parser of preset {given.preset}"
    for name in given.treebanks:
        split = find_treebank(name)
        train = list(read(split.train))[: given.seed_sentences]
        gold = list(read(split.test))
        if given.quick:
            train, gold = train[: 5 * QUICK], gold[:QUICK]
        parser = trained(split.name, train, settings, given)
        base = Count()
        for strategy in (*STRATEGIES, ORACLE) if given.oracle else STRATEGIES:
            count, seconds = cpu_seconds(partial(annotate, gold, parser, strategy))
            base = count if strategy is STRATEGIES[0] else base
            note(f"{split.name}: {strategy.name}: {count} ({seconds:.0f} s)")
            rows.append(row(split.name, strategy.name, sum(map(len, gold)), count, base))
            report.draft(Table(title, facts, rows))
        if given.seed_sentences and given.retrain:
            for order in ("file", "doubt"):
                count = annotate_and_train(gold, train, parser, settings, given.retrain, order)
                said = "in order" if order == "file" else "most doubtful first"
                rows.append(row(split.name, f"{said}, trained again", sum(map(len, gold)), count, base))
                report.draft(Table(title, facts, rows))
    report.add(Table(title, facts, rows))


def trained(name: str, train: list[Sentence], settings: TrainingSettings, given) -> Parser:  # type: ignore[no-untyped-def]
    if given.models is None:
        return Parser.train(train, settings=settings)
    path = given.models / f"{name}-{given.preset}-{settings.learner}-{len(train)}.hw"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        Parser.train(train, settings=settings).save(path)
    return Parser.load(path)


if __name__ == "__main__":
    main(sys.argv[1:])
