"""The parts of a pipeline, one by one: each is a step of a build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from headwise import Parser, Pipeline
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.tagging import Tagger, TaggerSettings
from headwise.components.tagging.hearing import hearing_network
from headwise.components.text import Tokenizer
from headwise.components.text.spacing import Spacing
from headwise.learning.loop import Listener
from headwise.model.compression import compress_model
from headwise.pipeline.pipeline import REWRITTEN
from headwise.training.pipeline_network import reading_bare_words, train_reader
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence
from headwise.treebank.files import read_lines
from headwise.treebank.rewriting import rewritten
from models.data import Corpus, words_of
from models.raw_words import CLUSTERS, VECTORS
from models.recipe import Choices

MODEL = "model.hw"


def train_tokenizer(corpus: Corpus, texts: Sequence[Path], choices: Choices) -> Tokenizer:
    """From the treebank; where it does not say where spaces are, by how marks stand in raw text."""
    sentences = corpus.train
    if choices.spacing_from_text:
        spacing = Spacing.of_text(line for path in texts for line in read_lines(path))
        sentences = spacing.respaced(sentences)
    return Tokenizer.train(sentences, rewrite=REWRITTEN)


def train_tagger(corpus: Corpus, words: Path | None, choices: Choices, listener: Listener) -> Tagger:
    settings = TaggerSettings(bits=choices.tagger_bits, clusters=_clusters(words), seed=choices.seed)
    return Tagger.train(_retyped(corpus, choices), corpus.dev, settings=settings, listener=listener)


def train_network(
    corpus: Corpus,
    tagger: Tagger,
    words: Path | None,
    choices: Choices,
    listener: Listener,
    model_path: Path,
    threads: int = 1,
) -> Parser:
    """A network alone, which reads bare words and finds tags, heads and labels; in floats."""
    vectors = words / VECTORS if words is not None else None
    settings = TrainingSettings.preset(
        "network",
        rules=tuple(obeyed_by(corpus.train)),
        words={
            "clusters": _clusters(words),
            "vectors": str(vectors) if vectors is not None and vectors.exists() else None,
            "vector_words": choices.vector_words,
        },
        network={"width": choices.width, "epochs": passes(words_of(corpus.train), choices), "bits": 32},
        seed=choices.seed,
        threads=threads,
    )
    network = train_reader(
        _retyped(corpus, choices),
        corpus.dev,
        tagger,
        None,
        reading_bare_words(settings),
        listener,
        model_path=model_path,
        resume=True,
    )
    assert network is not None  # it has no features that could do without
    for state in model_path.parent.glob(f"{model_path.name}*.state"):
        state.unlink()
    return network


def joined(
    tokenizer: Tokenizer,
    tagger: Tagger,
    network: Parser,
    dev: Sequence[Sentence],
    choices: Choices,
    listener: Listener,
) -> Pipeline:
    """The parts as one, the network in bytes, what is chosen and fitted on ``dev`` chosen and fitted."""
    parser = in_bytes(network, choices.layer_coarseness)
    tagger = hearing_network(tagger, parser, dev, listener=listener).calibrated(dev)
    return Pipeline(tokenizer, tagger, parser.calibrated(list(tagger.pipe(dev))))


def in_bytes(parser: Parser, coarseness: float) -> Parser:
    """The same with a network in bytes, its layers rounded before: few different weights are small."""
    network = parser.config.network
    assert network is not None
    tables = {name: np.asarray(parser.weights[name]) for name in network.table_names}
    others = {name: table for name, table in parser.weights.items() if name not in tables}
    if coarseness:
        step = np.float32(coarseness * np.sqrt(np.mean(np.square(tables["network"]))))
        tables["network"] = np.round(tables["network"] / step) * step
    network, tables = network.with_bits(8, tables, len(parser.config.labels))
    return Parser(replace(parser.config, network=network), {**others, **tables})


def write_small(pipeline: Pipeline, choices: Choices, folder: Path) -> None:
    """The model file of a package, and nothing else."""
    full = folder / "full.hw"
    pipeline.save(full)
    compress_model(full, folder / MODEL, coarseness=choices.coarseness)
    full.unlink()


def passes(words: int, choices: Choices) -> int:
    """How often the network reads a treebank of so many words."""
    least, most = choices.epochs
    return min(most, max(least, round(choices.words_read / max(1, words))))


def _clusters(words: Path | None) -> tuple[str, ...]:
    return tuple(map(str, sorted(words.glob(f"*{CLUSTERS}")))) if words is not None else ()


def _retyped(corpus: Corpus, choices: Choices) -> list[Sentence]:
    """As people type, here and there: in lower case, in capitals, without a full stop."""
    return rewritten(corpus.train, REWRITTEN, choices.seed)
