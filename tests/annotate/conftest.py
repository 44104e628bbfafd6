"""A parser of the toy language, and a file in it to annotate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headwise import Parser
from headwise.treebank import Sentence, write
from headwise.web.annotate import AnnotatedFile, Session, Suggester, decisions_of
from toy_language import SMALL, toy_treebank


@pytest.fixture(scope="session")
def toy_parser() -> Parser:
    # Few sentences, one epoch and no rules: a parser that is wrong now and then.
    return Parser.train(toy_treebank(12, seed=1), **{**SMALL, "epochs": 1, "rules": ()})


@pytest.fixture(scope="session")
def gold() -> list[Sentence]:
    return toy_treebank(8, seed=7)


@pytest.fixture
def bare_file(tmp_path: Path, gold: list[Sentence]) -> Path:
    """The words and tags of gold, without trees."""
    path = tmp_path / "text.conllu"
    bare = [sentence.with_tree([-1] * len(sentence), ["_"] * len(sentence)) for sentence in gold]
    write([s.with_comments([f"# sent_id = s{i}", "# note = kept"]) for i, s in enumerate(bare, 1)], path)
    return path


@pytest.fixture
def open_file(toy_parser: Parser) -> Iterator[Callable[[Path], Session]]:
    """Opens sessions on files, and closes them afterwards."""
    opened: list[AnnotatedFile] = []

    def open_it(path: Path) -> Session:
        file = AnnotatedFile(path)
        opened.append(file)
        sentences = file.load()
        return Session(file, Suggester(toy_parser), sentences, [decisions_of(s) for s in sentences])

    yield open_it
    for file in opened:
        file.close()


@pytest.fixture
def session(bare_file: Path, open_file: Callable[[Path], Session]) -> Session:
    return open_file(bare_file)
