"""A small pipeline in a file, and text for it."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import click
import pytest

from corpus_runs import COMMAND, Run
from headwise import HeadwiseError, Parser, Pipeline
from headwise.cli.app import app
from headwise.components.tagging import Tagger
from headwise.components.text import Tokenizer
from headwise.components.text.raw_text import raw_text
from toy_language import SMALL, toy_treebank
from toy_text import toy_text


@pytest.fixture(scope="session")
def pipeline() -> Pipeline:
    """A tokenizer that knows multiword tokens, and a tagger and a parser that are quick."""
    sentences = toy_treebank(80, seed=1)
    tokenizer = Tokenizer.train(toy_text(400, seed=1), bits=14, epochs=3)
    return Pipeline(tokenizer, Tagger.train(sentences), Parser.train(sentences, **SMALL))


@pytest.fixture(scope="session")
def model(pipeline: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "toy.hw"
    pipeline.save(path)
    return path


@pytest.fixture(scope="session")
def text() -> str:
    """Some 16 kB, an empty line between paragraphs."""
    return raw_text(toy_text(600, seed=3))


@pytest.fixture
def folder(tmp_path: Path, text: str) -> Path:
    """A folder with a large file, some small ones, and one that is no text."""
    path = tmp_path / "texts"
    (path / "more").mkdir(parents=True)
    (path / "a.txt").write_text(text, encoding="utf-8")
    for number in range(5):
        begin = number * 1000
        (path / "more" / f"{number}.txt").write_text(text[begin : begin + 300], encoding="utf-8")
    (path / "picture.png").write_bytes(b"\x89PNG")
    return path


@pytest.fixture
def corpus(model: Path) -> Callable[..., Run]:
    """Runs ``headwise corpus`` in this process: a new one takes a second to start."""
    return partial(run_corpus, "-m", model)


@pytest.fixture
def counts() -> Callable[..., Run]:
    """Runs ``headwise corpus --to bigrams`` likewise."""
    return partial(run_corpus, "--to", "bigrams")


def run_corpus(*arguments: object) -> Run:
    command = ["corpus", "--shard-size", "4000", *map(str, arguments)]
    handler = signal.getsignal(signal.SIGTERM)
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as errors:
        code = 0
        try:
            with app.make_context("headwise", command) as context:
                app.invoke(context)
        except click.UsageError as error:
            print(error, file=sys.stderr)
            code = 2
        except click.exceptions.Exit as end:
            code = end.exit_code
        except HeadwiseError as error:
            print(error, file=sys.stderr)
            code = 1
    signal.signal(signal.SIGTERM, handler)
    assert "Traceback" not in errors.getvalue(), errors.getvalue()
    return Run(command, code, output.getvalue(), errors.getvalue())


@pytest.fixture
def corpus_command(model: Path) -> Callable[..., Run]:
    """Runs ``headwise corpus`` as a user does."""

    def run(*arguments: object, **options: object) -> Run:
        result = subprocess.run(
            [*COMMAND, "corpus", "-m", str(model), "--shard-size", "4000", *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            **options,  # type: ignore[call-overload]
        )
        assert "Traceback" not in result.stderr, result.stderr
        return result

    return run
