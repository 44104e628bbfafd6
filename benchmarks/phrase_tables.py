"""Tables 1, 2 and 3 and Figure 5 of Rush et al. (2010): what was measured, and the paper's figures below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from headwise.constituency.evaluation import BracketScores, compare_brackets
from headwise.constituency.joined import JoinedParse
from report import Row, Table

PAPERS_TABLE_1 = {
    "Dep": (43.5, 20.1, 10.2, 4.9, 14.0, 5.7, 1.4, 0.4),
    "POS": (58.7, 15.4, 6.3, 3.6, 10.3, 3.8, 0.8, 1.1),
}
PAPERS_TABLE_2 = (
    ("Model 1", (88.4, 87.8, 88.1), 91.4, None),
    ("baseline", (89.9, 89.6, 89.7), 93.3, None),
    ("joined", (91.0, 90.4, 90.7), 93.8, None),
)
PAPERS_TABLE_3 = (("fixed tags", (88.1, 87.6, 87.9), None, 96.7), ("joined", (88.7, 88.0, 88.3), None, 97.1))
PAPERS_FIGURE_5 = {5: 90.63, 10: 90.69, 50: 90.7}
"""F1 by the number of iterations, where the text gives it."""
COLUMNS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 10), (11, 20), (21, 50))


PapersRow = tuple[str, tuple[float, float, float], float | None, float | None]
"""A name, P R F1, UAS and tags."""


@dataclass(frozen=True)
class Measured:
    """What a system made of the gold trees."""

    name: str
    brackets: BracketScores | None
    uas: float
    tags: float
    seconds: float
    slowest: float
    parses: Sequence[JoinedParse] = ()

    sentences: int = 0

    @property
    def per_second(self) -> float:
        return self.sentences / self.seconds


JOINED = ("joined, as in the paper", "joined")
PENN = "paper (Penn)"


@dataclass
class PhraseTables:
    """What is known so far, treebank by treebank."""

    dependencies: list[Row] = field(default_factory=list)
    tags: list[Row] = field(default_factory=list)
    convergence: list[Row] = field(default_factory=list)
    against: list[Row] = field(default_factory=list)
    figures: dict[str, list[Row]] = field(default_factory=dict)

    def add(
        self, treebank: str, with_dependencies: Mapping[str, Measured], with_tags: Mapping[str, Measured]
    ) -> None:
        self.dependencies += [score_row(treebank, one) for one in with_dependencies.values()]
        self.tags += [score_row(treebank, one) for one in with_tags.values()]
        for other, rows in (("dependencies", with_dependencies), ("tags", with_tags)):
            for name in JOINED:
                shares = iteration_shares(rows[name].parses)
                self.convergence.append(convergence_row(treebank, other, name, shares))
            self.against.append({"Treebank": treebank, "Joined with": other, **compared(rows)})

    def add_figure(self, treebank: str, points: Iterable[Mapping[str, float]]) -> None:
        self.figures[treebank] = [figure_row(point) for point in points]

    def tables(self, facts: Mapping[str, str]) -> list[Table]:
        papers = [
            convergence_row(PENN, other, JOINED[0], [*shares[:-1], 0.0, shares[-1]])
            for other, shares in zip(("dependencies", "tags"), PAPERS_TABLE_1.values(), strict=True)
        ]
        return [
            Table(
                "Phrase structure and dependencies (Table 2)",
                facts,
                [*self.dependencies, *map(papers_row, PAPERS_TABLE_2)],
            ),
            Table(
                "Phrase structure and tags (Table 3)", facts, [*self.tags, *map(papers_row, PAPERS_TABLE_3)]
            ),
            Table("Joined, against Model 1 with given tags", facts, self.against),
            Table("Sentences by the number of iterations, % (Table 1)", facts, [*self.convergence, *papers]),
            *(
                Table(f"{treebank}: at most K iterations (Figure 5)", facts, rows)
                for treebank, rows in self.figures.items()
            ),
        ]


def score_row(treebank: str, one: Measured) -> Row:
    scores = one.brackets
    row = {
        "Treebank": treebank,
        "System": one.name,
        **dict.fromkeys(("P", "R", "F1", "exact", "crossing"), ""),
    }
    if scores:
        shares = {"P": scores.precision, "R": scores.recall, "F1": scores.f1, "exact": scores.exact_match}
        row |= {name: f"{100 * share:.2f}" for name, share in shares.items()}
        row["crossing"] = f"{scores.crossing:.2f}"
    proved = f"{100 * sum(p.exact for p in one.parses) / len(one.parses):.2f}" if one.parses else ""
    return row | {
        "UAS": f"{100 * one.uas:.2f}",
        "tags": f"{100 * one.tags:.2f}" if scores else "",
        "proved, %": proved,
        "sentences/s": f"{one.per_second:,.1f}",
        "slowest, s": f"{one.slowest:.2f}",
    }


def papers_row(row: PapersRow) -> Row:
    name, brackets, uas, tags = row
    return {
        "Treebank": PENN,
        "System": name,
        **dict(zip(("P", "R", "F1"), map(str, brackets), strict=True)),
        **dict.fromkeys(("exact", "crossing"), ""),
        "UAS": str(uas or ""),
        "tags": str(tags or ""),
        **dict.fromkeys(("proved, %", "sentences/s", "slowest, s"), ""),
    }


def iteration_shares(parses: Sequence[JoinedParse]) -> list[float]:
    """Of each column, of more iterations than these, and without a proof, in per cent."""
    counts = [sum(p.exact and a <= p.iterations <= b for p in parses) for a, b in COLUMNS]
    most = COLUMNS[-1][1]
    counts += [sum(p.exact and p.iterations > most for p in parses), sum(not p.exact for p in parses)]
    return [100 * count / len(parses) for count in counts]


def convergence_row(treebank: str, other: str, system: str, shares: Sequence[float]) -> Row:
    names = [f"{a}" if a == b else f"{a}–{b}" for a, b in COLUMNS]
    figures = zip([*names, "more", "no proof"], (f"{share:.1f}" for share in shares), strict=True)
    return {"Treebank": treebank, "With": other, "System": system, **dict(figures)}


def compared(rows: Mapping[str, Measured]) -> Row:
    joined, alone = rows["joined"].brackets, rows["Model 1, fixed tags"].brackets
    assert joined is not None
    assert alone is not None
    found = compare_brackets(joined, alone)
    return {
        "F1 gain": f"{100 * found.permutation.difference:+.2f}",
        "p (permutations)": f"{found.permutation.p_value:.4f}",
        "p (signs)": f"{found.sign.p_value:.4f}",
    }


def figure_row(point: Mapping[str, float]) -> Row:
    most = int(point["most"])
    dependencies = PAPERS_TABLE_1["Dep"]
    done = sum(share for (_, last), share in zip(COLUMNS, dependencies, strict=False) if last <= most)
    done = min(done, 100 - dependencies[-1])  # the columns are rounded
    return {
        "K": str(most),
        "F1": f"{point['f1']:.2f}",
        "proved, %": f"{point['proved']:.1f}",
        "the same as the last, %": f"{point['same']:.1f}",
        "paper: F1": str(PAPERS_FIGURE_5.get(most, "")),
        "paper: proved, %": f"{done:.1f}" if any(last == most for _, last in COLUMNS) else "",
    }
