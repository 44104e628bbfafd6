"""From a recipe to a model: the steps, and what each is made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import headwise
from headwise import Parser, Pipeline
from headwise.components.tagging import Tagger
from headwise.components.text import Tokenizer
from headwise.learning.loop import Listener
from models import training
from models.data import Corpus, Places, words_of
from models.packages import RESULTS, write_package
from models.raw_words import learn_words
from models.recipe import Choices, Recipe, RecipeError
from models.scoring import judged, published, validated
from models.steps import Kept, Steps, file_digest

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

    def run(self) -> Kept:
        """All steps; what is there already stays."""
        recipe, choices = self.recipe, self.recipe.choices
        data = self.places.data_of(recipe)
        splits = self.places.digests((*data.train, *data.dev))
        texts = [self.places.text(name) for name in recipe.text]
        learned = {"splits": splits, "held out": choices.held_out, "program": headwise.__version__}
        corpus = _once(lambda: Corpus.load(self.places, data, choices.held_out))

        spacing = _digests(texts) if choices.spacing_from_text else {}
        tokenizer = self.steps.kept(
            "tokenizer",
            {**learned, "text": spacing},
            lambda folder: training.train_tokenizer(corpus(), texts, choices).save(folder / "tokenizer.hw"),
        )
        words = self._words(texts, tokenizer)
        learned["words"] = words.key if words else None
        tagger = self.steps.kept(
            "tagger",
            {**learned, **_of(choices, "tagger_bits", "seed")},
            lambda folder: training.train_tagger(corpus(), _folder(words), choices, self.listener).save(
                folder / "tagger.hw"
            ),
        )
        network = self.steps.kept(
            "network",
            {
                **learned,
                "tagger": tagger.key,
                **_of(choices, "width", "words_read", "epochs", "vector_words", "seed"),
            },
            lambda folder: training.train_network(
                corpus(),
                Tagger.load(tagger.folder / "tagger.hw"),
                _folder(words),
                choices,
                self.listener,
                folder / "network.hw",
                self.threads,
            ).save(folder / "network.hw"),
        )

        def join(folder: Path) -> None:
            pipeline = training.joined(
                Tokenizer.load(tokenizer.folder / "tokenizer.hw"),
                Tagger.load(tagger.folder / "tagger.hw"),
                Parser.load(network.folder / "network.hw"),
                corpus().dev,
                choices,
                self.listener,
            )
            training.write_small(pipeline, choices, folder)
            facts = {"train": words_of(corpus().train), "dev": words_of(corpus().dev)}
            (folder / "words.json").write_text(json.dumps(facts), encoding="utf-8")

        model = self.steps.kept(
            "model",
            {
                "parts": [tokenizer.key, tagger.key, network.key],
                **_of(choices, "coarseness", "layer_coarseness"),
            },
            join,
        )
        return self._judged(model, corpus)

    def _words(self, texts: list[Path], tokenizer: Kept) -> Kept | None:
        """Clusters and vectors; None where there is no raw text."""
        choices = self.recipe.choices
        if not texts or not (choices.clusters or choices.vectors):
            return None
        return self.steps.kept(
            "words",
            {
                "text": _digests(texts),
                "tokenizer": tokenizer.key,
                **_of(choices, "clusters", "vectors", "text_words"),
            },
            lambda folder: learn_words(
                texts, Tokenizer.load(tokenizer.folder / "tokenizer.hw"), choices, folder
            ),
        )

    def _judged(self, model: Kept, corpus: Callable[[], Corpus]) -> Kept:
        data = self.places.data_of(self.recipe)

        def judge(folder: Path) -> None:
            path = model.folder / training.MODEL
            facts: dict[str, Any] = {
                "model": self.recipe.code,
                "key": model.key,
                "bytes": path.stat().st_size,
                "digest": file_digest(path),
                "words": json.loads((model.folder / "words.json").read_text(encoding="utf-8")),
                "release": self.places.release is not None,
                **judged(Pipeline.load(path), corpus().tests(self.places, data), folder),
                "published": published(self.places, [split.treebank for split in data.test]),
            }
            outputs = sorted(folder.glob("*.conllu"))
            language = self.recipe.code.partition("-")[0]
            facts["valid"] = {level: validated(outputs, language, level) for level in VALID_LEVELS}
            (folder / RESULT).write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")

        return self.steps.kept("scores", {"model": model.key, "test": self.places.digests(data.test)}, judge)

    def package(self) -> Path:
        """Writes the package of the model that is made, and keeps its result beside the recipes."""
        scores = self.steps.folder / "scores"
        if not (scores / RESULT).is_file():
            raise RecipeError(f"{self.recipe.code} is not made: python -m models build {self.recipe.code}")
        result = json.loads((scores / RESULT).read_text(encoding="utf-8"))
        data = self.places.data_of(self.recipe)
        folder = write_package(self.recipe, data, self.steps.folder / "model" / training.MODEL, result)
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps(result, indent=1, ensure_ascii=False)
        (RESULTS / f"{self.recipe.code}.json").write_text(f"{text}\n", encoding="utf-8")
        return folder


def with_choices(recipe: Recipe, **changes: Any) -> Recipe:
    """The recipe with other choices, for trials."""
    return replace(recipe, choices=replace(recipe.choices, **changes))


def _of(choices: Choices, *names: str) -> dict[str, Any]:
    return {name: value for name, value in asdict(choices).items() if name in names}


def _digests(texts: list[Path]) -> dict[str, str]:
    return {path.name: file_digest(path) for path in texts}


def _folder(kept: Kept | None) -> Path | None:
    return kept.folder if kept is not None else None


def _once(make: Callable[[], Corpus]) -> Callable[[], Corpus]:
    """What is made when it is asked for first."""
    made: list[Corpus] = []

    def get() -> Corpus:
        if not made:
            made.append(make())
        return made[0]

    return get
