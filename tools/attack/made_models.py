"""A small model of every kind that Headwise stores, to be damaged.

The kinds are those of `headwise.model.stored.KINDS`. One that is not made here is an error of the attack, so
that no kind is left out because nobody thought of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from attack.target import BrokenPromiseError
from headwise._native import clusters as native
from headwise.components.network.pretrained import Pretrained, PretrainedConfig, Sizes
from headwise.components.parser.parser import Parser
from headwise.components.reranker.reranker import Reranker
from headwise.components.reranker.settings import RerankerSettings
from headwise.components.tagging import Tagger
from headwise.components.text import Tokenizer
from headwise.constituency.brackets import read_brackets
from headwise.constituency.parser import PhraseParser
from headwise.model import Stored
from headwise.model.stored import KINDS
from headwise.pipeline.pipeline import Pipeline
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, read
from headwise.words.clusters.hmm import HiddenMarkovClusters

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures" / "models"
WORDS = ["the", "dog", "sees", "a", "cat"]
SENTENCE = Sentence.from_words(WORDS, upos=["DET", "NOUN", "VERB", "DET", "NOUN"])
_BRACKETS = b"(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (DT a) (NN book)))))\n" * 3
_NEEDS = {"parser with an encoder": "transformers"}
"""Packages without which a model of a kind is neither made nor read."""


def made_models() -> list[Stored]:
    """One of every kind, but for those whose packages are not here."""
    unknown = KINDS.keys() - _MAKERS.keys()
    if unknown:
        raise LookupError(f"no {', '.join(sorted(unknown))} is attacked: make one in {__file__}")
    return [_MAKERS[kind]() for kind in KINDS if kind not in _NEEDS or find_spec(_NEEDS[kind])]


def _sentences() -> list[Sentence]:
    return list(read(FIXTURES / "format-1-first.conllu"))


def _parser() -> Parser:
    return Parser.load(FIXTURES / "format-1-first.hw")


def _tagger() -> Tagger:
    return Tagger.train(_sentences(), epochs=1, bits=10)


def _tokenizer() -> Tokenizer:
    return Tokenizer.train(_sentences(), epochs=1, bits=10)


def _reranker() -> Reranker:
    base = TrainingSettings.preset("first", epochs=1, arc_bits=10, label_bits=10)
    return Reranker.train(_sentences(), base, RerankerSettings(k=3, folds=2, epochs=1, bits=10))


def _pretrained() -> Pretrained:
    sizes = Sizes(vectors=16, pieces=8, layers=1, lstm=16)
    rng = np.random.default_rng(1)
    return Pretrained(
        PretrainedConfig(sizes),
        {
            "vocabulary": np.arange(1, 9),
            "vectors": rng.normal(size=(8, sizes.vectors)).astype(np.float32),
            "layers": rng.normal(size=sizes.layer_weights).astype(np.float32),
        },
    )


def _hidden_markov_model() -> HiddenMarkovClusters:
    states, words = 2, 4
    half = np.full(states, 0.5, np.float32)
    emissions = np.full((words, states), 1 / words, np.float32)
    model = native.HiddenMarkovModel.of_arrays(
        states,
        words,
        half,
        half,
        np.full(states * states, 0.5, np.float32),
        emissions.ravel(),
        np.ones(states),
    )
    return HiddenMarkovClusters.of_model(model, WORDS[: words - 1], ["0", "1"])


def _with_an_encoder() -> Stored:
    raise LookupError("the parser with an encoder is attacked where its packages are: make one here")


_MAKERS: dict[str, Callable[[], Stored]] = {
    "parser": _parser,
    "parser with an encoder": _with_an_encoder,
    "pipeline": lambda: Pipeline(_tokenizer(), _tagger(), _parser()),
    "reranker": _reranker,
    "tagger": _tagger,
    "tokenizer": _tokenizer,
    "phrase-structure parser": lambda: PhraseParser.train(read_brackets(_BRACKETS)),
    "pretrained encoder": _pretrained,
    "hidden Markov model": _hidden_markov_model,
}


def use(model: Any) -> None:
    """A model that was taken works: its answers are trees, and its numbers are numbers."""
    if isinstance(model, Pipeline):
        list(model.tokenizer("the dog sees a cat."))
        use(model.tagger)
        use(model.parser)
    elif isinstance(model, Tokenizer):
        list(model("the dog sees a cat. the cat"))
    elif isinstance(model, Tagger):
        model(WORDS)
    elif isinstance(model, PhraseParser):
        json.dumps(model(WORDS[:3]).to_json(), allow_nan=False)
    elif isinstance(model, Reranker):
        json.dumps(model(SENTENCE).to_json(), allow_nan=False)
    elif isinstance(model, HiddenMarkovClusters):
        if not np.isfinite(model.states(WORDS).posteriors).all():
            raise BrokenPromiseError("a posterior is no number")
    elif isinstance(model, Parser):
        _use_parser(model)
    else:
        str(model)


def _use_parser(parser: Parser) -> None:
    json.dumps(parser(SENTENCE).to_json(), allow_nan=False)
    parses = list(parser.pipe([SENTENCE], confidence=True))
    if parser.config.has_exact_probabilities:
        parses += parser.k_best(SENTENCE, 3)
    for parse in parses:
        json.dumps(parse.to_json(), allow_nan=False)
        assert parse.confidence is not None
        if not np.isfinite(parse.confidence).all():
            raise BrokenPromiseError("a probability is no number")
