"""Features of whole trees: which there are, and the words that they speak of.

Zhang et al. 2014, "Steps to excellence", section 4. `docs/whole-tree.md` describes each family.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from headwise._native import scoring as native
from headwise.base.limits import of_core
from headwise.components.scoring.component import Component, Host, Tables
from headwise.components.scoring.templates import TemplateTable
from headwise.components.whole_tree.families import ALL as ALL
from headwise.components.whole_tree.families import FAMILIES as FAMILIES
from headwise.components.whole_tree.families import KIN as KIN
from headwise.model.file import Table
from headwise.treebank import Sentence

UNIVERSAL = {"conjunctions": ("CCONJ", "CONJ"), "adpositions": ("ADP",)}
OTHER_TAGS = {
    "conjunctions": ("CC", "Conj", "conj-c", "++", "KON", "c--------"),
    "adpositions": ("SP", "Prep", "prp", "PR", "IN", "APPR", "r--------"),
}
"""Tags of the CoNLL-X treebanks, of Perseus and of Penn-like sets, for treebanks without universal tags."""


@dataclass(frozen=True)
class WholeTreeConfig(Component):
    """The features of whole trees that a parser has; none by default."""

    families: list[str] = field(default_factory=list)
    coarse: str = "tag"
    """The attribute (as in feature templates) that holds coarse tags, …"""
    fine: str = "pos"
    """… fine tags …"""
    word: str = "form"
    """… and words."""
    conjunctions: list[str] = field(default_factory=list)
    """Coarse or fine tags of coordinating conjunctions. Where there are none, coordination stays silent …"""
    adpositions: list[str] = field(default_factory=list)
    """… and without these, attachment."""
    templates: dict[str, list[str]] = field(default_factory=dict)
    """Templates of the small parts among the families."""
    bits: Annotated[int, of_core("whole_tree.bits")] = 21
    """Their weight table has 2**bits entries."""
    restarts: Annotated[int, of_core("whole_tree.restarts")] = 0
    """Climbs from random trees, beside the one from the best tree of the other parts."""

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        return {"whole_tree": Table.floats(1 << self.bits)} if self.families else {}

    def scorers_of(self, host: Host, tables: Tables) -> list[native.ScorerShape]:
        return [self.shape()] if self.families else []

    def describe(self, rows: Mapping[str, int]) -> tuple[str, str] | None:
        if not self.families:
            return None
        known = {"conjunctions": self.conjunctions, "adpositions": self.adpositions}
        kinds = ", ".join(f"{kind}: {' '.join(tags) or 'unknown'}" for kind, tags in known.items())
        return "Features of whole trees", f"{', '.join(self.families)} ({kinds})"

    def shape(self) -> native.WholeTreeShape:
        return native.WholeTreeShape(self.features(), bits=self.bits, restarts=self.restarts)

    def features(self) -> native.WholeTreeFeatures:
        return native.WholeTreeFeatures(
            families=[name for name in self.families if name in FAMILIES],
            coarse=self.coarse,
            fine=self.fine,
            word=self.word,
            conjunctions=self.conjunctions,
            adpositions=self.adpositions,
            kin=[self.templates.get(name, []) for name in KIN],
        )


def whole_tree_config(
    families: Sequence[str],
    sentences: Iterable[Sentence],
    columns: Collection[str],
    templates: Mapping[str, list[str]],
    *,
    bits: int = 21,
    restarts: int = 0,
) -> WholeTreeConfig:
    """Fitted to the columns that a treebank fills and to the tags it has; ``templates`` are by family."""
    coarse = "tag" if "upos" in columns else "pos" if "xpos" in columns else "suffix"
    tags = {tag for sentence in sentences for column in (sentence.upos, sentence.xpos) for tag in column}
    return WholeTreeConfig(
        families=list(families),
        coarse=coarse,
        fine="pos" if "xpos" in columns else coarse,
        word="lemma" if "lemma" in columns else "lower",
        conjunctions=tags_of("conjunctions", tags),
        adpositions=tags_of("adpositions", tags),
        templates=dict(templates),
        bits=bits,
        restarts=restarts,
    )


def kin_templates(
    families: Sequence[str], columns: Collection[str], own: Mapping[str, Sequence[str]] | None = None
) -> dict[str, list[str]]:
    """The templates of the small parts among the families; ``own`` tables replace the built-in ones."""
    own = own or {}
    tables = {
        name: TemplateTable(tuple(own[KIN[name]])) if KIN[name] in own else TemplateTable.built_in(KIN[name])
        for name in families
        if name in KIN
    }
    return {name: list(table.for_columns(columns).lines) for name, table in tables.items()}


def tags_of(kind: str, tags: Collection[str]) -> list[str]:
    """Those of a kind of word in a treebank: the universal ones or, without any, others that are known."""
    universal = [tag for tag in UNIVERSAL[kind] if tag in tags]
    return universal or [tag for tag in OTHER_TAGS[kind] if tag in tags]
