"""``headwise info`` of a file of word clusters."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.base.errors import HeadwiseError
from headwise.cli.reports import shown

if TYPE_CHECKING:
    from headwise.words.clusters import Clusters

SHOWN = 12
"""Clusters of which words are shown, …"""
WORDS = 10
"""… and how many words of each."""
BAR = 40


def cluster_info(file: Path, near: Sequence[str], as_json: bool) -> None:
    from headwise.words.clusters import Clusters

    clusters = Clusters.load(file)
    if unknown := [word for word in near if word not in clusters]:
        raise HeadwiseError(f"{file}: {', '.join(unknown)} is in no cluster.")
    if as_json:
        print(json.dumps(_as_dict(file, clusters, near), ensure_ascii=False, indent=2))
    elif near:
        for word in near:
            print("\t".join(map(shown, (word, clusters[word], " ".join(clusters.near(word))))))
    else:
        _print(file, clusters)


def _as_dict(file: Path, clusters: Clusters, near: Sequence[str]) -> dict[str, Any]:
    populations = clusters.populations()
    return {
        "file": str(file),
        "words": len(clusters),
        "running_words": populations.total(),
        "clusters": len(clusters.paths),
        "depths": dict(sorted(Counter(map(len, clusters.paths)).items())),
        "prefixes": {bits: len(clusters.populations(bits)) for bits in (4, 6, 8)},
        "populations": dict(populations.most_common()),
        "near": {word: clusters.near(word) for word in near},
    }


def _print(file: Path, clusters: Clusters) -> None:
    from rich.table import Table
    from rich.text import Text

    from headwise.cli.reports import console

    populations = clusters.populations()
    total = max(1, populations.total())
    table = Table(title=Text(f"{file} (word clusters)"), show_header=False, title_justify="left")
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    table.add_row("words", f"{len(clusters):,}", f"seen {total:,} times")
    table.add_row("clusters", f"{len(clusters.paths):,}", "")
    for bits in (4, 6, 8):
        sizes = clusters.populations(bits)
        share = sizes.most_common(1)[0][1] / total
        table.add_row(
            f"prefixes of {bits} bits", f"{len(sizes):,}", f"the largest has {share:.0%} of all words"
        )
    table.add_section()
    depths = Counter(map(len, clusters.paths))
    for depth in sorted(depths):
        bar = "█" * max(1, round(BAR * depths[depth] / max(depths.values())))
        table.add_row(f"depth {depth}", f"{depths[depth]:,}", bar)
    table.add_section()
    for path, count in populations.most_common(SHOWN):
        table.add_row(
            Text(path), f"{100 * count / total:.1f} %", Text(" ".join(clusters.members(path)[:WORDS]))
        )
    console().print(table)
