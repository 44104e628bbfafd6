"""What a user can choose about how words are looked at (`headwise.components.scoring.word_view`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwise.base.fields import setting
from headwise.base.limits import COUNT, Among, AtMost, Each, Within, of_core
from headwise.learning.choices import COLUMNS
from headwise.words.clusters.hierarchy import Contours

MOST_CLUSTERINGS = int(of_core("words.clusterings").most)
PANEL = "Words"


@dataclass(frozen=True)
class Words:
    """How words are looked at."""

    clusters: tuple[str, ...] = setting(
        (),
        "Clusters of words from raw text (`headwise cluster`), for features of parser and tagger; up to three"
        " files.",
        AtMost(MOST_CLUSTERINGS, "files"),
        option="--word-clusters",
        panel=PANEL,
        metavar="FILE",
    )
    contours: Contours = setting(
        "prefixes",
        "Where the tree of clusters is cut into classes that stand in for tags: at a depth (prefixes), or"
        " where they are even in population, or tell most.",
        option="--cluster-contours",
        panel=PANEL,
    )
    bits: tuple[int, int] = setting(
        (4, 6), "The depths of these cuts, or the number of classes as a power of two.", Each(Within(1, 16))
    )
    vectors: str | None = setting(
        None,
        "Vectors of words from raw text (`headwise vectors`, or text files of word2vec or fastText), for a"
        " network or a tensor.",
        option="--vectors",
        panel=PANEL,
        metavar="FILE",
    )
    vector_words: int = setting(50_000, "So many words of the vectors are read.", COUNT)
    frequent: int | None = setting(
        None,
        "Only so many of the most frequent words are told apart (Koo 2010, 3.3.2).",
        COUNT,
        option="--frequent-words",
        panel=PANEL,
        default_is="all",
    )
    ignore: tuple[str, ...] = setting(
        (),
        "A column that the parser is not to read; may be repeated.",
        Among(COLUMNS, "column"),
        option="--without-column",
        panel=PANEL,
        metavar=f"[{'|'.join(COLUMNS)}]",
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if name in ("contours", "bits") and not self.clusters:
            return "there are no clusters of words"
        return "there are no vectors of words" if name == "vector_words" and self.vectors is None else None
