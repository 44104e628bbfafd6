"""Feature templates: tables of text that the native core interprets (see ``tables/*.txt``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

# Which column of the treebank an attribute of a template reads.
COLUMN_OF_ATTRIBUTE = {
    "form": "form",
    "prefix": "form",
    "suffix": "form",
    "shape": "form",
    "lower": "form",
    **{f"prefix{k}": "form" for k in (1, 2, 3, 5)},
    **{f"suffix{k}": "form" for k in (1, 2, 4, 5)},
    "lemma": "lemma",
    "tag": "upos",
    "pos": "xpos",
    "feats": "feats",
    "feat": "feats",
    "there": "position",  # no column: whether there is such a word; for those who want positions
    "role": "role",  # no column: guessed, see headwise.components.roles.config
    **dict.fromkeys(
        ("c4", "c6", "cluster"), "cluster"
    ),  # nor these: see headwise.components.scoring.word_view
    **{f"{name}_{k}": f"cluster_{k}" for name in ("c4", "c6", "cluster") for k in (2, 3)},
}
CLUSTER_COLUMNS = frozenset(("cluster", "cluster_2", "cluster_3"))
RELATIVES = frozenset("gslrc")
"""Words that only a finished tree can name (label templates)."""

_TERM = re.compile(r"(\w+)(?:[+-]\d)?\.(\w+)")


@dataclass(frozen=True)
class TemplateTable:
    """The lines of a template table, without comments and blank lines."""

    lines: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> TemplateTable:
        lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
        return cls(tuple(line for line in lines if line))

    @classmethod
    def built_in(cls, name: str) -> TemplateTable:
        """A table that comes with the package: ``arc``, ``label``, ``tagging`` or ``lemma``."""
        return cls.parse((resources.files(__package__) / "tables" / f"{name}.txt").read_text("utf-8"))

    @classmethod
    def load(cls, path: str | Path) -> TemplateTable:
        return cls.parse(Path(path).read_text("utf-8"))

    def for_columns(self, filled: Collection[str]) -> TemplateTable:
        """The table for a treebank in which only the ``filled`` columns say something.

        Lines with ``.pos`` are doubled into a fine and a coarse copy; ``.fine`` is the finest tag there is,
        ``.word`` the lemma or, in its absence, the form in lower case. Without tags, the ends of words stand
        in for them, and for the fine ones word clusters where there are any. Lines that ask for word clusters
        are repeated for each clustering. Lines that read another empty column are left out, and so are copies
        that become equal to a line.
        """
        endings = ".suffix"
        coarse = ".tag" if "upos" in filled else ".pos" if "xpos" in filled else endings
        fine = ".pos" if "xpos" in filled else coarse
        if fine == endings and "cluster" in filled:
            fine = ".c6"
        word = ".lemma" if "lemma" in filled else ".lower"
        kept: dict[str, None] = {}
        for line in self.lines:
            line = _replace(_replace(_replace(line, ".word", word), ".fine", fine), ".tag", coarse)
            copies = [_replace(line, ".pos", fine), _replace(line, ".pos", coarse)]
            for copy in copies if ".pos" in line else [line]:
                for version in _of_each_clustering(copy, filled):
                    if _columns(version) <= set(filled):
                        kept.setdefault(version)
        return TemplateTable(tuple(kept))

    def for_tags(self, filled: Collection[str], clusterings: Collection[str] = ()) -> TemplateTable:
        """The table for tags of which only the ``filled`` columns (upos, xpos, feats) say something.

        A line without a tag is repeated for each view of the tag, see ``tables/tagging.txt``.
        """
        coarse = "tag" if "upos" in filled else "pos"
        views = [f"t.{coarse}"]
        if len(filled) > 1:
            views.append("t.form")
        if "feats" in filled:
            views.append(f"t.{coarse} t.feat")
        kept: dict[str, None] = {}
        for line in self.for_clusterings(clusterings).lines:
            written = re.sub(r"\b([tuv])\.tag\b", rf"\1.{coarse}", line)
            if len(filled) == 1:
                written = re.sub(r"\b([tuv])\.form\b", rf"\1.{coarse}", written)
            if _words(line) & {"t", "u", "v"}:
                kept.setdefault(written)
            else:
                kept.update(dict.fromkeys(f"{written} {view}" for view in views))
        return TemplateTable(tuple(kept))

    def for_clusterings(self, filled: Collection[str]) -> TemplateTable:
        """The table for a model with these clusterings: lines that ask for one, for each or for none."""
        versions = (version for line in self.lines for version in _of_each_clustering(line, filled))
        return TemplateTable(tuple(v for v in versions if _columns(v) & CLUSTER_COLUMNS <= set(filled)))

    def for_search(self, shown: Collection[str] = (), outermost: Collection[str] = ()) -> TemplateTable:
        """The lines of labels that the search can score, where parts show these relatives.

        Where it knows the ``outermost`` modifiers of the modifier (l, r), one in a line, lines that name one
        modifier (l, r or c) are repeated for each of them.
        """
        kept: dict[str, None] = {}
        for line in self.lines:
            relatives = RELATIVES & _words(line)
            if relatives <= set(shown):
                kept.setdefault(line)
            elif len(relatives) == 1 and relatives <= set("lrc"):
                kept.update(dict.fromkeys(re.sub(r"\b[lrc](?=[.+-])", other, line) for other in outermost))
        return TemplateTable(tuple(kept))

    @property
    def names_modifiers(self) -> bool:
        """Whether a line of labels asks for an outermost modifier of the modifier."""
        return any({"l", "r"} & _words(line) for line in self.lines)


def _replace(line: str, attribute: str, other: str) -> str:
    return re.sub(re.escape(attribute) + r"\b", other, line)


def _of_each_clustering(line: str, filled: Collection[str]) -> list[str]:
    """A line that asks for clusters, once for each clustering."""
    if "cluster" not in _columns(line):
        return [line]
    others = [k for k in (2, 3) if f"cluster_{k}" in filled]
    return [line, *(re.sub(r"\.(c4|c6|cluster)\b", rf".\1_{k}", line) for k in others)]


def _columns(line: str) -> set[str]:
    # An unknown attribute is kept for the core to complain about.
    return {COLUMN_OF_ATTRIBUTE.get(attribute, "form") for _, attribute in _TERM.findall(line)}


def _words(line: str) -> set[str]:
    return {word for word, _ in _TERM.findall(line)}


def informative_columns(sentences: Sequence[object]) -> frozenset[str]:
    """The columns that say something in a treebank.

    A column counts when at least one word in twenty has a value there; the fine tag counts only where it
    says more than the coarse one, and a lemma only where it differs from the form.
    """
    words = filled_lemma = other_lemma = filled_upos = other_xpos = filled_feats = 0
    for s in sentences:
        forms, lemmas, upos, xpos, feats = s.forms, s.lemmas, s.upos, s.xpos, s.feats  # type: ignore[attr-defined]
        words += len(forms)
        filled_upos += sum(tag != "_" for tag in upos)
        other_xpos += sum(x not in ("_", u) for x, u in zip(xpos, upos, strict=True))
        filled_lemma += sum(lemma != "_" for lemma in lemmas)
        other_lemma += sum(lemma not in ("_", form) for lemma, form in zip(lemmas, forms, strict=True))
        filled_feats += sum(f != "_" for f in feats)
    enough = max(1, words // 20)
    columns = {"form"}
    if filled_upos >= enough:
        columns.add("upos")
    if other_xpos >= enough:
        columns.add("xpos")
    if filled_lemma >= enough and other_lemma >= enough:
        columns.add("lemma")
    if filled_feats >= enough:
        columns.add("feats")
    return frozenset(columns)
