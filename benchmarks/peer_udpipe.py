"""UDPipe 1 (Straka and Straková 2017): a transition-based parser with a small neural network, on the CPU."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from corpus import Corpus, root_label
from headwise.treebank import Sentence


class UDPipe:
    """Its parser alone: words and tags are given, no tokenizer and no tagger is trained.

    With a development set UDPipe keeps the best iteration on it (its ``early_stopping``).
    """

    package = "ufal.udpipe"
    inputs = "words, gold universal tags and features"

    def __init__(self, options: str) -> None:
        """``options`` are those of UDPipe's ``--parser``, such as ``iterations=20``."""
        self._udpipe: Any = import_module(self.package)
        self._options = options
        self._model: Any = None
        self.name = f"UDPipe 1 ({options or 'its defaults'})"

    def train(self, corpus: Corpus) -> None:
        udpipe, error = self._udpipe, self._udpipe.ProcessingError()
        options = [self._options] if self._options else []
        if root_label(corpus.train) != "root":
            options.append("single_root=0")  # which UDPipe has for the labels of UD only
        data = udpipe.Trainer.train(
            "morphodita_parsito",
            udpipe.Sentences(self.prepare(corpus.train)),
            udpipe.Sentences(self.prepare(corpus.dev)),
            udpipe.Trainer.NONE,
            udpipe.Trainer.NONE,
            ";".join(options) or udpipe.Trainer.DEFAULT,
            error,
        )
        if error.occurred():
            raise SystemExit(f"UDPipe on {corpus.name}: {error.message}")
        with tempfile.TemporaryDirectory() as folder:  # UDPipe loads models from files only
            path = Path(folder) / "model.udpipe"
            path.write_bytes(bytes(data))
            self._model = udpipe.Model.load(str(path))

    def prepare(self, sentences: list[Sentence]) -> list[Any]:
        udpipe, error = self._udpipe, self._udpipe.ProcessingError()
        reader = udpipe.InputFormat.newConlluInputFormat()
        reader.setText(b"".join(sentence.to_conllu().to_bytes() for sentence in sentences).decode())
        read = []
        while reader.nextSentence(sentence := udpipe.Sentence(), error):
            read.append(sentence)
        if error.occurred():
            raise SystemExit(f"UDPipe cannot read the treebank: {error.message}")
        return read

    def parse(self, prepared: list[Any]) -> list[Any]:
        error = self._udpipe.ProcessingError()
        for sentence in prepared:
            if not self._model.parse(sentence, self._udpipe.Model.DEFAULT, error):
                raise SystemExit(f"UDPipe: {error.message}")
        return prepared

    def tree(self, parsed: Any) -> tuple[Any, list[str]]:
        words = list(parsed.words)[1:]  # the first is the root
        return np.array([word.head for word in words], np.int32), [word.deprel for word in words]
