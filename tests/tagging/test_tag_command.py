"""The command tag, as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from headwise.cli import app
from headwise.model import ModelError
from headwise.tagging import Tagger
from headwise.treebank import Sentence, write


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
