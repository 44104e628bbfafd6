"""The parts of a pipeline, one by one: each is a step of a build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from headwise import Parser, Pipeline
from headwise._native.clusters import WordLineCollector
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.tagging import Tagger, TaggerSettings
from headwise.components.tagging.network_opinion import with_network_opinion
from headwise.components.text import Tokenizer
from headwise.components.text.spacing import Spacing
from headwise.learning.loop import Listener
from headwise.model.compression import compress_model
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.pipeline_steps.network import reading_bare_words, train_reader
from headwise.training.pretraining_settings import PretrainingSettings
from headwise.training.settings import TrainingSettings
from headwise.training.unlabelled import read_unlabelled
from headwise.treebank import Sentence
from headwise.treebank.files import read_lines
from headwise.treebank.rewriting import rewritten
from headwise.words.clusters.text import read_words
from models.data import Corpus, words_of
from models.raw_words import CLUSTERS, VECTORS
from models.recipe import Choices, Recipe

MODEL = "model.hw"
REWRITTEN = PipelineSettings().rewrite
"""The share of sentences that are learned as people type them."""


@dataclass(frozen=True)
class Lessons:
    """What a model learns from beside treebanks."""

    words: Path | None = None
    """A folder of clusters and vectors."""
    pretrained: Path | None = None
    """A file of `headwise pretrain`."""
    teacher: Path | None = None
    """A model."""
    unlabelled: Path | None = None
    """Raw text that the teacher is asked about."""

    @property
    def clusters(self) -> tuple[str, ...]:
        return tuple(map(str, sorted(self.words.glob(f"*{CLUSTERS}")))) if self.words is not None else ()

    @property
    def vectors(self) -> str | None:
        path = self.words / VECTORS if self.words is not None else None
        return str(path) if path is not None and path.exists() else None


def train_tokenizer(corpus: Corpus, texts: Sequence[Path], choices: Choices) -> Tokenizer:
    """From the treebank; where that puts spaces around every mark, also as marks stand in raw text."""
    sentences = corpus.train
    if choices.spacing_from_text:
        spacing = Spacing.of_text(line for path in texts for line in read_lines(path))
        sentences = [*sentences, *spacing.respaced(sentences)]
    tokenizer = Tokenizer.train(sentences, rewrite=REWRITTEN)
    whole(tokenizer)
    return tokenizer


def train_tagger(corpus: Corpus, lessons: Lessons, choices: Choices, listener: Listener) -> Tagger:
    settings = TaggerSettings(bits=choices.tagger_bits, clusters=lessons.clusters, seed=choices.seed)
    sentences = rewritten(corpus.train, REWRITTEN, choices.seed)
    tagger = Tagger.train(sentences, corpus.dev, settings=settings, listener=listener)
    whole(tagger)
    return tagger


def network_settings(recipe: Recipe, corpus: Corpus, lessons: Lessons, threads: int) -> TrainingSettings:
    """Of a network alone, which reads bare words; its weights are floats until it is joined with the rest."""
    choices = recipe.choices
    by_torch = lessons.pretrained is not None or lessons.teacher is not None
    own = {"width": choices.width, "epochs": passes(words_of(corpus.train), choices)}
    settings = TrainingSettings.preset(
        "network",
        rules=tuple(obeyed_by(corpus.train)),
        words={
            "clusters": lessons.clusters,
            "vectors": lessons.vectors,
            "vector_words": choices.vector_words,
        },
        network={"bits": 32, **({} if by_torch else own)},
        torch={"use": by_torch},
        seed=choices.seed,
        threads=threads,
    ).changed(**recipe.settings)
    if lessons.pretrained is not None:
        settings = settings.changed(torch={"pretrained": str(lessons.pretrained)})
    if lessons.teacher is not None:
        teaching = {"teachers": (str(lessons.teacher),), "unlabelled": _named(lessons.unlabelled)}
        settings = settings.changed(teaching=teaching)
    return reading_bare_words(settings)


def train_network(
    corpus: Corpus,
    tokenizer: Tokenizer,
    tagger: Tagger,
    settings: TrainingSettings,
    listener: Listener,
    model_path: Path,
) -> Parser:
    """A network that finds tags, heads and labels. A run that was broken off goes on from its state."""
    unlabelled = None
    if settings.teaching.unlabelled:
        read = read_unlabelled(settings.teaching.unlabelled, tokenizer)
        unlabelled = rewritten(read, REWRITTEN, settings.seed)
    network = train_reader(
        rewritten(corpus.train, REWRITTEN, settings.seed),
        corpus.dev,
        tagger,
        unlabelled,
        settings,
        listener,
        model_path=model_path,
        resume=True,
    )
    whole(network)
    for state in model_path.parent.glob(f"{model_path.name}*.state"):
        state.unlink()
    return network


def pretrain(texts: Sequence[Path], tokenizer: Tokenizer, output: Path, listener: Listener) -> None:
    """What raw text teaches a network of PyTorch."""
    from headwise.training.neural import pretraining

    collector = WordLineCollector()
    read_words(list(texts), [collector], tokenizer=tokenizer)
    settings = PretrainingSettings()
    pretraining.pretrain(collector, settings, listener=listener, output=output, resume=True).save(output)


def whole(part: Tagger | Parser | Tokenizer) -> None:
    """KeyboardInterrupt where somebody has ended the training of a part: it is not to be kept."""
    if part.config.training.get("interrupted"):
        raise KeyboardInterrupt


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
    tagger = with_network_opinion(tagger, parser, dev, listener=listener).calibrated(dev)
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


def _named(path: Path | None) -> str | None:
    return None if path is None else str(path)
