"""Which tree the parser gives: the best one, or the one that is expected to be right most often."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.reference.enumeration import all_trees
from headwise.treebank import is_projective
from headwise.trees import ProjectiveTrees, SpanningTrees
from toy_language import SMALL, toy_treebank

ORDERS = ["arc", "sibling", "carreras", "model0", "model1", "model2"]


def random_parser(factorization: str, **options: object) -> Parser:
    """Small random weights: scores without rhyme or reason, under which many trees are likely."""
    settings = {
        **SMALL,
        "factorization": factorization,
        "rules": (),  # which would have their say on trees
        "pruning__threshold": 1e-9,
        "pruning__bits": 14,
        **options,
    }
    parser = Parser.train(toy_treebank(5, seed=1), **settings)
    rng = np.random.default_rng(3)
    tables = {n: 0.1 * rng.normal(size=len(w)).astype(np.float32) for n, w in parser.weights.items()}
    return Parser(parser.config, tables)


@pytest.mark.parametrize(
    ("factorization", "trees"), [*((order, "projective") for order in ORDERS), ("arc", "nonprojective")]
)
def test_minimum_risk_is_the_best_tree_of_the_marginals(factorization: str, trees: str) -> None:
    parser = random_parser(factorization, trees=trees)
    different = 0
    for parse in parser.pipe(toy_treebank(20, seed=2), decoder="minimum-risk"):
        distribution = parser.distribution(parse.sentence)
        arcs = distribution.marginals().arcs
        kind = ProjectiveTrees if trees == "projective" else SpanningTrees
        masked = np.where(np.isfinite(parser.arc_scores(parse.sentence)), arcs, -np.inf)
        best = kind(masked, single_root=parser.config.single_root).argmax()
        expected = sum(arcs[h, m] for m, h in enumerate(parse.heads.tolist(), 1))
        assert expected == pytest.approx(best.score, abs=1e-9)
        assert parse.score == pytest.approx(
            distribution.log_prob(parse.heads) + distribution.log_partition(), abs=1e-6
        )
        different += parse.heads.tolist() != parser(parse.sentence).heads.tolist()
    assert different > 0  # or the test could not fail


def test_the_model_chooses_where_the_caller_does_not() -> None:
    parser = random_parser("arc")
    by_risk = Parser(replace(parser.config, decoder="minimum-risk"), parser.weights)
    sentences = toy_treebank(20, seed=2)
    heads = [p.heads.tolist() for p in by_risk.pipe(sentences)]
    assert heads == [p.heads.tolist() for p in parser.pipe(sentences, decoder="minimum-risk")]
    assert heads != [p.heads.tolist() for p in by_risk.pipe(sentences, decoder="map")]


def test_without_probabilities_minimum_risk_is_refused() -> None:
    parser = random_parser("sibling", trees="nonprojective")
    with pytest.raises(HeadwiseError, match="minimum-risk"):
        list(parser.pipe(toy_treebank(1, seed=1), decoder="minimum-risk"))


def test_the_command_line_takes_a_decoder(tmp_path: Path) -> None:
    parser = random_parser("arc")
    parser.save(tmp_path / "model.hw")
    text = "".join(str(s) for s in toy_treebank(20, seed=2))
    (tmp_path / "in.conllu").write_text(text, encoding="utf-8")
    run = [
        CliRunner().invoke(
            app, ["parse", str(tmp_path / "in.conllu"), "-m", str(tmp_path / "model.hw"), *more]
        )
        for more in ([], ["--decoder", "map"], ["--decoder", "minimum-risk"])
    ]
    assert [r.exit_code for r in run] == [0, 0, 0]
    assert run[0].output == run[1].output != run[2].output


@pytest.mark.parametrize("factorization", ["arc", "carreras", "model1"])
def test_the_best_tree_without_crossings(factorization: str) -> None:
    parser = random_parser(factorization, trees="nonprojective")
    crossing = 0
    for parse in parser.pipe(toy_treebank(20, seed=2), decoder="projective"):
        n = len(parse)
        assert is_projective(parse.heads)
        assert parse.exact
        crossing += not is_projective(parser(parse.sentence).heads)
        if n > 5:
            continue
        scores = parser.arc_scores(parse.sentence)
        score = parser.crossing_trees(parse.sentence).score if factorization != "arc" else None
        trees = all_trees(n, projective=True, single_root=parser.config.single_root)
        best = max(
            score(tree) if score else sum(scores[h, m] for m, h in enumerate(tree, 1)) for tree in trees
        )
        assert parse.score == pytest.approx(best, abs=1e-5)
    assert crossing > 0
