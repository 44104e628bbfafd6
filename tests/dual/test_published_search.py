"""The algorithm as published, where a parser and a command run it."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.dual import KOO_2010, RUSH_2010, Limits
from headwise.treebank import Sentence, read, write
from toy_language import toy_treebank


@pytest.fixture(scope="module")
def parser() -> Parser:
    options = {"preset": "third", "calibrate": False, "arc_bits": 14, "label_bits": 14, "epochs": 1}
    return Parser.train(toy_treebank(40, seed=1), trees="nonprojective", **options)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return toy_treebank(20, seed=3)


@pytest.mark.parametrize("limits", [KOO_2010, RUSH_2010, Limits(iterations=1, branch=False, eliminate=False)])
def test_parsers_search_within_limits_to_the_letter(
    limits: Limits, parser: Parser, sentences: list[Sentence]
) -> None:
    for sentence, parse in zip(sentences, parser.pipe(sentences, decoder="dual", limits=limits), strict=True):
        tree, score, bound, exact = parser.crossing_trees(sentence).argmax(limits)
        assert parse.heads.tolist() == tree.heads.tolist()
        assert (parse.score, parse.exact) == (pytest.approx(score), exact)
        assert parse.gap == pytest.approx(0.0 if exact else bound - score)


def test_an_early_end_is_no_proof(parser: Parser, sentences: list[Sentence]) -> None:
    once = Limits(iterations=1, branch=False, eliminate=False)
    assert not all(parse.exact for parse in parser.pipe(sentences, decoder="dual", limits=once))
    assert all(parse.exact for parse in parser.pipe(sentences, decoder="dual"))


def test_limits_are_for_dual_decomposition(parser: Parser, sentences: list[Sentence]) -> None:
    with pytest.raises(HeadwiseError, match="are for the decoder 'dual'"):
        parser(sentences[0], decoder="climb", limits=KOO_2010)


def test_the_command_does_the_same(parser: Parser, sentences: list[Sentence], tmp_path: Path) -> None:
    model, file, parsed = (tmp_path / name for name in ("m.hw", "test.conllu", "parsed.conllu"))
    parser.save(model)
    write(sentences, file)
    call = ["parse", str(file), "-m", str(model), "-o", str(parsed), "--as-published"]
    done = CliRunner().invoke(app, [*call, "--decoder", "dual"])
    assert done.exit_code == 0, done.output
    wanted = parser.pipe(sentences, decoder="dual", limits=KOO_2010)
    assert [list(s.heads) for s in read(parsed)] == [parse.heads.tolist() for parse in wanted]
    refused = CliRunner().invoke(app, call)
    assert refused.exit_code == 2
    assert "are for the decoder 'dual'" in refused.output
