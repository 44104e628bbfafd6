"""The model of a run: what it is, and how it takes sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from headwise.components.parser import Flow, Parser
from headwise.components.text import Tokenizer
from headwise.corpus.inputs import InputError, InputFile
from headwise.corpus.options import CorpusOptions
from headwise.model.bundled import model_path
from headwise.pipeline.pipeline import Pipeline, load
from headwise.pipeline.word_tokenizer import word_tokenizer


class _Named:
    """A model that goes to other processes and machines by its name, and is loaded there."""

    name: str

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        # A bundled model by its name, a file by its full path.
        return type(self), (str(Path(self.name).resolve()) if Path(self.name).is_file() else self.name,)

    def digest(self) -> str:
        """SHA-256 of the model file."""
        with model_path(self.name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class CorpusModel(_Named):
    """A pipeline, or a parser alone for treebanks that have tags already."""

    def __init__(self, model: str | Path) -> None:
        self.name = str(model)
        self.loaded: Pipeline | Parser = load(model)

    @property
    def tokenizer(self) -> Tokenizer | None:
        return self.loaded.tokenizer

    def check(self, files: Iterable[InputFile], options: CorpusOptions) -> None:
        """An error where the model cannot do what is asked."""
        texts = [file for file in files if file.kind != "treebank"]
        if texts and self.tokenizer is None:
            raise InputError(
                f"{self.name} holds a parser alone, and {texts[0].path} is text, which needs a pipeline "
                "(headwise train --pipeline)."
            )
        self.flow(options)

    def flow(self, options: CorpusOptions) -> Flow:
        """The way of sentences through it; an error where that cannot be had of the model.

        What cannot be parsed is always an error here: whoever is told of it sets a passage aside.
        """
        return self.loaded.flow(options.search, on_error="stop")


class WordFinder(_Named):
    """What finds the words of running text: the tokenizer of a model, or, without a name, a plain rule."""

    def __init__(self, model: str | None) -> None:
        self.name = model or ""
        self.tokenizer: Tokenizer | None = word_tokenizer(model or None)

    def digest(self) -> str:
        return super().digest() if self.name else ""
