"""spaCy's transition-based parser over a small convolutional network, by spaCy's own recipe for the CPU."""

from __future__ import annotations

import sys
import tempfile
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring.corpus import Corpus, root_label
from headwise.treebank import Sentence


class SpaCy:
    """``spacy init config --pipeline parser`` and ``spacy train``, for no particular language.

    It sees words only, not tags, and keeps the best step on the development set.
    """

    package = "spacy"
    inputs = "words"

    def __init__(self, steps: int | None) -> None:
        """At most so many training steps; None for the recipe's own limits."""
        self._spacy: Any = import_module(self.package)
        self._nlp: Any = self._spacy.blank("xx")
        self._steps = steps
        self._root_label = "root"
        self.name = (
            f"spaCy {self._spacy.__version__} ({f'at most {steps:,} steps' if steps else 'its defaults'})"
        )

    def train(self, corpus: Corpus) -> None:
        corpus = corpus.with_dev()  # spaCy cannot train without
        self._root_label = root_label(corpus.train)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            for name, part in (("train", corpus.train), ("dev", corpus.dev)):
                docs = [self._doc_with_tree(sentence) for sentence in part]
                self._spacy.tokens.DocBin(docs=docs).to_disk(folder / f"{name}.spacy")
            init_config = import_module("spacy.cli.init_config").init_config
            config = init_config(lang="xx", pipeline=["parser"], optimize="efficiency")
            config.to_disk(folder / "config.cfg")
            overrides: dict[str, Any] = {
                "paths.train": str(folder / "train.spacy"),
                "paths.dev": str(folder / "dev.spacy"),
            }
            if self._steps:
                overrides |= {
                    "training.max_steps": self._steps,
                    "training.eval_frequency": min(200, self._steps),
                }
            train = import_module("spacy.cli.train").train
            with redirect_stdout(sys.stderr):  # where progress goes
                train(folder / "config.cfg", folder / "model", overrides=overrides)
            self._nlp = self._spacy.load(folder / "model" / "model-best")

    def prepare(self, sentences: list[Sentence]) -> list[Any]:
        return [self._doc(sentence) for sentence in sentences]

    def parse(self, prepared: list[Any]) -> list[Any]:
        return list(self._nlp.pipe(prepared))

    def tree(self, parsed: Any) -> tuple[Any, list[str]]:
        # spaCy's root is its own head, under a label of its own.
        heads = [0 if word.head.i == word.i else word.head.i + 1 for word in parsed]
        labels = [
            self._root_label if head == 0 else word.dep_ for head, word in zip(heads, parsed, strict=True)
        ]
        return np.array(heads, np.int32), labels

    def _doc(self, sentence: Sentence) -> Any:
        """The words of one sentence, which the parser may not cut in two."""
        starts = [True] + [False] * (len(sentence) - 1)
        return self._spacy.tokens.Doc(self._nlp.vocab, words=sentence.forms, sent_starts=starts)

    def _doc_with_tree(self, sentence: Sentence) -> Any:
        heads = sentence.heads.tolist()
        return self._spacy.tokens.Doc(
            self._nlp.vocab,
            words=sentence.forms,
            heads=[word if head == 0 else head - 1 for word, head in enumerate(heads)],
            deps=["ROOT" if head == 0 else label for head, label in zip(heads, sentence.labels, strict=True)],
        )
