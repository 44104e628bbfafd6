"""From a recipe to a model: the steps, and what each is made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import headwise
from headwise import Parser, Pipeline
from headwise.components.tagging import Tagger
from headwise.components.text import Tokenizer
from headwise.learning.loop import Listener
from headwise.model.bundled import FOLDER as BUNDLED
from models import training
from models.data import Corpus, Places, words_of
from models.packages import RESULTS, write_package
from models.raw_words import learn_words
from models.recipe import Data, Recipe, RecipeError
from models.scoring import judged, published, validated
from models.steps import Kept, Steps, file_digest
from models.training import MODEL, Lessons

RESULT = "result.json"
VALID_LEVELS = (2, 3)
"""Of the official validator: the format, and what holds for all languages."""


@dataclass(frozen=True)
class Build:
    """One model being made."""

    recipe: Recipe
    places: Places
    folder: Path
    """Where steps are kept; each recipe has a folder there."""
    say: Callable[[str], None] = print
    threads: int = 1
    """The model does not depend on it."""

    @property
    def steps(self) -> Steps:
        return Steps(self.folder / self.recipe.code, self.say)

    @property
    def listener(self) -> Listener:
        return Listener(message=lambda text: self.say(f"{self.recipe.code}: {text}"))

    @cached_property
    def data(self) -> Data:
        return self.places.data_of(self.recipe)

    @cached_property
    def texts(self) -> list[Path]:
        return [self.places.text(name) for name in self.recipe.text]

    @cached_property
    def corpus(self) -> Corpus:
        """Read when a step asks for it first."""
        return Corpus.load(self.places, self.data, self.recipe.choices.held_out)

    def run(self) -> Kept:
        """All steps, to the scores; what is there already stays."""
        return self._scores(self.model())

    def model(self) -> Kept:
        """All steps to the model."""
        tokenizer = self._tokenizer()
        words = self._words(tokenizer)
        tagger = self._tagger(words)
        network = self._network(tokenizer, words, tagger)

        def join(folder: Path) -> None:
            pipeline = training.joined(
                Tokenizer.load(tokenizer.folder / MODEL),
                Tagger.load(tagger.folder / MODEL),
                Parser.load(network.folder / MODEL),
                self.corpus.dev,
                self.recipe.choices,
                self.listener,
            )
            training.write_small(pipeline, self.recipe.choices, folder)
            words = {"train": words_of(self.corpus.train), "dev": words_of(self.corpus.dev)}
            (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")

        parts = [tokenizer.key, tagger.key, network.key]
        inputs = {"parts": parts, **self._choices("coarseness", "layer_coarseness")}
        return self.steps.kept("model", inputs, join)

    def _learned(self) -> dict[str, Any]:
        """What every part is learned from."""
        return {
            "splits": self.places.digests((*self.data.train, *self.data.dev)),
            "documents": dict(self.data.documents),
            "program": headwise.__version__,
            **self._choices("held_out", "seed"),
        }

    def _tokenizer(self) -> Kept:
        choices = self.recipe.choices
        texts = self.texts if choices.spacing_from_text else []

        def make(folder: Path) -> None:
            training.train_tokenizer(self.corpus, texts, choices).save(folder / MODEL)

        return self.steps.kept("tokenizer", {**self._learned(), "text": _digests(texts)}, make)

    def _words(self, tokenizer: Kept) -> Kept | None:
        """Clusters and vectors; None where there is no raw text."""
        recipe, choices, texts = self.recipe, self.recipe.choices, self.texts
        if not texts or not (choices.clusters or choices.vectors):
            return None

        def make(folder: Path) -> None:
            learn_words(texts, Tokenizer.load(tokenizer.folder / MODEL), choices, recipe.lexicon, folder)

        inputs = {"text": _digests(texts), "tokenizer": tokenizer.key}
        return self.steps.kept(
            "words", {**inputs, **self._choices("clusters", "vectors", "text_words")}, make
        )

    def _tagger(self, words: Kept | None) -> Kept:
        def make(folder: Path) -> None:
            lessons = Lessons(words=_folder(words))
            tagger = training.train_tagger(self.corpus, lessons, self.recipe.choices, self.listener)
            tagger.save(folder / MODEL)

        inputs = {**self._learned(), "words": _key(words), **self._choices("tagger_bits")}
        return self.steps.kept("tagger", inputs, make)

    def _network(self, tokenizer: Kept, words: Kept | None, tagger: Kept) -> Kept:
        pretrained, teacher = self._pretrained(tokenizer), self._teacher()
        lessons = Lessons(
            words=_folder(words),
            pretrained=pretrained.folder / MODEL if pretrained is not None else None,
            teacher=teacher.folder / MODEL if teacher is not None else None,
            unlabelled=self.texts[0] if teacher is not None and self.texts else None,
        )

        def make(folder: Path) -> None:
            network = training.train_network(
                self.corpus,
                Tokenizer.load(tokenizer.folder / MODEL),
                Tagger.load(tagger.folder / MODEL),
                training.network_settings(self.recipe, self.corpus, lessons, self.threads),
                self.listener,
                folder / MODEL,
            )
            network.save(folder / MODEL)

        inputs = {
            **self._learned(),
            "others": [_key(kept) for kept in (words, tagger, pretrained, teacher)],
            "settings": {group: dict(changes) for group, changes in self.recipe.settings.items()},
            **self._choices("width", "words_read", "epochs", "vector_words"),
        }
        return self.steps.kept("network", inputs, make)

    def _pretrained(self, tokenizer: Kept) -> Kept | None:
        """What raw text taught; None where the recipe asks for nothing of the kind."""
        if not self.recipe.pretraining:
            return None

        def make(folder: Path) -> None:
            read = Tokenizer.load(tokenizer.folder / MODEL)
            training.pretrain(self.texts, read, folder / MODEL, self.listener)

        return self.steps.kept(
            "pretraining", {"text": _digests(self.texts), "tokenizer": tokenizer.key}, make
        )

    def _teacher(self) -> Kept | None:
        """The model of another recipe, which is made first."""
        if not self.recipe.teacher:
            return None
        return replace(self, recipe=Recipe.load(self.recipe.teacher)).model()

    def _scores(self, model: Kept) -> Kept:
        tests = self.data.test

        def judge(folder: Path) -> None:
            path = model.folder / MODEL
            scores = judged(Pipeline.load(path), self.corpus.tests(self.places, self.data), folder)
            language, outputs = self.recipe.code.partition("-")[0], sorted(folder.glob("*.conllu"))
            result = {
                "model": self.recipe.code,
                "key": model.key,
                "bytes": path.stat().st_size,
                "digest": file_digest(path),
                "words": json.loads((model.folder / "words.json").read_text(encoding="utf-8")),
                "release": self.places.release is not None,
                **scores,
                "valid": {level: validated(outputs, language, level) for level in VALID_LEVELS},
                "published": published(self.places, [split.treebank for split in tests]),
            }
            _write_json(folder / RESULT, result)

        return self.steps.kept("scores", {"model": model.key, "test": self.places.digests(tests)}, judge)

    def package(self) -> Path:
        """Puts the model that is made where its recipe says, and its result beside the recipes."""
        scores, model = self.steps.folder / "scores" / RESULT, self.steps.folder / "model" / MODEL
        if not scores.is_file():
            raise RecipeError(f"{self.recipe.code} is not made: python -m models build {self.recipe.code}")
        if self.recipe.place == "nowhere":
            return model
        if self.recipe.place == "bundled":
            target = BUNDLED / f"{self.recipe.code}.hw"
            target.write_bytes(model.read_bytes())
            return target
        result = json.loads(scores.read_text(encoding="utf-8"))
        RESULTS.mkdir(exist_ok=True)
        _write_json(RESULTS / f"{self.recipe.code}.json", result)
        return write_package(self.recipe, self.data, model, result)

    def _choices(self, *names: str) -> dict[str, Any]:
        return {name: value for name, value in asdict(self.recipe.choices).items() if name in names}


def with_choices(recipe: Recipe, **changes: Any) -> Recipe:
    """The recipe with other choices, for trials."""
    return replace(recipe, choices=replace(recipe.choices, **changes))


def _digests(texts: list[Path]) -> dict[str, str]:
    return {path.name: file_digest(path) for path in texts}


def _folder(kept: Kept | None) -> Path | None:
    return kept.folder if kept is not None else None


def _key(kept: Kept | None) -> str | None:
    return kept.key if kept is not None else None


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
