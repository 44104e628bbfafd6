"""The parser's searches that start from random trees: `climb` and `sample`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.treebank import check_tree
from toy_language import SMALL, toy_treebank

DECODERS = ["climb", "sample"]


@pytest.fixture(scope="module", params=["single", "multi"])
def parser(request: pytest.FixtureRequest) -> Parser:
    """Small random weights over few pruned arcs: scores that are hard to search."""
    trained = Parser.train(
        toy_treebank(5, seed=1),
        **SMALL,
        factorization="model1",
        trees="nonprojective",
        root=request.param,
        rules=(),
        pruning__threshold=1e-9,
        pruning__bits=14,
    )
    rng = np.random.default_rng(3)
    tables = {n: 0.1 * rng.normal(size=len(w)).astype(np.float32) for n, w in trained.weights.items()}
    return Parser(trained.config, tables)


@pytest.mark.parametrize("decoder", DECODERS)
def test_trees_are_trees_without_a_proof(parser: Parser, decoder: str) -> None:
    sentences = toy_treebank(15, seed=2)
    best = list(parser.pipe(sentences))
    reached = 0
    for parse, certified in zip(parser.pipe(sentences, decoder=decoder), best, strict=True):
        assert not check_tree(parse.heads, single_root=parser.config.single_root)
        assert not parse.exact
        assert parse.gap == np.inf
        problem = parser.crossing_trees(parse.sentence)
        assert parse.score == pytest.approx(problem.score(parse.heads))
        assert parse.score <= certified.score + certified.gap + 1e-6
        reached += parse.score > certified.score - 1e-6
    assert reached >= len(best) - 4


def test_the_parser_searches_as_the_library_does(parser: Parser) -> None:
    for parse in parser.pipe(toy_treebank(8, seed=4), decoder="climb"):
        assert (
            parse.heads.tolist() == parser.crossing_trees(parse.sentence).climb().solution.tree.heads.tolist()
        )
    for parse in parser.pipe(toy_treebank(4, seed=4), decoder="sample"):
        assert parse.heads.tolist() == parser.crossing_trees(parse.sentence).anneal().tree.heads.tolist()


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_seed_fixes_the_trees_however_they_are_batched(parser: Parser, decoder: str) -> None:
    sentences = toy_treebank(12, seed=3)

    def heads(**options: int) -> list[list[int]]:
        return [parse.heads.tolist() for parse in parser.pipe(sentences, decoder=decoder, **options)]

    assert heads(seed=7) == heads(seed=7, threads=2, batch_size=5)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize(("factorization", "trees"), [("arc", "nonprojective"), ("sibling", "projective")])
def test_where_the_best_tree_is_certain_they_are_refused(
    decoder: str, factorization: str, trees: str
) -> None:
    parser = Parser.train(toy_treebank(5, seed=1), **SMALL, factorization=factorization, trees=trees)
    with pytest.raises(HeadwiseError, match="whose arcs may cross"):
        list(parser.pipe(toy_treebank(1, seed=1), decoder=decoder))


def test_from_the_command_line(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model.hw")
    (tmp_path / "in.conllu").write_text("".join(map(str, toy_treebank(5, seed=2))), encoding="utf-8")
    arguments = ["parse", str(tmp_path / "in.conllu"), "-m", str(tmp_path / "model.hw"), "--certificates"]
    for decoder in DECODERS:
        run = [CliRunner().invoke(app, [*arguments, "--decoder", decoder, "--seed", "3"]) for _ in range(2)]
        assert run[0].exit_code == 0, run[0].output
        assert run[0].output == run[1].output
        assert run[0].output.count("no, and nothing is known of better trees") == 5
