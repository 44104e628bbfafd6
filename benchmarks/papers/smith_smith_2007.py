"""Smith and Smith (2007): probabilistic models of nonprojective trees (Tables 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.engine import Found, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, Verdict, at_least
from benchmarks.papers.thesis_4 import learner_task
from benchmarks.papers.training import scaled, train_task
from headwise.components.scoring.template_file import load_template_file

TREEBANKS = ("CoNLLX_Danish", "CoNLLX_Dutch", "CoNLLX_Portuguese", "CoNLLX_Swedish")
TRAINING = {"MIRA": "MIRA", "CE": "log-linear"}
TABLE_1 = {
    ("map", "MIRA"): (79.9, 81.4, 86.6, 90.0),
    ("map", "CE"): (80.4, 80.2, 87.5, 90.0),
    ("minimum-risk", "MIRA"): (79.4, 80.3, 85.0, 87.2),
    ("minimum-risk", "CE"): (80.5, 80.4, 87.5, 90.0),
}
"""Arabic, Czech, Danish, Dutch."""
TABLE_2 = {(2, "map"): 87.5, (2, "minimum-risk"): 87.3, (2, "max-z"): 86.3} | {
    (16, "map"): 87.6,
    (16, "minimum-risk"): 87.6,
    (16, "max-z"): 87.6,
    (0, "map"): 87.5,
    (0, "minimum-risk"): 87.5,
}
"""Danish."""
CLUSTERS = (2, 16)
LATENT = ("map", "minimum-risk", "max-z")


def squeezed() -> dict[str, list[str]]:
    """McDonald's features without pairs of words and without four tags (section 5.2)."""
    lines = load_template_file("mcdonald")["arc"]

    def is_kept(line: str) -> bool:
        members = line.split()
        words = {
            member.partition(".")[0] for member in members if member.partition(".")[2] in ("form", "prefix5")
        }
        tags = [member for member in members if member.endswith(".pos")]
        return len(words) < 2 and len(tags) < 4

    kept = [line for line in lines if is_kept(line)]
    return {"arc": kept, "label": [line for line in kept if "between" not in line]}


def tasks(scale: Scale) -> dict[str, Task]:
    chosen = TREEBANKS[: scale.treebanks]
    found = {
        f"{name} {treebank}": learner_task(scale, treebank, learner, "np")
        for treebank in chosen
        for name, learner in TRAINING.items()
    }
    for treebank in chosen:
        found[f"tempered {treebank}"] = Task("papers.training:tempered", treebank=treebank, **scaled(scale))
    latent = {"learner": "log-linear", "labels": "latent", "trees": "nonprojective", "gradient__cost": 0.0}
    danish = TREEBANKS[0]
    for k in CLUSTERS:
        settings = {**latent, "latent__clusters": k}
        found[f"K {k}"] = train_task(scale, danish, settings=settings, decoders=list(LATENT), dev="held-out")
        narrow = {**settings, "templates": squeezed()}
        found[f"squeezed {k}"] = train_task(scale, danish, settings=narrow, decoders=["map"], dev="held-out")
    return found


def table_1(found: Found) -> Iterator[Piece]:
    """Table 1: MIRA and conditional estimation, map and minimum risk."""
    chosen = [t for t in TREEBANKS if f"CE {t}" in found]
    rows = []
    for (decoder, train), paper in TABLE_1.items():
        row = {"decode": decoder, "train": train}
        for treebank in chosen:
            row[treebank.removeprefix("CoNLLX_")] = shown(
                percent(counts(found[f"{train} {treebank}"], decoder))
            )
        rows.append(row | {"paper: Danish": shown(paper[2], 1), "paper: Dutch": shown(paper[3], 1)})
    row = {"decode": "minimum-risk, temperature by dev", "train": "MIRA"}
    risky = Comparison()
    for treebank in chosen:
        own = found[f"tempered {treebank}"]
        row[treebank.removeprefix("CoNLLX_")] = shown(percent(counts(own, "minimum-risk")))
        risky.add(counts(own), counts(own, "minimum-risk"))
    rows.insert(3, row)
    yield PaperTable("table-1", "Table 1: training and decoding", rows)
    risk = {train: Comparison() for train in TRAINING}
    training = Comparison()
    for treebank in chosen:
        training.add(counts(found[f"MIRA {treebank}"]), counts(found[f"CE {treebank}"]))
        for train, compared in risk.items():
            result = found[f"{train} {treebank}"]
            compared.add(counts(result, "minimum-risk"), counts(result))
    yield Claim(
        "Minimum-risk decoding hurts a model trained by MIRA",
        risk["MIRA"].is_better(),
        f"the best tree against the minimum-risk tree: {risk['MIRA']}",
    )
    yield Claim(
        "It helps slightly, or does not matter, where likelihood was trained",
        risk["CE"].is_alike() if risk["CE"].gain > 0 else Verdict.holds,
        f"the best tree against the minimum-risk tree: {risk['CE']}",
    )
    yield Claim(
        "(Ours:) at a temperature that dev chooses, it does not hurt models of margins",
        risky.is_alike() if risky.gain < 0 else Verdict.holds,
        f"the minimum-risk tree against the best one: {risky}",
    )
    yield Claim(
        "Conditional estimation is close to MIRA", training.is_alike(), f"CE against MIRA: {training}"
    )


def table_2(found: Found) -> Iterator[Piece]:
    """Table 2: hidden clusters of arcs."""
    danish = TREEBANKS[0]
    base = found[f"CE {danish}"]
    rows = [
        {
            "# cl.": "none",
            "decoding": decoder,
            "Danish": shown(percent(counts(base, decoder))),
            "paper": "87.5",
        }
        for decoder in LATENT[:2]
    ]
    gains = Comparison()
    for k in CLUSTERS:
        result = found[f"K {k}"]
        for decoder in LATENT:
            own = counts(result, decoder)
            rows.append(
                {
                    "# cl.": str(k),
                    "decoding": decoder,
                    "Danish": shown(percent(own)),
                    "paper": shown(TABLE_2.get((k, decoder)), 1),
                }
            )
        gains.add(counts(base), counts(result))
        rows.append(
            {
                "# cl.": f"{k}, squeezed",
                "decoding": "map",
                "Danish": shown(percent(counts(found[f"squeezed {k}"]))),
            }
        )
    yield PaperTable("table-2", "Table 2: hidden clusters of arcs, Danish", rows)
    yield Claim("Hidden clusters change accuracy little", gains.is_alike(), f"clusters against none: {gains}")
    lost = percent(counts(base)) - percent(counts(found[f"squeezed {CLUSTERS[-1]}"]))
    yield Claim(
        "Squeezing features through clusters destroys the parser (25 % accuracy with a thousand clusters)",
        at_least(lost, 20),
        f"without pairs of words and four tags it loses {lost:.1f} points with {CLUSTERS[-1]} clusters",
    )


PAPER = Paper(
    "smith-smith-2007",
    "Smith and Smith (2007): probabilistic models of nonprojective dependency trees",
    tasks,
    (table_1, table_2),
)
