"""Lei, Xin, Zhang, Barzilay and Jaakkola (2014): low-rank tensors (Tables 2 to 6, Figure 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.engine import Found, Line, Plot, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, Verdict, all_of, at_least
from benchmarks.papers.training import CONLLX, scaled, train_task
from headwise.components.scoring.template_file import load_template_file

TABLE_2 = {
    "CoNLLX_Danish": (89.80, 90.64, 90.82, 91.39),
    "CoNLLX_Dutch": (83.77, 84.81, 86.08, 86.41),
    "CoNLLX_Portuguese": (90.67, 90.94, 91.63, 91.92),
    "CoNLLX_Swedish": (89.66, 89.86, 90.83, 91.00),
}
"""Table 2: NT-1st, ours, NT-3rd, ours-3rd."""
PAPER_VECTORS = {"Swedish": (89.86, 90.38), "English": (91.84, 92.07)}
PAPER_TAGLESS = {"Swedish": (79.65, 81.84, 85.90, 88.75), "English": (86.70, 88.89, 90.49, 90.58)}
"""Table 4: NT-1st, the tensor, with vectors; NT-1st with tags."""
SHARES = (0.0, 0.3, 0.6)
QUERIES = ("greatly", "says", "on", "when", "money")


def without_tags(templates: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Where there are no tags, the ends of words would stand in for them; the paper's baseline has none."""
    return {name: tuple(line for line in lines if ".pos" not in line) for name, lines in templates.items()}


MCDONALD = {name: list(lines) for name, lines in load_template_file("mcdonald").items()}
BLIND = {name: list(lines) for name, lines in without_tags(load_template_file("mcdonald")).items()}
WITH_VECTORS = {"Swedish": "CoNLLX_Swedish", "English": "UD_English-EWT"}
TENSOR = {"tensor": {"rank": 50}}


def tasks(scale: Scale) -> dict[str, Task]:
    found = {}
    for treebank in CONLLX[: scale.treebanks]:
        for order in ("first", "third"):
            plain: dict[str, Any] = {"templates": MCDONALD, "trees": "nonprojective"}
            if order == "third":
                plain["roles"] = False
            found[f"NT {order} {treebank}"] = train_task(scale, treebank, preset=order, settings=plain)
            found[f"tensor {order} {treebank}"] = train_task(
                scale, treebank, preset=order, settings={**plain, **TENSOR}
            )
        for share in SHARES:
            settings = {"templates": MCDONALD, "tensor": {"rank": 50, "share": share}}
            found[f"share {share:g} {treebank}"] = train_task(scale, treebank, settings=settings, curve=True)
        found[f"share 1 {treebank}"] = train_task(
            scale, treebank, settings={"templates": MCDONALD}, curve=True
        )
    text = {"text_words": scale.text_words}
    for language, treebank in list(WITH_VECTORS.items())[: scale.treebanks]:
        for name, settings, vectors, tags in (
            ("tensor", {"templates": MCDONALD, **TENSOR}, False, True),
            ("vectors", {"templates": MCDONALD, **TENSOR}, True, True),
            ("-POS NT", {"templates": BLIND}, False, False),
            ("-POS tensor", {"templates": BLIND, **TENSOR}, False, False),
            ("-POS vectors", {"templates": BLIND, **TENSOR}, True, False),
            ("+POS NT", {"templates": MCDONALD}, False, True),
        ):
            found[f"{name}, {language}"] = Task(
                "papers.raw_words:with_vectors",
                treebank=treebank,
                settings=settings,
                vectors=vectors,
                tags=tags,
                **scaled(scale),
                **text,
            )
    alone = {"tensor": {"rank": 50, "share": 0.0}}
    found["neighbours"] = Task(
        "papers.raw_words:neighbours",
        treebank="UD_English-EWT",
        settings=alone,
        queries=list(QUERIES),
        **scaled(scale),
    )
    return found


def measured(found: Found) -> list[str]:
    return [t for t in CONLLX if f"NT first {t}" in found]


def table_2(found: Found) -> Iterator[Piece]:
    """Table 2: first and third order, with and without a tensor."""
    rows = []
    gains = {order: Comparison() for order in ("first", "third")}
    for treebank in measured(found):
        row = {"": treebank.removeprefix("CoNLLX_")}
        for order, compared in gains.items():
            pair = [counts(found[f"{which} {order} {treebank}"]) for which in ("NT", "tensor")]
            compared.add(*pair)
            short = {"first": "1st", "third": "3rd"}[order]
            row |= {f"NT-{short}": shown(percent(pair[0])), f"Ours-{short}": shown(percent(pair[1]))}
        rows.append(row)
        columns = ("NT-1st", "Ours-1st", "NT-3rd", "Ours-3rd")
        rows.append({"": "paper", **dict(zip(columns, map(shown, TABLE_2[treebank]), strict=True))})
    yield PaperTable("table-2", "Table 2: McDonald's features, without (NT) and with a tensor", rows)
    for order, compared in gains.items():
        yield Claim(
            f"A tensor improves {order} order ({'0.7' if order == 'first' else '0.3'} points on average)",
            compared.is_better(),
            str(compared),
        )


def figure_1(found: Found) -> Iterator[Piece]:
    """Figure 1: by epoch and share."""
    lines = []
    finals = {}
    for share in (*SHARES, 1):
        curves = [found[f"share {share:g} {t}"]["epochs"] for t in measured(found)]
        mean = np.mean(curves, axis=0).tolist()
        finals[share] = mean[-1]
        lines.append(Line("NT-1st" if share == 1 else f"γ = {share:g}", list(enumerate(mean, 1))))
    yield Plot("figure-1", "Figure 1: UAS after each epoch", lines, "epoch", "UAS on test, all words")
    better = [Verdict.holds if finals[share] > finals[1] else Verdict.does_not for share in SHARES]
    yield Claim(
        "The tensor helps for every choice of γ",
        all_of(better),
        ", ".join(f"γ = {share:g}: {finals[share] - finals[1]:+.2f}" for share in SHARES)
        + " in the last epoch",
    )


def tables_3_and_4(found: Found) -> Iterator[Piece]:
    """Tables 3 and 4: vectors of words; without tags."""
    third, fourth = [], []
    gained, abstracted, seeing = Comparison(), Comparison(), Comparison()
    for language in WITH_VECTORS:
        if f"tensor, {language}" not in found:
            continue
        own = {
            name: counts(found[f"{name}, {language}"])
            for name in ("tensor", "vectors", "-POS NT", "-POS tensor", "-POS vectors", "+POS NT")
        }
        gained.add(own["tensor"], own["vectors"])
        abstracted.add(own["-POS NT"], own["-POS tensor"])
        seeing.add(own["-POS tensor"], own["-POS vectors"])
        third += [
            {
                "": language,
                "no word vector": shown(percent(own["tensor"])),
                "with": shown(percent(own["vectors"])),
            },
            {
                "": "paper",
                "no word vector": shown(PAPER_VECTORS[language][0]),
                "with": shown(PAPER_VECTORS[language][1]),
            },
        ]
        names = ("-POS NT", "-POS tensor", "-POS vectors", "+POS NT")
        fourth.append({"": language, **{name: shown(percent(own[name])) for name in names}})
        fourth.append({"": "paper", **dict(zip(names, map(shown, PAPER_TAGLESS[language]), strict=True))})
    yield PaperTable("table-3", "Table 3: vectors of words in the tensor", third)
    yield Claim("Vectors of words improve the tensor", gained.is_better(), str(gained))
    yield PaperTable("table-4", "Table 4: without tags of parts of speech", fourth)
    yield Claim(
        "Without tags, the tensor gains much, and vectors more",
        all_of([abstracted.is_better(), seeing.is_better()]),
        f"tensor {abstracted}; vectors on top {seeing}",
    )


def table_5(found: Found) -> Iterator[Piece]:
    """Table 5: neighbours."""
    near = found["neighbours"]["near"]
    rows = [{"Word": word, "Neighbours": ", ".join(words) or "(not there)"} for word, words in near.items()]
    yield PaperTable("table-5", "Table 5: words that a tensor alone takes for alike, English EWT", rows)


def table_6(found: Found) -> Iterator[Piece]:
    """Table 6: training time."""
    rows = []
    ratios = []
    for treebank in measured(found):
        plain, tensor = found[f"NT first {treebank}"], found[f"tensor first {treebank}"]
        ratios.append(tensor["train_cpu_seconds"] / plain["train_cpu_seconds"])
        rows.append(
            {
                "": treebank.removeprefix("CoNLLX_"),
                "#Tok.": f"{plain['words']:,}",
                "Len.": f"{plain['words'] / plain['train_sentences']:.0f}",
                "NT-1st, CPU s": shown(plain["train_cpu_seconds"], 1),
                "Ours, CPU s": shown(tensor["train_cpu_seconds"], 1),
                "times": shown(ratios[-1], 1),
            }
        )
    for name, (tokens, length, plain_hours, tensor_hours) in {
        "paper: Arabic": ("42K", 32, 0.13, 0.22),
        "paper: Chinese": ("337K", 6, 0.37, 0.65),
        "paper: English": ("958K", 24, 1.88, 2.83),
    }.items():
        rows.append(
            {"": name, "#Tok.": tokens, "Len.": str(length), "times": shown(tensor_hours / plain_hours, 1)}
        )
    yield PaperTable("table-6", "Table 6: time to train", rows)
    yield Claim(
        "A tensor makes training less than twice as long",
        at_least(100 * 2 / float(np.mean(ratios)), 100),
        f"{float(np.mean(ratios)):.1f} times as long here: without it there is little left to do",
    )


PAPER = Paper(
    "lei-2014",
    "Lei, Xin, Zhang, Barzilay and Jaakkola (2014): low-rank tensors",
    tasks,
    (table_2, figure_1, tables_3_and_4, table_5, table_6),
)
