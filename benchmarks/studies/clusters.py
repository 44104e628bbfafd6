"""What clusters of words from raw text bring (Koo's thesis, chapter 3), and what making them costs."""

from __future__ import annotations

import time
from statistics import fmean
from typing import Any

from benchmarks.engine import PARSING, WORDS, Found, Result, Row, Scale, Study, Task, shown
from benchmarks.measuring.attachment import shown_chance
from benchmarks.measuring.data import data
from benchmarks.measuring.texts import first_words
from benchmarks.measuring.training import counts, score
from benchmarks.papers.thesis_3 import ALL, THESIS_CURVE, THESIS_TAGLESS
from headwise.evaluation import permutation_test
from headwise.words.clusters import brown_clusters, count_words

TREEBANKS = ("UD_English-EWT", "CoNLLX_Swedish-Talbanken05", "UD_Portuguese-Bosque")
SIZES = (1000, None)
AMOUNTS = ((0, 0), (1, 100), (1, 1000), (4, 320), (8, 320))
"""Million words of text, and how many clusters are made of them."""
RUNS = ((2, 100), (2, 200), (2, 400), (2, 1000), (7, 1000), (14, 1000))
DEPENDS = (*WORDS, *PARSING)


def tasks(scale: Scale) -> dict[str, Task]:
    def four(treebank: str, size: int | None, **changes: Any) -> Task:
        common: dict[str, Any] = {
            "whole": scale.sentences,
            "measured": scale.measured,
            "epochs": scale.epochs or 10,
            "clusters": scale.clusters,
            "text_words": scale.text_words,
        }
        return Task(
            "papers.raw_words:four", depends=DEPENDS, treebank=treebank, size=size, **{**common, **changes}
        )

    found = {}
    for treebank in TREEBANKS[: scale.treebanks]:
        for size in SIZES:
            found[f"curve {treebank} {size or ALL}"] = four(treebank, size)
        found[f"tagless {treebank} {SIZES[0]}"] = four(treebank, SIZES[0], tags="none")
    for millions, clusters in AMOUNTS[1:]:
        amount = {"text_words": millions * 1_000_000, "clusters": clusters}
        found[f"amount {millions} {clusters}"] = four(TREEBANKS[0], SIZES[0], **amount)
    return found


def gains(result: Result, order: str = "dep2", suffix: str = "") -> tuple[Row, float]:
    """Without and with clusters."""
    plain, clustered = result[order], result[f"{order}c"]
    gain = score(clustered) - score(plain)
    row = {f"{order}{suffix}": shown(score(plain)), f"{order}c{suffix}": shown(score(clustered))}
    p = permutation_test(counts(plain), counts(clustered)).p_value
    return row | {f"{order} gain": f"{gain:+.2f}", f"{order} p": shown_chance(p)}, gain


def curve(found: Found) -> list[Row]:
    """Tables 3.2 and 3.3: by the size of the treebank; taggers see the same sentences."""
    rows = []
    for size in SIZES:
        all_gains = []
        for treebank in TREEBANKS:
            if (name := f"curve {treebank} {size or ALL}") in found:
                own, gain = gains(found[name])
                rows.append({"treebank": treebank, "sentences": f"{found[name]['sentences']:,}", **own})
                all_gains.append(gain)
        shown_size = f"{size:,}" if size else "all"
        rows.append({"treebank": "mean", "sentences": shown_size, "dep2 gain": f"{fmean(all_gains):+.2f}"})
        thesis = THESIS_CURVE[size or ALL, "reduced"]
        row = {
            "treebank": "thesis",
            "sentences": shown_size,
            "dep2": shown(thesis[2]),
            "dep2c": shown(thesis[3]),
        }
        rows.append(row | {"dep2 gain": f"{thesis[3] - thesis[2]:+.2f}"})
    return rows


def tagless(found: Found) -> list[Row]:
    """Table 3.8: without tags, lemmas and morphology."""
    rows = []
    thesis = THESIS_TAGLESS["dep2"]
    for name, result in found.named("tagless ").items():
        row = {
            "treebank": name.split()[0],
            "sentences": f"{result['sentences']:,}",
            **gains(result, suffix="-P")[0],
        }
        rows.append(row | {"dep2 gain (thesis)": f"{thesis[1] - thesis[0]:+.2f}"})
    return rows


def amounts(found: Found) -> list[Row]:
    """More text and more clusters, tagger and parser with them."""
    rows = []
    for millions, clusters in AMOUNTS:
        source = f"amount {millions} {clusters}" if clusters else f"curve {TREEBANKS[0]} {SIZES[0]}"
        uas = score(found[source]["dep2c" if clusters else "dep2"])
        rows.append({"million words of text": str(millions), "clusters": f"{clusters:,}", "UAS": shown(uas)})
    return rows


STUDY = Study(
    "clusters",
    "What do clusters of words from raw text bring?",
    tasks,
    {"clusters-curve": curve, "clusters-tagless": tagless, "clusters-text": amounts},
    padded=False,
)


def clustered(million_words: int, clusters: int, least_often: int, text: str = "en-modern") -> Result:
    """Processor seconds of one run, and what it takes and finds; the peak of memory is the task's."""
    path = first_words(data() / "text" / f"{text}.txt.xz", million_words * 1_000_000)
    started = time.process_time()
    counter = count_words([path])
    bigrams = counter.bigrams(least_often)
    read = time.process_time()
    run = brown_clusters(bigrams, clusters)
    done = time.process_time()
    return {
        "words": counter.words,
        "types": len(bigrams.words),
        "bits": run.information,
        "reading": read - started,
        "clustering": done - read,
    }


def speed_tasks(scale: Scale) -> dict[str, Task]:
    return {
        f"{millions} million words, {clusters} clusters": Task(
            "studies.clusters:clustered",
            depends=WORDS,
            million_words=millions,
            clusters=clusters,
            least_often=1 if millions <= 2 else 2,
        )
        for millions, clusters in (RUNS if scale.is_full else ((2, scale.clusters),))
    }


def speed_rows(found: Found) -> list[Row]:
    rows = []
    for name in found:
        one, document = found[name], found.document(name)
        assert document is not None
        rows.append(
            {
                "million words": shown(one["words"] / 1e6, 1),
                "clusters": name.split(", ")[1].split()[0],
                "different words": shown(one["types"]),
                "bits": shown(one["bits"], 4),
                "reading, s": shown(one["reading"], 1),
                "clustering, s": shown(one["clustering"], 1),
                "peak MB": shown(document.peak_megabytes, 0),
            }
        )
    return rows


SPEED_STUDY = Study(
    "cluster-speed",
    "What does clustering cost, by text and clusters?",
    speed_tasks,
    {"clusters-speed": speed_rows},
    padded=False,
)
