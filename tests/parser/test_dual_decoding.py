"""Parsers that search crossing trees: certificates, decoders, training against relaxed trees."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import HeadwiseError, Parser, Search
from headwise.cli.app import app
from headwise.components.parser.batch_search import BatchSearch
from headwise.components.parser.conditions import Conditions
from headwise.treebank import check_tree, is_projective
from toy_language import SMALL, toy_treebank

HIGHER_ORDER = ["sibling", "carreras", "model0", "model1", "model2"]


def random_parser(factorization: str, trees: str, scale: float = 1.0) -> Parser:
    """Random weights, hardly any pruning: scores that make the relaxation loose."""
    settings = {**SMALL, "factorization": factorization, "pruning__threshold": 1e-9, "pruning__bits": 14}
    parser = Parser.train(toy_treebank(5, seed=1), trees=trees, pruning__heads=6, **settings)
    rng = np.random.default_rng(4)
    tables = {n: (scale * rng.normal(size=len(w))).astype(np.float32) for n, w in parser.weights.items()}
    tables["pruner"] *= 0.1
    return Parser(parser.config, tables)


@pytest.mark.parametrize("factorization", HIGHER_ORDER)
def test_the_best_crossing_tree_is_found_and_proved(factorization: str) -> None:
    parser = random_parser(factorization, "nonprojective")
    sentences = toy_treebank(12, seed=2)
    crossing = proved = 0
    for parse in parser.pipe(sentences):
        assert check_tree(parse.heads, single_root=True) == []
        assert parse.exact == (parse.gap == 0.0)
        problem = parser.crossing_trees(parse.sentence)
        best = problem.argmax().score
        assert parse.score == pytest.approx(problem.score(parse.heads), abs=1e-9)
        assert parse.score - 1e-9 <= best <= parse.score + parse.gap + 1e-9
        proved += parse.exact
        crossing += not is_projective(parse.heads)
    assert crossing > 0
    assert proved == len(sentences)


@pytest.mark.parametrize("factorization", HIGHER_ORDER)
def test_dual_decomposition_of_projective_trees_equals_the_dynamic_program(factorization: str) -> None:
    parser = random_parser(factorization, "projective")
    sentences = toy_treebank(12, seed=2)
    best = list(parser.pipe(sentences, decoder="map"))
    for ours, theirs in zip(parser.pipe(sentences, decoder="dual"), best, strict=True):
        assert is_projective(ours.heads)
        assert ours.score <= theirs.score + 1e-9
        assert ours.score + ours.gap >= theirs.score - 1e-9
        if ours.exact:
            assert ours.score == pytest.approx(theirs.score, abs=1e-9)


def test_a_limit_is_stated_as_a_gap() -> None:
    parser = random_parser("model1", "nonprojective")
    sentences = toy_treebank(20, seed=2)
    best = [parse.score for parse in parser.pipe(sentences)]
    _, _, scores, gaps, exact, _ = parser._native.parse(sentences, 1, iterations=2)
    assert not exact.all()
    for score, gap, proved, top in zip(scores, gaps, exact, best, strict=True):
        assert score <= top + 1e-9 <= score + gap + 2e-9
        assert gap == 0 if proved else gap > 0


@pytest.mark.parametrize("decoder", ["map", "dual", "exact-ilp"])
def test_all_decoders_of_the_best_tree_find_the_same(decoder: str) -> None:
    if decoder == "exact-ilp":
        pytest.importorskip("highspy")
    parser = random_parser("carreras", "nonprojective")
    sentences = toy_treebank(10, seed=4)
    scores = [parse.score for parse in parser.pipe(sentences, decoder=decoder)]
    assert scores == pytest.approx([parse.score for parse in parser.pipe(sentences)])


def test_the_integer_program_proves_what_was_left_open() -> None:
    pytest.importorskip("highspy")
    parser = random_parser("model1", "nonprojective")
    parse = parser(toy_treebank(1, seed=2)[0])
    guess = type(parse)(parse.sentence, parse.heads, parse.labels, -1.0, exact=False, gap=9.0)
    search = BatchSearch(parser, Search())
    proved = search._proved(guess, Conditions([parse.sentence], parser.config))
    assert proved.exact
    assert proved.gap == 0.0
    assert proved.heads.tolist() == parse.heads.tolist()
    assert proved.labels == parse.labels
    assert proved.score == pytest.approx(parse.score)


def test_without_the_solver_exact_ilp_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(HeadwiseError, match=r"headwise\[ilp\]"):
        list(random_parser("sibling", "nonprojective").pipe(toy_treebank(1, seed=2), decoder="exact-ilp"))


def test_the_result_does_not_depend_on_threads() -> None:
    parser = random_parser("model1", "nonprojective")
    sentences = toy_treebank(30, seed=5)
    one, three = (list(parser.pipe(sentences, threads=t, batch_size=7)) for t in (1, 3))
    assert [p.heads.tolist() for p in one] == [p.heads.tolist() for p in three]
    assert [p.score for p in one] == [p.score for p in three]


def test_training_against_relaxed_trees_learns() -> None:
    sentences = toy_treebank(150, seed=1)
    for factorization in ("sibling", "model1", "model2"):
        options = {**SMALL, "factorization": factorization, "pruning__bits": 14, "trees": "nonprojective"}
        parser = Parser.train(sentences, rival="relaxed", **options)
        parses = list(parser.pipe(toy_treebank(50, seed=9)))
        assert np.mean(np.concatenate([p.heads == p.sentence.heads for p in parses])) > 0.95


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.hw"
    random_parser("model1", "nonprojective").save(path)
    return path


def test_certificates_are_comments(model: Path, tmp_path: Path) -> None:
    source = tmp_path / "input.conllu"
    source.write_text("# text = a b\n# headwise_exact = perhaps\n" + rows("a", "b"), encoding="utf-8")
    result = CliRunner().invoke(
        app, ["parse", str(source), "-m", str(model), "--certificates", "--to", "same"]
    )
    assert result.exit_code == 0, result.output
    assert result.output.count("headwise_exact") == 1
    assert "# headwise_exact = yes\n" in result.output


def test_certificates_need_comments(model: Path, tmp_path: Path) -> None:
    source = tmp_path / "input.conll"
    source.write_text(
        "\n".join(line[: line.rfind("\t")] + "\t_" for line in rows("a").split("\n")[:1]) + "\n\n"
    )
    arguments = ["parse", str(source), "-m", str(model), "--certificates", "--from", "conllx"]
    refused = CliRunner().invoke(app, [*arguments, "--to", "conllx"])
    assert refused.exit_code == 2
    written = CliRunner().invoke(app, [*arguments, "--to", "conllu"])
    assert "# headwise_exact = yes" in written.output


def rows(*words: str) -> str:
    return "".join(f"{i}\t{w}\t_\tX\t_\t_\t_\t_\t_\t_\n" for i, w in enumerate(words, 1)) + "\n"
