"""Tasks with words from raw text: clusters (the thesis, chapter 3) and vectors (Lei et al. 2014)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.engine import WORDS, Result
from benchmarks.measuring.attachment import attached, to_json
from benchmarks.measuring.corpus import Corpus, tagless
from benchmarks.measuring.texts import first_words, made, texts_of, write_text_vectors
from benchmarks.measuring.training import corpus_of, measure
from headwise import Parser
from headwise.components.tagging import TaggerSettings, realistic_tags
from headwise.components.tensor.neighbours import Occurrences
from headwise.training import TrainingSettings
from headwise.words.clusters import brown_clusters
from headwise.words.clusters.text import count_words

COLUMNS = ("lemma", "upos", "xpos", "feats")
ORDERS = {"dep1": "first", "dep2": "second"}


def clusters_of(treebank: str, count: int, words: int | None) -> str:
    text = texts_of(treebank)[0]

    def make(path: Path) -> None:
        source = text if words is None else first_words(text, words)
        brown_clusters(count_words([source]).bigrams(2), count).clusters.save(path)

    return str(made(f"{text.name.partition('.')[0]}-{count}-{words}.clusters", make, WORDS))


def vectors_of(treebank: str, words: int | None) -> str:
    text = texts_of(treebank)[0]

    def make(path: Path) -> None:
        write_text_vectors(text, path, width=25 if words else 50, most_words=words)

    return str(made(f"{text.name.partition('.')[0]}-{words}.vec", make, WORDS))


def settings(order: str, clusters: tuple[str, ...], **changes: object) -> TrainingSettings:
    return TrainingSettings.preset(ORDERS[order], labels="none", **{"words__clusters": clusters, **changes})


def tagged(corpus: Corpus, tagger: str, clusters: tuple[str, ...], whole: Corpus) -> Corpus:
    """With predicted tags: of taggers trained on the sentences of the corpus, or on the whole treebank."""
    chosen = TaggerSettings(clusters=clusters)
    if tagger == "reduced" or len(corpus.train) == len(whole.train):
        train, test = realistic_tags(corpus.train, corpus.test, 5, chosen)
        return replace(corpus, train=train, test=test or [])
    of_all, test = realistic_tags(whole.train, corpus.test, 5, chosen)
    place = {id(sentence): i for i, sentence in enumerate(whole.train)}
    return replace(corpus, train=[of_all[place[id(s)]] for s in corpus.train], test=test or [])


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
    everything = corpus_of(treebank, whole, measured, dev="none")
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
    corpus = corpus_of(treebank, sentences, measured, dev="none")
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
    corpus = corpus_of(treebank, sentences, measured, dev="none")
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
