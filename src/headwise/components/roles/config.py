"""Roles of words, guessed before their heads are searched (``native/scoring/roles.hpp``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.limits import of_core
from headwise.components.scoring.component import LABEL_PADDING, Component, Host, Tables
from headwise.model.file import Table
from headwise.treebank import Sentence

MOST = 240
"""So many roles have room in a row of weights; rarer ones are nobody's."""
UNKNOWN = -1
"""The role of a word without a head, or of a rare one."""


def roles_of(sentence: Sentence, heads: npt.NDArray[np.int32]) -> list[str | None]:
    """The label of each word and the side on which its head is: ``nsubj>`` stands before its head."""
    return [
        None if head < 0 else label + ("" if head == 0 else "<" if head < word else ">")
        for word, (head, label) in enumerate(zip(heads.tolist(), sentence.labels, strict=True), 1)
    ]


@dataclass(frozen=True)
class RolesConfig(Component):
    """The roles that words may have, and the features that choose them."""

    names: list[str]
    """Most frequent first."""
    arcs: list[int]
    """The roles seen with a tag, written like label arcs from the root: (root, tag, 1, role), flattened."""
    templates: list[str]
    bits: Annotated[int, of_core("roles.bits")] = 20

    @classmethod
    def collect(
        cls,
        sentences: Sequence[Sentence],
        trees: Sequence[npt.NDArray[np.int32]],
        tags: Sequence[str],
        templates: Sequence[str],
    ) -> RolesConfig:
        roles = [roles_of(s, heads) for s, heads in zip(sentences, trees, strict=True)]
        counts = Counter(role for sentence in roles for role in sentence if role is not None)
        names = sorted(counts, key=lambda role: (-counts[role], role))[:MOST]
        number, tag_number = {name: i for i, name in enumerate(names)}, {tag: i for i, tag in enumerate(tags)}
        seen = {
            (len(tags), tag_number[tag], 1, number[role])
            for sentence, own in zip(sentences, roles, strict=True)
            for tag, role in zip(sentence.upos, own, strict=True)
            if role in number
        }
        return cls(names, [value for arc in sorted(seen) for value in arc], list(templates))

    def ids(self, sentence: Sentence, heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The roles that words have in a tree, as numbers."""
        number = {name: i for i, name in enumerate(self.names)}
        roles = (UNKNOWN if r is None else number.get(r, UNKNOWN) for r in roles_of(sentence, heads))
        return np.fromiter(roles, np.int32, len(sentence))

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        return {"roles": Table.floats((1 << self.bits) + LABEL_PADDING)}

    def scorers_of(self, host: Host, tables: Tables) -> list[native.ScorerShape]:
        return [self.shape(host.tags, host.arc_limits)]

    def shape(self, tags: list[str], arc_limits: list[int]) -> native.RoleShape:
        return native.RoleShape(
            tags=tags,
            arc_limits=arc_limits,
            role_count=len(self.names),
            role_arcs=self.arcs,
            templates=self.templates,
            bits=self.bits,
        )
