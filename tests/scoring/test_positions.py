"""Features of positions (Koo's thesis, B.1.3) score what the tables of positions of headwise.trees do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

from headwise import Parser
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.trees import Distribution, ProjectiveTrees
from headwise.trees.factorizations import PARTS
from toy_language import SMALL, toy_treebank

SENTENCE = Sentence.from_words(
    ["the", "old", "dog", "sees", "this"], upos=["DET", "ADJ", "NOUN", "VERB", "NOUN"]
)
NODES = len(SENTENCE) + 1
Floats = npt.NDArray[np.float64]


def parser_of(factorization: str, templates: Mapping[str, tuple[str, ...]]) -> Parser:
    """Random weights of these features, and of none else above arcs."""
    lines = dict.fromkeys(PARTS[factorization], ()) | dict(templates)
    small = {"pruning__bits": 12, "pruning__threshold": 1e-9, "calibrate": False, "epochs": 1}
    options = {**SMALL, **small, "factorization": factorization, "trees": "projective", "roles": False}
    parser = Parser.train(toy_treebank(10, seed=1), **options, positions=True, templates=lines)
    rng = np.random.default_rng(5)
    tables = {name: rng.normal(size=len(w)).astype(np.float32) for name, w in parser.weights.items()}
    tables["pruner"] *= 0.1
    return Parser(parser.config, tables)


def tables_of(parser: Parser) -> dict[str, Floats]:
    """The scores of larger parts, dense."""
    dense = {}
    for name, part in parser._scored(SENTENCE).larger_parts().items():
        dense[name] = np.zeros([NODES] * part.nodes.shape[1])
        dense[name][tuple(part.nodes.T)] = part.values
    return dense


def assert_same(one: Distribution, other: Distribution) -> None:
    assert one.log_partition() == pytest.approx(other.log_partition(), abs=1e-6)
    assert one.marginals().arcs == pytest.approx(other.marginals().arcs, abs=1e-6)
    best = one.argmax(), other.argmax()
    assert best[0].tree.heads.tolist() == best[1].tree.heads.tolist()


def with_sibling(table: Floats) -> Floats:
    """[p, h, m] of [h, m, s], where it matters only whether there is an s (which is not h)."""
    positions = np.zeros((2, NODES, NODES))
    for h in range(NODES):
        positions[0, h] = table[h, :, h]
        for m in range(NODES):
            between = range(h + 1, m) if h < m else range(m + 1, h)
            values = [table[h, m, s] for s in between if table[h, m, s] != 0.0]
            assert np.ptp(values or [0.0]) == 0.0
            positions[1, h, m] = values[0] if values else 0.0
    return positions


@pytest.mark.parametrize("factorization", ["sibling", "carreras", "model1"])
def test_innermost_arcs(factorization: str) -> None:
    parser = parser_of(factorization, {"sibling": ("h.form m.form s.there",)})
    positions = with_sibling(tables_of(parser)["siblings"])
    assert not np.allclose(positions[0], positions[1])
    expected = ProjectiveTrees(
        parser.arc_scores(SENTENCE), arc_positions=positions, factorization=factorization, single_root=True
    )
    assert_same(parser.distribution(SENTENCE), expected)


def test_innermost_grandchildren() -> None:
    parser = parser_of("model1", {"grand_sibling": ("g.form h.form m.form s.there",)})
    table = tables_of(parser)["grand_siblings"]
    positions = np.stack([with_sibling(table[g]) for g in range(NODES)], axis=1)
    for g in range(NODES):
        positions[:, g, :, g] = 0.0  # which stands for "no modifier", and scores nothing here
    expected = ProjectiveTrees(
        parser.arc_scores(SENTENCE), grandchild_positions=positions, factorization="model1", single_root=True
    )
    assert_same(parser.distribution(SENTENCE), expected)


def test_innermost_pairs_of_siblings() -> None:
    parser = parser_of("model2", {"tri_sibling": ("h.form m.form s.form t.there",)})
    table = tables_of(parser)["tri_siblings"]
    positions = np.zeros((2, NODES, NODES, NODES))
    for h in range(NODES):
        positions[0, h] = table[h, :, :, h]
        for m in range(NODES):
            for s in range(NODES):
                values = [table[h, m, s, t] for t in range(NODES) if t != h and table[h, m, s, t] != 0.0]
                positions[1, h, m, s] = values[0] if values else 0.0
    expected = ProjectiveTrees(
        parser.arc_scores(SENTENCE), sibling_positions=positions, factorization="model2", single_root=True
    )
    assert_same(parser.distribution(SENTENCE), expected)


def test_positions_are_there_for_those_who_want_them() -> None:
    def lines(**options: bool) -> str:
        parser = Parser.train(toy_treebank(10, seed=1), **{**SMALL, "factorization": "model2", **options})
        return str(parser.config.part_templates)

    assert ".there" not in lines()
    assert ".there" in lines(positions=True)
    with pytest.raises(ValueError, match="siblings"):
        TrainingSettings(factorization="model0", positions=True)
