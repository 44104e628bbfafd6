"""parse --confidence and --k-best, calibrate and doubt, as a user calls them."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner, Result
from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.treebank import Sentence, read, write
from headwise.treebank.probabilities import read_numbers
from toy_language import SMALL, toy_treebank


def headwise(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def noisy_treebank(count: int, seed: int) -> list[Sentence]:
    """The toy language with words attached anywhere now and then, so that nothing is certain."""
    rng = random.Random(seed)
    result = []
    for sentence in toy_treebank(count, seed):
        heads = sentence.heads.tolist()
        verb = heads.index(0) + 1
        if rng.random() < 0.3 and verb != 1:
            heads[0] = verb
        result.append(sentence.with_tree(heads))
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("confidence")
    train, dev = noisy_treebank(80, 1), noisy_treebank(40, 2)
    Parser.train(train, dev, **SMALL).save(folder / "m.hw")
    Parser.train(train, dev, **SMALL, calibrate=False).save(folder / "unfitted.hw")
    write(noisy_treebank(80, 3), folder / "test.conllu")
    write(dev, folder / "dev.conllu")
    write([s.with_tree([-1] * len(s), ["_"] * len(s)) for s in toy_treebank(20, 5)], folder / "raw.conllu")
    return folder


def test_parse_writes_probabilities_that_evaluate_believes(folder: Path, tmp_path: Path) -> None:
    parsed, plain = tmp_path / "parsed.conllu", tmp_path / "plain.conllu"
    test, model = folder / "test.conllu", folder / "m.hw"
    result = headwise("parse", test, "-m", model, "--confidence", "-o", parsed)
    assert result.exit_code == 0
    assert "fitted on 448 words only" in result.stderr
    headwise("parse", test, "-m", model, "-o", plain)
    for with_numbers, without in zip(read(parsed), read(plain), strict=True):
        assert with_numbers.heads.tolist() == without.heads.tolist()
        assert float(with_numbers.comment("headwise_logprob") or "nan") <= 0
        assert read_numbers(with_numbers, "HeadProb") is not None
    found = json.loads(headwise("evaluate", test, parsed, "--calibration", "--json").stdout)["calibration"][0]
    assert found["expected_calibration_error"]["equal_mass"] < 0.05
    # A noisy word is right in about 70 % of the cases, and its probability says so.
    assert found["mean_confidence"] == pytest.approx(found["accuracy"], abs=0.03)


def test_parsing_again_changes_nothing(folder: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "once.conllu", tmp_path / "twice.conllu"
    headwise("parse", folder / "test.conllu", "-m", folder / "m.hw", "--confidence", "-o", once)
    headwise("parse", once, "-m", folder / "m.hw", "--confidence", "--threads", 2, "-o", twice)
    assert once.read_bytes() == twice.read_bytes()


def test_k_best_trees_are_numbered_and_shown_together(folder: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.conllu"
    one_word = Sentence.from_words(["dog"], upos=["NOUN"])
    write([one_word, *toy_treebank(3, seed=7)], few)
    result = headwise("parse", few, "-m", folder / "m.hw", "--k-best", 3)
    trees = list(read(result.stdout.encode()))
    assert [tree.comment("headwise_rank") for tree in trees] == ["1", *["1", "2", "3"] * 3]
    log_probs = [float(tree.comment("headwise_logprob") or "nan") for tree in trees[1:4]]
    assert log_probs == sorted(log_probs, reverse=True)
    assert sum(map(math.exp, log_probs)) <= 1.001
    assert (
        headwise("parse", few, "-m", folder / "m.hw", "--k-best", 3, "--threads", 3).stdout == result.stdout
    )
    documents = [
        json.loads(line)
        for line in headwise(
            "parse", few, "-m", folder / "m.hw", "--k-best", 3, "--to", "json"
        ).stdout.splitlines()
    ]
    assert [document["rank"] for document in documents] == [1, *[1, 2, 3] * 3]
    assert all(0 <= word["confidence"] <= 1 for word in documents[1]["words"])
    (tmp_path / "k.conllu").write_text(result.stdout, encoding="utf-8")
    shown = headwise("show", tmp_path / "k.conllu", "--format", "html").stdout
    assert shown.count('<div class="sentence">') == 4
    assert shown.count("<figure>") == 10


def test_a_model_that_was_never_fitted_says_so(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.hw"
    model.write_bytes((folder / "unfitted.hw").read_bytes())
    result = headwise("parse", folder / "test.conllu", "-m", model, "--confidence")
    assert "never fitted" in result.stderr
    result = headwise("calibrate", model, folder / "dev.conllu")
    assert "temperature" in result.stdout
    result = headwise("parse", folder / "test.conllu", "-m", model, "--confidence")
    assert "never fitted" not in result.stderr
    assert Parser.load(model).config.calibration.is_fitted


def test_a_compressed_model_stays_compressed(folder: Path, tmp_path: Path) -> None:
    small, fitted = tmp_path / "small.hw", tmp_path / "fitted.hw"
    headwise("compress", folder / "unfitted.hw", "-o", small)
    assert headwise("calibrate", small, folder / "dev.conllu", "-o", fitted).exit_code == 0
    assert fitted.stat().st_size < small.stat().st_size + 1000
    before, after = (Parser.load(path) for path in (small, fitted))
    assert after.config.calibration.is_fitted
    for name, table in before.weights.items():
        assert np.array_equal(table, after.weights[name])


def test_conllx_has_no_place_for_probabilities(folder: Path, tmp_path: Path) -> None:
    model = folder / "m.hw"
    assert (
        headwise("parse", folder / "test.conllu", "-m", model, "--confidence", "--to", "conllx").exit_code
        == 2
    )
    conllx = tmp_path / "test.conll"
    conllx.write_text(headwise("convert", folder / "test.conllu", "--to", "conllx").stdout, encoding="utf-8")
    same = headwise("parse", conllx, "-m", model, "--confidence")
    assert isinstance(same.exception, HeadwiseError)
    converted = headwise("parse", conllx, "-m", model, "--confidence", "--to", "conllu")
    assert "HeadProb=" in converted.stdout


def test_doubt_finds_what_was_spoiled(folder: Path, tmp_path: Path) -> None:
    sentences = toy_treebank(60, seed=11)
    spoiled = sentences[7].heads.tolist()
    last, verb = len(spoiled), spoiled.index(0) + 1
    spoiled[last - 1] = 1  # the full stop hangs from the first word
    sentences[7] = sentences[7].with_tree(spoiled)
    file = tmp_path / "spoiled.conllu"
    write(sentences, file)
    options = ("--factorization", "arc", "--epochs", 2, "--folds", 3, "--quiet")
    lines = headwise("doubt", file, *options, "--to", "json").stdout.splitlines()
    assert len(lines) == sum(map(len, sentences))
    first = json.loads(lines[0])
    assert (first["sentence"], first["word"]) == (8, last)
    assert first["annotated"]["head"] == 1
    assert first["parser"]["head"] == verb
    table = headwise("doubt", file, "-m", folder / "m.hw", "--top", 3).stdout.splitlines()
    assert len(table) == 4
    line = list(read(file))[7].line_of(last)
    assert f"{file}:{line} " in table[1]
    by_sentence = ("--by", "sentences", "--to", "conllu", "--top", 2)
    whole = headwise("doubt", file, "-m", folder / "m.hw", *by_sentence).stdout
    ranked = list(read(whole.encode()))
    assert ranked[0].forms == sentences[7].forms
    assert ranked[0].heads.tolist() == spoiled  # the annotation stays; what the parser would say is in MISC
    assert f"ModelHead={verb}" in ranked[0].misc[last - 1]


def test_doubt_of_an_unannotated_file_is_uncertainty(folder: Path) -> None:
    raw, model = folder / "raw.conllu", folder / "m.hw"
    assert isinstance(headwise("doubt", raw).exception, HeadwiseError)
    lines = headwise("doubt", raw, "-m", model, "--to", "json").stdout.splitlines()
    doubts = [json.loads(line) for line in lines]
    assert [d["doubt"] for d in doubts] == sorted((d["doubt"] for d in doubts), reverse=True)
    assert "annotated" not in doubts[0]
    assert doubts[0]["parser"]["confidence"] < doubts[-1]["parser"]["confidence"]


def test_doubt_with_a_model_judges_the_annotation(folder: Path) -> None:
    result = headwise("doubt", folder / "test.conllu", "-m", folder / "m.hw", "--to", "json", "--top", 5)
    assert all("annotated" in json.loads(line) for line in result.stdout.splitlines())


def test_too_few_sentences_for_the_folds(tmp_path: Path) -> None:
    write(toy_treebank(3, seed=1), tmp_path / "few.conllu")
    result = headwise("doubt", tmp_path / "few.conllu", "--quiet")
    assert isinstance(result.exception, HeadwiseError)
    assert "folds" in str(result.exception)


@pytest.mark.parametrize(
    ("broken", "problem"),
    [([99, 0], "99"), ([2, 1], "cycle"), ([-7, 0], "-7"), ([1, 0], "own head"), ([0, -1], "has no head")],
)
def test_doubt_says_what_is_no_tree_or_leaves_it_out(
    broken: list[int], problem: str, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "broken.conllu"
    write(toy_treebank(20, seed=11), file)
    lines = [f"{m}\tdog\t_\tNOUN\t_\t_\t{'_' if h == -1 else h}\tx\t_\t_\n" for m, h in enumerate(broken, 1)]
    file.write_text(file.read_text() + "".join(lines) + "\n")
    options = ("--factorization", "arc", "--epochs", 1, "--folds", 2, "--quiet", "--to", "json")
    result = headwise("doubt", file, *options)
    assert isinstance(result.exception, HeadwiseError)
    assert problem in str(result.exception)
    result = headwise("doubt", file, *options, "--on-error", "skip")
    assert result.exit_code == 0
    assert {json.loads(line)["sentence"] for line in result.stdout.splitlines()} == set(range(1, 21))
    assert "1 broken sentence skipped" in result.stderr
    result = headwise("doubt", file, "-m", folder / "m.hw", "--to", "json", "--on-error", "skip")
    assert result.exit_code == 0
    assert len({json.loads(line)["sentence"] for line in result.stdout.splitlines()}) >= 20
