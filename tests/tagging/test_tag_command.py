"""The command tag, as a user calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.components.tagging import Tagger, TaggerSettings, realistic_tags
from headwise.model import ModelError
from headwise.treebank import Sentence, read, write
from toy_language import toy_treebank


def test_tag_writes_what_the_tagger_says(
    tagger: Tagger, test_sentences: list[Sentence], tmp_path: Path
) -> None:
    tagger.save(tmp_path / "tagger.hw")
    bare = [Sentence.from_words(s.forms) for s in test_sentences]
    write(bare, tmp_path / "in.conllu")
    call = ["tag", str(tmp_path / "in.conllu"), "-m", str(tmp_path / "tagger.hw"), "--threads", "2"]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 0
    assert result.stdout == "".join(str(sentence) for sentence in tagger.pipe(bare))


def test_tag_says_what_is_wrong_with_the_model(tmp_path: Path) -> None:
    (tmp_path / "tagger.hw").write_bytes(b"not a model")
    result = CliRunner().invoke(app, ["tag", "-m", str(tmp_path / "tagger.hw")], input="")
    assert isinstance(result.exception, ModelError)
    with pytest.raises(ModelError, match="is not a Headwise model"):
        raise result.exception


def headwise(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("treebank") / "train.conllu"
    write(toy_treebank(40, seed=1), path)
    return path


@pytest.mark.parametrize("learner", ["mira", "perceptron", "log-linear"])
def test_train_a_tagger(treebank: Path, tmp_path: Path, learner: str) -> None:
    model = tmp_path / "tagger.hw"
    result = headwise("train", treebank, "--tagger", "--learner", learner, "--epochs", 2, "-o", model)
    assert result.exit_code == 0
    assert "wrong tags" in result.stderr
    tagger = Tagger.load(model)
    assert tagger.config.training["settings"]["learner"] == learner
    assert tagger(["the", "dog", "sees", "a", "tree", "."]).upos[:3] == ["DET", "NOUN", "VERB"]


def test_a_tagger_needs_no_trees(treebank: Path, tmp_path: Path) -> None:
    headless = tmp_path / "tagged.conllu"
    write([s.with_tree([-1] * len(s), ["_"] * len(s)) for s in read(treebank)], headless)
    assert headwise("train", headless, "--tagger", "--epochs", 1, "-o", tmp_path / "t.hw").exit_code == 0


def test_options_of_a_parser_are_refused_for_a_tagger(treebank: Path, tmp_path: Path) -> None:
    result = headwise("train", treebank, "--tagger", "--factorization", "arc", "-o", tmp_path / "t.hw")
    assert result.exit_code == 2
    assert "--factorization cannot be used with --tagger" in " ".join(result.output.split())


def test_a_parser_learns_from_jackknifed_tags(treebank: Path, tmp_path: Path) -> None:
    """The tags it is trained on are those of `realistic_tags`, not the treebank's."""
    options = ("--factorization", "arc", "--arc-bits", 12, "--epochs", 1, "--dev", treebank)
    assert headwise("train", treebank, *options, "--jackknife", 3, "-o", tmp_path / "p.hw").exit_code == 0
    sentences = list(read(treebank))
    tagged, dev = realistic_tags(sentences, sentences, 3, TaggerSettings(seed=1))
    assert dev is not None
    write(tagged, tmp_path / "tagged.conllu")
    write(dev, tmp_path / "dev.conllu")
    same = headwise(
        *("train", tmp_path / "tagged.conllu", *options[:-1], tmp_path / "dev.conllu"),
        "-o",
        tmp_path / "q.hw",
    )
    assert same.exit_code == 0
    assert (tmp_path / "p.hw").read_bytes() == (tmp_path / "q.hw").read_bytes()
