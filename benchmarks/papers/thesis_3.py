"""Koo's thesis (2010), chapter 3: clusters of words (Tables 3.2 to 3.8)."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.engine import Found, Result, Scale, Task, shown
from benchmarks.measuring.attachment import percent
from benchmarks.measuring.training import counts
from benchmarks.papers.page import Claim, Comparison, Paper, PaperTable, Piece, all_of

ENGLISH, OTHER = "UD_English-EWT", "CoNLLX_Swedish"
"""Swedish stands in for Czech."""
NAMES = ("dep1", "dep1c", "dep2", "dep2c")
ALL = 10**9
THESIS_CURVE = {  # Table 3.3: (size, tagger) → dep1, dep1c, dep2, dep2c
    (1000, "full"): (84.54, 85.90, 86.29, 87.47),
    (2000, "full"): (86.20, 87.65, 87.67, 88.88),
    (4000, "full"): (87.79, 89.15, 89.22, 90.46),
    (8000, "full"): (88.92, 90.22, 90.62, 91.55),
    (ALL, "full"): (90.89, 92.33, 92.42, 93.30),
    (1000, "reduced"): (80.49, 84.06, 81.95, 85.33),
    (2000, "reduced"): (83.47, 86.04, 85.02, 87.54),
    (4000, "reduced"): (86.53, 88.39, 87.88, 89.67),
    (8000, "reduced"): (88.25, 89.94, 89.71, 91.37),
    (ALL, "reduced"): (90.89, 92.33, 92.42, 93.30),
}
THESIS_WORDS = {  # Table 3.7
    100: (89.19, 92.25, 90.61, 93.14),
    200: (90.03, 92.26, 91.35, 93.18),
    400: (90.31, 92.32, 91.72, 93.20),
    800: (90.62, 92.33, 91.89, 93.30),
    1600: (90.87, None, 92.20, None),
}
THESIS_TAGLESS = {"dep1": (77.19, 90.69), "dep2": (86.73, 91.84)}  # Table 3.8
SIZES = {"quick": (250, 500, None), "full": (1000, 2000, 4000, 8000, None)}
THRESHOLDS = {"quick": (100, 800), "full": (100, 200, 400, 800, 1600)}
TABLE_3_2 = {"dep1": 90.84, "dep1c": 92.23, "dep2": 92.02, "dep2c": 93.16}
TABLE_3_2_L = {"dep1": 90.32, "dep1c": 91.24, "dep2": 91.38, "dep2c": 92.14}
TABLE_3_4 = {"dep1": 84.49, "dep1c": 86.07, "dep2": 86.13, "dep2c": 87.13}
TABLE_3_6 = {1000: (72.79, 73.66, 74.35, 74.63), 2000: (74.92, 76.23, 76.63, 77.60)} | {
    4000: (76.87, 78.14, 78.34, 79.34),
    8000: (78.17, 79.83, 79.82, 80.98),
    ALL: (84.36, 86.09, 86.09, 87.26),
}


def tasks(scale: Scale) -> dict[str, Task]:
    common = {
        "whole": scale.sentences,
        "measured": scale.measured,
        "epochs": scale.epochs,
        "clusters": scale.clusters,
        "text_words": scale.text_words,
    }

    def four(treebank: str, size: int | None, **changes: object) -> Task:
        return Task("papers.raw_words:four", treebank=treebank, size=size, **common, **changes)

    found = {}
    for size in SIZES[scale.name]:
        for tags in ("full", "reduced"):
            if tags == "reduced" or size is not None:
                found[f"curve {tags} {size or ALL}"] = four(ENGLISH, size, tags=tags)
        found[f"other {size or ALL}"] = four(OTHER, size)
    for threshold in THRESHOLDS[scale.name]:
        found[f"words {threshold}"] = four(ENGLISH, None, frequent=threshold)
    found["tagless"] = four(ENGLISH, None, tags="none")
    found["labelled"] = four(ENGLISH, None, labels=True)
    return found


def row(result: Result, measure: str = "uas") -> dict[str, str]:
    own = {name: percent(counts(result[name], measure=measure)) for name in NAMES}
    columns = {}
    for order in ("dep1", "dep2"):
        columns |= {order: shown(own[order]), f"{order}c": shown(own[f"{order}c"])}
        columns[f"Δ {order}"] = f"{own[f'{order}c'] - own[order]:+.2f}"
    return columns


def thesis_row(values: dict[str, float] | tuple[float, ...] | None) -> dict[str, str]:
    if values is None:
        return {}
    own = values if isinstance(values, dict) else dict(zip(NAMES, values, strict=True))
    columns = {name: shown(value) for name, value in own.items()}
    return columns | {f"Δ {order}": f"{own[f'{order}c'] - own[order]:+.2f}" for order in ("dep1", "dep2")}


def gain(results: list[Result], measure: str = "uas") -> Comparison:
    compared = Comparison()
    for result in results:
        for order in ("dep1", "dep2"):
            compared.add(counts(result[order], measure=measure), counts(result[f"{order}c"], measure=measure))
    return compared


def table_3_2(found: Found) -> Iterator[Piece]:
    """Tables 3.2, 3.4 and 3.5: clusters, unlabelled and labelled."""
    english, other, labelled = found[f"curve reduced {ALL}"], found[f"other {ALL}"], found["labelled"]
    rows = [
        {"": "English EWT", **row(english)},
        {"": "thesis, Table 3.2, section 23", **thesis_row(TABLE_3_2)},
        {"": "English EWT, labelled", **row(labelled, "las")},
        {"": "thesis, Table 3.2, labelled", **thesis_row(TABLE_3_2_L)},
        {"": "Swedish", **row(other)},
        {"": "thesis, Tables 3.4 and 3.5, Czech", **thesis_row(TABLE_3_4)},
    ]
    yield PaperTable("table-3-2", "Tables 3.2, 3.4 and 3.5: with and without clusters", rows)
    compared = {"English": gain([english]), "labelled": gain([labelled], "las"), "Swedish": gain([other])}
    yield Claim(
        "Clusters help at either order, labelled or not",
        all_of([one.is_better() for one in compared.values()]),
        "; ".join(f"{name} {one}" for name, one in compared.items()),
    )


def table_3_3(found: Found) -> Iterator[Piece]:
    """Tables 3.3 and 3.6: by the size of the treebank."""
    rows = []
    gains: dict[str, list[Result]] = {}
    for name, result in found.named("curve ").items():
        tags, size = name.split()
        gains.setdefault(tags, []).append(result)
        shown_size = f"{result['sentences']:,}"
        rows.append({"": f"English, tagger {tags}", "Size": shown_size, **row(result)})
        rows.append({"": "thesis", "Size": size, **thesis_row(THESIS_CURVE.get((int(size), tags)))})
    for size, result in found.named("other ").items():
        rows.append({"": "Swedish", "Size": f"{result['sentences']:,}", **row(result)})
        rows.append({"": "thesis, Czech", "Size": size, **thesis_row(TABLE_3_6.get(int(size)))})
    rows = [one for one in rows if len(one) > 2]
    for one in rows:
        one["Size"] = one["Size"].replace(str(ALL), "all")
    yield PaperTable("table-3-3", "Tables 3.3 and 3.6: by the number of training sentences", rows)
    full, reduced = gain(gains["full"]), gain(gains["reduced"])
    yield Claim(
        "Clusters help at every size of the treebank",
        all_of([gain([result]).is_better() for results in gains.values() for result in results]),
        f"full tagger {full}; reduced tagger {reduced}",
    )


def table_3_7(found: Found) -> Iterator[Piece]:
    """Table 3.7: frequent words only."""
    rows = []
    results = found.named("words ") | {"All": found[f"curve reduced {ALL}"]}
    for threshold, result in results.items():
        own = {name: shown(percent(counts(result[name]))) for name in NAMES}
        paper = THESIS_WORDS.get(int(threshold)) if threshold != "All" else (90.89, None, 92.42, None)
        rows.append({"N": threshold, **own, "thesis": " ".join(shown(v) or "–" for v in paper or ())})
    yield PaperTable("table-3-7", "Table 3.7: only the N most frequent words are told apart, English", rows)
    least = min(int(t) for t in results if t != "All")
    lost = {
        name: Comparison([counts(results[str(least)][name])], [counts(results["All"][name])])
        for name in ("dep2", "dep2c")
    }
    yield Claim(
        "With clusters few words have to be told apart; without them accuracy suffers",
        all_of([lost["dep2"].is_better(), lost["dep2c"].is_alike()]),
        f"all words against {least}: without clusters {lost['dep2']}; with clusters {lost['dep2c']}",
    )


def table_3_8(found: Found) -> Iterator[Piece]:
    """Table 3.8: without tags."""
    result, tagged = found["tagless"], found[f"curve reduced {ALL}"]
    ours = {}
    thesis = {}
    for order, (plain, clustered) in THESIS_TAGLESS.items():
        ours |= {
            f"{order}-P": shown(percent(counts(result[order]))),
            f"{order}c-P": shown(percent(counts(result[f"{order}c"]))),
        }
        ours[order] = shown(percent(counts(tagged[order])))
        thesis |= {f"{order}-P": shown(plain), f"{order}c-P": shown(clustered)}
        thesis[order] = shown({"dep1": 90.89, "dep2": 92.42}[order])
    yield PaperTable(
        "table-3-8", "Table 3.8: without tags, English", [{"": "ours", **ours}, {"": "thesis", **thesis}]
    )
    compared = gain([result])
    yield Claim(
        "Without tags, clusters make up for much of them", compared.is_better(), f"clusters gain {compared}"
    )


PAPER = Paper(
    "thesis-3",
    "Koo (2010), thesis, chapter 3: features of word clusters",
    tasks,
    (table_3_2, table_3_3, table_3_7, table_3_8),
    "Tags are predicted. The thesis has clusters of 43 million words of news; ours are of other texts.",
)
