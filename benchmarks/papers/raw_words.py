"""Tasks with words from raw text: clusters (the thesis, chapter 3) and vectors (Lei et al. 2014)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from attachment import attached
from clusters import COLUMNS, TEXTS, settings, tagged
from corpus import Corpus
from figure_markers import REPOSITORY
from headwise import Parser
from headwise.components.tensor.neighbours import Occurrences
from headwise.training import TrainingSettings
from headwise.treebank.files import read_lines
from headwise.words.clusters import brown_clusters
from headwise.words.clusters.text import count_words
from papers.tasks import Result
from papers.training import corpus_of, measure, to_json
from shared_data import DATA
from tensor import tagless
from text_vectors import write_text_vectors

WORK = REPOSITORY / "build" / "papers"
"""Clusters and vectors, made once."""


def text_of(treebank: str) -> Path:
    language = next(name for name in TEXTS if name in treebank)
    return DATA / "text" / f"{TEXTS[language][0]}.txt.xz"


def made(name: str, make: Callable[[Path], None]) -> str:
    """A file, made where it is not there."""
    path = WORK / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{os.getpid()}-{name}")
        make(part)
        part.replace(path)
    return str(path)


def clusters_of(treebank: str, count: int, words: int | None) -> str:
    text = text_of(treebank)

    def make(path: Path) -> None:
        part = path.with_suffix(".part.txt")
        write_words(text, part, words)
        brown_clusters(count_words([part]).bigrams(2), count).clusters.save(path)
        part.unlink()

    return made(f"{text.name.partition('.')[0]}-{count}-{words}.txt", make)


def write_words(text: Path, path: Path, words: int | None) -> None:
    """So many words of a text, by whole lines."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        for line in islice(read_lines(text), None):
            file.write(line)
            written += len(line.split())
            if words is not None and written >= words:
                return


def vectors_of(treebank: str, words: int | None) -> str:
    text = text_of(treebank)

    def make(path: Path) -> None:
        write_text_vectors(text, path, width=25 if words else 50, most_words=words)

    return made(f"{text.name.partition('.')[0]}-{words}.vec", make)


def four(
    treebank: str,
    size: int | None,
    whole: int | None,
    measured: int | None,
    epochs: int,
    clusters: int,
    text_words: int | None,
    tags: str = "reduced",
    frequent: int | None = None,
    labels: bool = False,
) -> Result:
    """dep1, dep1c, dep2 and dep2c: first and second order, without and with clusters, on predicted tags.

    ``tags`` are of a tagger trained on the whole treebank (full), on the sentences that parsers see
    (reduced), or none.
    """
    everything = corpus_of(treebank, whole, measured, dev=False)
    corpus = everything if size is None else everything.sample(size, seed=1)
    files = (clusters_of(treebank, clusters, text_words),)
    changes: dict[str, Any] = {"words__frequent": frequent, "epochs": epochs, "calibrate": False}
    if labels:
        changes["labels"] = "separate"
    if tags == "none":
        changes["words__ignore"] = COLUMNS
    result: Result = {"sentences": len(corpus.train)}
    for suffix, chosen in (("", ()), ("c", files)):
        data = corpus if tags == "none" else tagged(corpus, tags, chosen, everything)
        for order in ("dep1", "dep2"):
            # The order's own settings say that there are no labels; what is changed wins.
            base = settings(order, chosen, **{k: v for k, v in changes.items() if k != "labels"})
            own = base.changed(labels="separate") if labels else base
            result[order + suffix] = _measured(data, own)
    return result


def _measured(corpus: Corpus, chosen: TrainingSettings) -> Result:
    parser = Parser.train(corpus.train, settings=chosen)
    return {"test": {"map": measure(parser, corpus.test, "map")}}


def with_vectors(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    text_words: int | None,
    settings: Mapping[str, Any],
    tags: bool = True,
    vectors: bool = True,
) -> Result:
    """A parser with or without vectors of words, with or without tags, features and lemmas."""
    corpus = corpus_of(treebank, sentences, measured, dev=False)
    if not tags:
        corpus = replace(corpus, train=tagless(corpus.train), test=tagless(corpus.test))
    changes: dict[str, Any] = {"labels": "none", "calibrate": False, "epochs": epochs, **settings}
    if vectors:
        changes["words"] = {"vectors": vectors_of(treebank, text_words)}
    parser = Parser.train(corpus.train, settings=TrainingSettings.preset("first", **changes))
    return {"test": {"map": measure(parser, corpus.test, "map")}}


def neighbours(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    settings: Mapping[str, Any],
    queries: list[str],
) -> Result:
    """Words that a tensor takes for alike (Lei et al. 2014, Table 5)."""
    corpus = corpus_of(treebank, sentences, measured, dev=False)
    changes = {"labels": "none", "calibrate": False, "epochs": epochs, **settings}
    parser = Parser.train(corpus.train, settings=TrainingSettings.preset("first", **changes))
    assert parser.config.tensor is not None
    occurrences = Occurrences.read(parser.config.tensor, parser.weights, corpus.train)
    return {
        "near": {
            query: [word for word, _ in occurrences.neighbours(query.split()) or ()] for query in queries
        },
        "uas": to_json(attached(corpus.test, [parse.heads for parse in parser.pipe(corpus.test)])),
    }
