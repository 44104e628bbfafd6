"""UDPipe 1 (Straka and Straková 2017): a transition-based parser with a small neural network, on the CPU.

Its tokenizer is a small recurrent network, its tagger an averaged perceptron.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring.corpus import Corpus
from headwise.treebank import Sentence

PACKAGE = "ufal.udpipe"


class Library:
    """What is done with the package, by whatever is trained."""

    def __init__(self) -> None:
        self.udpipe: Any = import_module(PACKAGE)

    def read(self, sentences: Iterable[Sentence]) -> list[Any]:
        udpipe, error = self.udpipe, self.udpipe.ProcessingError()
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText(b"".join(sentence.to_conllu().to_bytes() for sentence in sentences).decode())
        read = []
        while reader.nextSentence(sentence := udpipe.Sentence(), error):
            read.append(sentence)
        if error.occurred():
            raise SystemExit(f"UDPipe cannot read the treebank: {error.message}")
        return read

    def train(self, corpus: Corpus, tokenizer: str, tagger: str, parser: str) -> bytes:
        """With a development set UDPipe keeps the best iteration on it (its ``early_stopping``)."""
        udpipe, error = self.udpipe, self.udpipe.ProcessingError()
        parts = (udpipe.Sentences(self.read(part)) for part in (corpus.train, corpus.dev))
        data = udpipe.Trainer.train("morphodita_parsito", *parts, tokenizer, tagger, parser, error)
        if error.occurred():
            raise SystemExit(f"UDPipe on {corpus.name}: {error.message}")
        return bytes(data)

    def load(self, path: Path) -> Any:
        model = self.udpipe.Model.load(str(path))
        if not model:
            raise SystemExit(f"{path} is no model of UDPipe")
        return model


def has_other_roots(corpus: Corpus) -> bool:
    """Whether a word without a head has another label than ``root``: UDPipe then refuses to have one root."""
    return any(
        head == 0 and label != "root"
        for sentence in corpus.train
        for head, label in zip(sentence.heads.tolist(), sentence.labels, strict=True)
    )


class UDPipe:
    """Its parser alone: words and tags are given, no tokenizer and no tagger is trained."""

    package = PACKAGE
    inputs = "words, gold universal tags and features"

    def __init__(self, options: str) -> None:
        """``options`` are those of UDPipe's ``--parser``, such as ``iterations=20``."""
        self._library = Library()
        self._udpipe = self._library.udpipe
        self._options = options
        self._model: Any = None
        self.name = f"UDPipe 1 ({options or 'its defaults'})"

    def train(self, corpus: Corpus) -> None:
        none, default = self._udpipe.Trainer.NONE, self._udpipe.Trainer.DEFAULT
        options = [self._options] if self._options else []
        if has_other_roots(corpus):
            options.append("single_root=0")
        data = self._library.train(corpus, none, none, ";".join(options) or default)
        with tempfile.TemporaryDirectory() as folder:  # UDPipe loads models from files only
            path = Path(folder) / "model.udpipe"
            path.write_bytes(data)
            self._model = self._library.load(path)

    def prepare(self, sentences: list[Sentence]) -> list[Any]:
        return self._library.read(sentences)

    def parse(self, prepared: list[Any]) -> list[Any]:
        error = self._udpipe.ProcessingError()
        for sentence in prepared:
            if not self._model.parse(sentence, self._udpipe.Model.DEFAULT, error):
                raise SystemExit(f"UDPipe: {error.message}")
        return prepared

    def tree(self, parsed: Any) -> tuple[Any, list[str]]:
        words = list(parsed.words)[1:]  # the first is the root
        return np.array([word.head for word in words], np.int32), [word.deprel for word in words]


class UDPipeFromText:
    """Tokenizer, tagger, and a parser of the tagger's tags, all with UDPipe's defaults."""

    def __init__(self, model: Path) -> None:
        self._library = Library()
        udpipe = self._library.udpipe
        default = udpipe.Pipeline.DEFAULT
        self._model = self._library.load(model)
        self._pipeline = udpipe.Pipeline(self._model, "tokenize", default, default, "conllu")

    @staticmethod
    def train(corpus: Corpus, *, quick: bool = False) -> bytes:
        """A model; a poor one within seconds, where it is for a try."""
        library = Library()
        default = library.udpipe.Trainer.DEFAULT
        tokenizer, tagger, parser = ["epochs=1", "iterations=1", "iterations=1"] if quick else [default] * 3
        if has_other_roots(corpus):
            parser = "single_root=0" if parser == default else f"{parser};single_root=0"
        return library.train(corpus, tokenizer, tagger, parser)

    def __call__(self, text: str) -> bytes:
        """CoNLL-U of a text."""
        error = self._library.udpipe.ProcessingError()
        parsed = self._pipeline.process(text, error)
        if error.occurred():
            raise SystemExit(f"UDPipe: {error.message}")
        return str(parsed).encode()
