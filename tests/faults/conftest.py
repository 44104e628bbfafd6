"""A folder with what the commands read."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwise import Parser
from headwise.components.text.raw_text import raw_text
from headwise.treebank import Sentence, write
from toy_text import toy_text


@pytest.fixture(scope="module")
def folder(
    train_sentences: list[Sentence],
    test_sentences: list[Sentence],
    parser: Parser,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    folder = tmp_path_factory.mktemp("files")
    write(train_sentences, folder / "train.conllu")
    write(test_sentences, folder / "test.conllu")
    (folder / "text.txt").write_text(raw_text(toy_text(300, seed=1)), encoding="utf-8")
    parser.save(folder / "model.hw")
    return folder
