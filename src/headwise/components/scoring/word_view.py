"""How a model looks at words: the columns it reads, the words it tells apart, the clusters they are in.

``native/scoring/features/word_view.hpp`` applies it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.limits import of_core
from headwise.components.scoring.component import Component, Host
from headwise.learning.choices import COLUMNS, Column
from headwise.model.file import Table
from headwise.model.packing import pack_text, unpack_text
from headwise.model.schema import Length
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.words.clusters.clusters import Clusters
    from headwise.words.clusters.hierarchy import Contour, Contours
    from headwise.words.vectors.files import WordVectors

VECTORS, VECTOR_WORDS = "word_vectors", "word_vectors.words"
"""Tables of vectors from raw text, as long as 1 on average, and of the words that have them."""


@dataclass(frozen=True)
class WordViewConfig(Component):
    """What a model knows of words beyond what a sentence says. The clusters themselves are tensors."""

    contours: list[Annotated[list[list[str]], Length(2)]] = field(default_factory=list)
    """Of each clustering, the nodes near the root and those farther down that stand in for tags."""
    known: list[str] | None = None
    """The words that are told apart, in lower case; None: all."""
    ignored: list[Column] = field(default_factory=list)
    """Columns that are not read."""
    vectors: Annotated[int, of_core("words.vectors")] = 0
    """How many numbers the vectors of words have that come from raw text; 0: there are none."""

    def view(self, tables: Mapping[str, npt.NDArray[Any]]) -> native.WordView:
        view = native.WordView(known=self.known, ignored=self.ignored)
        for number, (near, far) in enumerate(self.contours, 1):
            view.add_clustering(unpack_text(tables[_table(number)]), set(near), set(far))
        if self.vectors:
            view.set_vectors(unpack_text(tables[VECTOR_WORDS]), tables[VECTORS].ravel(), self.vectors)
        return view

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        return self.tables()

    def tables(self) -> dict[str, Table]:
        """What it is looked up in."""
        names = [_table(number) for number in range(1, len(self.contours) + 1)]
        tables = {name: Table(np.uint8) for name in names}
        if self.vectors:
            tables |= {VECTOR_WORDS: Table(np.uint8), VECTORS: Table.of(np.float32, None, self.vectors)}
        return tables

    @property
    def columns(self) -> frozenset[str]:
        """What feature templates can ask of its clusterings."""
        return frozenset(cluster_column(number) for number in range(1, len(self.contours) + 1))


def cluster_column(number: int) -> str:
    """The column that templates read of the first, second … clustering."""
    return "cluster" if number == 1 else f"cluster_{number}"


def look_at_words(
    sentences: Sequence[Sentence],
    clusterings: Sequence[Clusters],
    vectors: WordVectors | None = None,
    *,
    contours: Contours = "prefixes",
    bits: tuple[int, int] = (4, 6),
    frequent: int | None = None,
    ignored: Collection[str] = (),
) -> tuple[WordViewConfig | None, dict[str, npt.NDArray[Any]]]:
    """A view for the words of a treebank, and the tables it needs; None where words are seen as they are."""
    if not clusterings and vectors is None and frequent is None and not ignored:
        return None, {}
    known = None
    if frequent is not None:
        counts = Counter(form.lower() for sentence in sentences for form in sentence.forms)
        known = sorted(counts, key=lambda form: (-counts[form], form))[:frequent]
    tables: dict[str, npt.NDArray[Any]] = {}
    for number, clusters in enumerate(clusterings, 1):
        lines = sorted((path, form) for form, path in clusters.items())
        tables[_table(number)] = pack_text("".join(f"{path}\t{form}\n" for path, form in lines))
    if vectors is not None:
        tables[VECTOR_WORDS] = pack_text("".join(f"{word}\n" for word in vectors.words))
        length = float(np.sqrt(np.mean(np.sum(vectors.numbers.astype(np.float64) ** 2, axis=1))))
        tables[VECTORS] = vectors.numbers / np.float32(max(length, 1e-12))
    config = WordViewConfig(
        [[sorted(_contour(c, sentences, contours, b)) for b in bits] for c in clusterings],
        known,
        [column for column in COLUMNS if column in ignored],
        0 if vectors is None else vectors.width,
    )
    return config, tables


def _table(number: int) -> str:
    return f"clusters.{number}"


def _contour(clusters: Clusters, sentences: Sequence[Sentence], how: Contours, bits: int) -> Contour:
    from headwise.words.clusters.hierarchy import by_information, by_population, prefixes

    if how == "prefixes":
        return prefixes(clusters.paths, bits)
    if how == "population":
        return by_population(clusters.populations(), 1 << bits)
    pairs = Counter(
        (clusters[a], clusters[b])
        for sentence in sentences
        for a, b in pairwise(sentence.forms)
        if a in clusters and b in clusters
    )
    return by_information(pairs, 1 << bits)
