"""What a page is made of: tables with the paper's row beside ours, plots, and claims that are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from benchmarks.engine import Found, Plot, Row, Scale, Task
from benchmarks.engine.markdown import markdown_table
from benchmarks.measuring.attachment import joined, percent, shown_chance
from headwise.evaluation import SentenceCounts, permutation_test

LEVEL = 0.05
"""What is less likely by chance is called significant."""


class Verdict(Enum):
    holds = "holds here"
    in_part = "holds in part"
    does_not = "does not hold here"


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what our figures say of it."""

    text: str
    verdict: Verdict
    evidence: str


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper, with rows of the paper and of ours."""

    name: str
    """For the marker of its figures: letters, digits and hyphens."""
    title: str
    rows: list[Row]
    note: str = ""

    def to_markdown(self) -> str:
        return markdown_table(self.rows)


Piece = PaperTable | Plot | Claim
Block = Callable[[Found], Iterable[Piece]]


@dataclass(frozen=True)
class Paper:
    """A paper: its tasks at a scale, and the blocks of its page, each made of results."""

    name: str
    title: str
    tasks: Callable[[Scale], Mapping[str, Task]]
    blocks: Sequence[Block]
    preamble: str = ""


@dataclass
class Comparison:
    """Two systems over treebanks: is the second one better than the first?"""

    first: list[SentenceCounts] = field(default_factory=list)
    second: list[SentenceCounts] = field(default_factory=list)

    def add(self, first: SentenceCounts, second: SentenceCounts) -> None:
        self.first.append(first)
        self.second.append(second)

    @property
    def gain(self) -> float:
        """In points, over all sentences."""
        return percent(joined(self.second)) - percent(joined(self.first))

    @property
    def p(self) -> float:
        return permutation_test(joined(self.first), joined(self.second)).p_value

    @property
    def opposed(self) -> int:
        """Treebanks on which the first is better, by more than chance."""
        return sum(
            percent(b) < percent(a) and permutation_test(a, b).p_value < LEVEL
            for a, b in zip(self.first, self.second, strict=True)
        )

    def __str__(self) -> str:
        sentences = sum(len(counts.gold) for counts in self.first)
        return f"{self.gain:+.2f} points over {sentences:,} sentences, p {shown_chance(self.p)}"

    def is_better(self) -> Verdict:
        """Of a claim that the second is better."""
        if self.gain > 0 and self.p < LEVEL:
            return Verdict.in_part if self.opposed else Verdict.holds
        return Verdict.in_part if self.gain > 0 else Verdict.does_not

    def is_alike(self) -> Verdict:
        """Of a claim that the two do not differ."""
        if self.p >= LEVEL:
            return Verdict.holds
        return Verdict.in_part if abs(self.gain) < 0.3 else Verdict.does_not


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Of a claim with several parts."""
    found = set(verdicts)
    if found == {Verdict.holds}:
        return Verdict.holds
    return Verdict.does_not if found == {Verdict.does_not} else Verdict.in_part


def at_least(share: float, wanted: float) -> Verdict:
    """Of a claim about a share, in percent."""
    return Verdict.holds if share >= wanted else Verdict.does_not
