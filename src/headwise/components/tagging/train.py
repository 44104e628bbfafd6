"""Train a tagger: from a treebank to its tag set, lexicon and weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import tagging as native
from headwise.base.errors import HeadwiseError
from headwise.components.scoring.templates import TemplateTable
from headwise.components.scoring.word_view import WordViewConfig, look_at_words
from headwise.components.tagging.accuracy import TagScores, tag_scores
from headwise.components.tagging.lemma_scripts import KEEP_FORM, lemma_script
from headwise.components.tagging.lexicon import LexiconBuilder, load_lexicon
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.tagging.tagger import COLUMNS, Tagger, TaggerConfig
from headwise.learning.loop import INTERRUPTED, Listener, Outcome, run_epochs
from headwise.model import Tensors
from headwise.treebank import Sentence, read
from headwise.words.clusters.clusters import Clusters

Source = str | Path | Iterable[Sentence]
Weights = tuple[npt.NDArray[np.float32]]

USED_FROM = 0.05
"""A column is learned when at least this share of the words has something in it."""


def train_tagger(
    train: Source,
    dev: Source | None = None,
    settings: TaggerSettings | None = None,
    *,
    listener: Listener | None = None,
) -> Tagger:
    """Train a tagger (see `headwise.components.tagging.Tagger.train`)."""
    settings, listener = settings or TaggerSettings(), listener or Listener()
    sentences = _load(train)
    dev_sentences = _load(dev) if dev is not None else []
    clusterings = [Clusters.load(file) for file in settings.clusters]
    view, word_tables = look_at_words(sentences, clusterings)
    config = make_config(sentences, settings, view)
    listener.message(f"learning {len(config.tags)} tags from the columns {', '.join(config.columns)}")
    if config.scripts:
        listener.message(f"learning lemmas by {len(config.scripts)} edit scripts")
    tensors: Tensors = dict(word_tables)
    interrupted = False
    if config.scripts:
        lemmas, interrupted = train_lemmas(sentences, config, settings, listener)
        tensors |= lemmas
    if interrupted:  # a tagger without tags is none
        listener.message(INTERRUPTED)
        settings, dev_sentences = replace(settings, epochs=1), []
    outcome, lexicon = train_tags(sentences, dev_sentences, config, settings, listener, tensors)
    config.training.update(
        best_epoch=outcome.best_epoch,
        history=outcome.history,
        interrupted=interrupted or outcome.interrupted,
    )
    return Tagger(config, {**tensors, **lexicon, "tags.weights": outcome.weights[0]})


def _load(source: Source) -> list[Sentence]:
    return list(read(source, validate="columns") if isinstance(source, str | Path) else source)


def make_config(
    sentences: Sequence[Sentence], settings: TaggerSettings, view: WordViewConfig | None = None
) -> TaggerConfig:
    """Decide from the training data what there is to learn."""
    words = sum(map(len, sentences))
    if words == 0:
        raise HeadwiseError("There are no sentences to train a tagger on.")

    def is_used(name: str) -> bool:
        filled: int = sum(value != "_" for s in sentences for value in getattr(s, name))
        return filled >= USED_FROM * words

    columns = [name for name in COLUMNS if is_used(name)]
    if not columns:
        raise HeadwiseError(
            "The training data has no tags: UPOS, XPOS and FEATS are empty. Train on a tagged treebank."
        )
    tags = Counter(tag for sentence in sentences for tag in word_tags(sentence, columns))
    scripts: list[str] = []
    if settings.lemmas and is_used("lemmas"):
        counts = Counter(script for s in sentences for script in sentence_scripts(s))
        scripts = [KEEP_FORM, *(s for s in _by_frequency(counts) if s != KEEP_FORM)]
    table = (
        TemplateTable.built_in("tagging") if settings.templates is None else TemplateTable(settings.templates)
    )
    chosen = {k: v for k, v in asdict(settings).items() if k not in ("threads", "templates")}
    chosen["clusters"] = [Path(file).name for file in settings.clusters]
    return TaggerConfig(
        tags=[list(tag) for tag in _by_frequency(tags)],
        columns=columns,
        templates=list(table.for_tags(columns, view.columns if view else ()).lines),
        bits=settings.bits,
        scripts=scripts,
        lemma_templates=list(TemplateTable.built_in("lemma").lines),
        lemma_bits=settings.bits - 2,
        words=view,
        training={"settings": chosen, "sentences": len(sentences), "words": words},
    )


def _by_frequency(counts: Counter[Any]) -> list[Any]:
    return sorted(counts, key=lambda item: (-counts[item], item))


def word_tags(sentence: Sentence, columns: Sequence[str]) -> list[tuple[str, str, str]]:
    """The tag of every word; "_" in a column that is not learned."""
    nothing = ["_"] * len(sentence)
    upos, xpos, feats = (getattr(sentence, name) if name in columns else nothing for name in COLUMNS)
    return list(zip(upos, xpos, feats, strict=True))


def sentence_scripts(sentence: Sentence) -> list[str]:
    return [lemma_script(form, lemma) for form, lemma in zip(sentence.forms, sentence.lemmas, strict=True)]


def train_tags(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence],
    config: TaggerConfig,
    settings: TaggerSettings,
    listener: Listener,
    others: Tensors,
) -> tuple[Outcome[Weights], Tensors]:
    """The weights of the tags, and their lexicon; ``others`` are the tensors that are there already."""
    number = {tuple(tag): i for i, tag in enumerate(config.tags)}
    labels = [[number[tag] for tag in word_tags(s, config.columns)] for s in sentences]
    builder = LexiconBuilder(len(config.tags))
    for sentence, sentence_labels in zip(sentences, labels, strict=True):
        for form, label in zip(sentence.forms, sentence_labels, strict=True):
            builder.add(form, label)
    tensors = builder.tensors(settings.frequent)
    lexicon = load_lexicon(tensors, len(config.tags))
    seen = Counter(form for sentence in sentences for form in sentence.forms)
    forgetting = {form: settings.forgetting / (settings.forgetting + count) for form, count in seen.items()}
    trainer = _trainer(config.shape(others), settings, len(sentences))
    for sentence, gold in zip(sentences, labels, strict=True):
        candidates = [lexicon.candidates(form) for form in sentence.forms]
        trainer.add(sentence, candidates, gold, [forgetting[form] for form in sentence.forms])
    kept = {f"tags.lexicon.{name}": array for name, array in tensors.items()}

    def evaluate(weights: Weights) -> TagScores:
        tagger = Tagger(config, {**others, **kept, "tags.weights": weights[0]})
        return tag_scores(dev, tagger.pipe(dev, threads=settings.threads))

    return _run(trainer, sentences, settings, evaluate if dev else None, listener), kept


def train_lemmas(
    sentences: Sequence[Sentence], config: TaggerConfig, settings: TaggerSettings, listener: Listener
) -> tuple[Tensors, bool]:
    """The weights of the edit scripts, learned on gold tags, their lexicon, and whether somebody interrupted.

    A form that was seen with a tag has only the lemmas it was seen with. While learning, rare forms are
    treated as if they were new, because new forms are what the weights are for.
    """
    number = {script: i for i, script in enumerate(config.scripts)}
    labels = [[number[script] for script in sentence_scripts(s)] for s in sentences]
    # What the tagger will have at hand: a column that is not tagged is not known.
    contexts = [word_tags(s, [c for c in config.columns if c != "xpos"]) for s in sentences]
    whole_lemmas = frozenset(i for i, script in enumerate(config.scripts) if script.startswith("="))
    builder = LexiconBuilder(len(config.scripts), never_guessed=whole_lemmas)
    for sentence, tags, gold in zip(sentences, contexts, labels, strict=True):
        for form, (upos, _, feats), label in zip(sentence.forms, tags, gold, strict=True):
            builder.add(form, label, f"{upos}\t{feats}", upos)
    learning = load_lexicon(builder.tensors(settings.frequent), len(config.scripts))
    trainer = _trainer(config.lemma_shape(), replace(settings, learner="mira"), len(sentences))
    for sentence, tags, gold in zip(sentences, contexts, labels, strict=True):
        candidates = [
            learning.candidates(form, f"{upos}\t{feats}", upos)
            for form, (upos, _, feats) in zip(sentence.forms, tags, strict=True)
        ]
        trainer.add(sentence, candidates, gold, [0.0] * len(sentence))
    quiet = Listener(progress=listener.progress)
    outcome = _run(trainer, sentences, settings, None, quiet)
    tensors = {f"lemmas.lexicon.{name}": array for name, array in builder.tensors(frequent=1).items()}
    return {**tensors, "lemmas.weights": outcome.weights[0]}, outcome.interrupted


def _trainer(shape: native.SequenceShape, settings: TaggerSettings, examples: int) -> native.SequenceTrainer:
    if settings.learner == "log-linear":
        return native.SequenceTrainer(shape, "log-linear", settings.rate, 3.0 / (settings.epochs * examples))
    return native.SequenceTrainer(shape, settings.learner, settings.aggressiveness)


def _run(
    trainer: native.SequenceTrainer,
    sentences: Sequence[Sentence],
    settings: TaggerSettings,
    evaluate: Callable[[Weights], TagScores] | None,
    listener: Listener,
) -> Outcome[Weights]:
    return run_epochs(
        trainer,
        len(sentences),
        epochs=settings.epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=evaluate,
        listener=listener,
    )
