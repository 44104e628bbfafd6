"""A recipe: what a model of a language is made of, and what differs from the defaults."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from headwise.base.errors import HeadwiseError

Place = Literal["package", "bundled", "nowhere"]
RECIPES = Path(__file__).parent / "recipes"


class RecipeError(HeadwiseError):
    """A recipe that does not say what it must."""


@dataclass(frozen=True)
class Split:
    """A part of a treebank: ``German-GSD:dev``."""

    treebank: str
    name: str

    @classmethod
    def read(cls, text: str) -> Split:
        treebank, colon, name = text.partition(":")
        if not (treebank and colon and name):
            raise RecipeError(f"{text!r} is no part of a treebank: write TREEBANK:SPLIT, German-GSD:dev")
        return cls(treebank, name)

    def __str__(self) -> str:
        return f"{self.treebank}:{self.name}"


@dataclass(frozen=True)
class Data:
    """Which treebanks a model learns from, and which judge it."""

    train: tuple[Split, ...]
    dev: tuple[Split, ...] = ()
    """Decides how much the network counts for tags, and fits probabilities. None: some sentences of ``train``
    are held out."""
    test: tuple[Split, ...] = ()
    """None: the sentences that are held out judge too, where there is nothing else."""
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of treebanks that are named here, only the documents whose names begin so are learned from."""

    @property
    def treebanks(self) -> list[str]:
        """Those that the model learns from."""
        return list(dict.fromkeys(split.treebank for split in (*self.train, *self.dev)))


@dataclass(frozen=True)
class Choices:
    """What may differ from language to language."""

    width: int = 128
    """Of the network's layers."""
    words_read: int = 800_000
    """The network reads the treebank until it has read about so many words, …"""
    epochs: tuple[int, int] = (4, 40)
    """… in no fewer and no more passes than these."""
    clusters: int = 500
    """Of words, from raw text; 0: none."""
    vectors: int = 64
    """Numbers of a vector of a word, from raw text; 0: there are none."""
    vector_words: int = 20_000
    """The most frequent words have vectors."""
    lexicon_forms: int = 40_000
    """Where the recipe names a lexicon, so many of its forms are taken."""
    text_words: int = 1_000_000
    """So many words of raw text are read, about."""
    tagger_bits: int = 19
    """The weight table of the tagger has 2**bits entries."""
    coarseness: float = 1.0
    """The steps that weights are rounded to, as shares of a typical one."""
    layer_coarseness: float = 0.3
    """The same of the layers of the network."""
    held_out: float = 0.06
    """The share of the training data that stands in for a development set."""
    spacing_from_text: bool = False
    """Whether the treebank puts spaces around every mark, so that raw text must say where they are."""
    seed: int = 1


@dataclass(frozen=True)
class Recipe:
    """How the model of a language is made."""

    code: str
    """The name of the model, and of the file of the recipe: ``de``."""
    language: str
    licence: str
    """Of the model: what the licences of its treebanks ask for."""
    data: Data
    release: Data | None = None
    """The same where a whole release of Universal Dependencies is at hand; None: the same treebanks."""
    complete: bool = False
    """Whether ``data`` is all that the authors of the judged treebanks give for training."""
    version: int = 1
    """Of the recipe."""
    ud: str = "2.17"
    """The release of Universal Dependencies that the treebanks are of, as far as one can be named."""
    text: tuple[str, ...] = ()
    """Files of raw text."""
    sources: tuple[str, ...] = ()
    """Of the raw text, by their names in ``sources.toml``."""
    lexicon: str = ""
    """The language whose table of lemmas (``simplemma``) tells how words inflect, beside raw text."""
    notes: tuple[str, ...] = ()
    """What whoever uses the model should know: sentences for the card."""
    example: str = ""
    """A sentence of the language, for the card and the package's test."""
    choices: Choices = field(default_factory=Choices)
    pretraining: bool = False
    """Whether raw text teaches a network of PyTorch first (docs/pretraining.md)."""
    teacher: str = ""
    """The recipe of a model whose network teaches a network of PyTorch (docs/distillation.md)."""
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of the training of the network, by group (`headwise.training.TrainingSettings`), beside ``choices``."""
    place: Place = "package"
    """Where the model goes: into a package of its own, into Headwise's, or nowhere, as it only teaches."""

    @property
    def package(self) -> str:
        return f"headwise-{self.code}"

    @classmethod
    def load(cls, code: str, folder: Path = RECIPES) -> Recipe:
        path = folder / f"{code}.toml"
        if not path.is_file():
            known = ", ".join(codes(folder))
            raise RecipeError(f"there is no recipe {code} (there are: {known}); write {path}")
        try:
            return cls.of(code, tomllib.loads(path.read_text(encoding="utf-8")))
        except (tomllib.TOMLDecodeError, RecipeError, TypeError) as error:
            raise RecipeError(f"{path}: {error}") from error

    @classmethod
    def of(cls, code: str, table: Mapping[str, Any]) -> Recipe:
        """The recipe that a file says, as TOML reads it."""
        known = {f.name for f in fields(cls)} - {"code"}
        if unknown := sorted(set(table) - known):
            raise RecipeError(f"a recipe has no {', '.join(unknown)} (it has {', '.join(sorted(known))})")
        given = _tuples(table)
        given["data"] = _data(given.get("data"), "data")
        if "release" in given:
            given["release"] = _data(given["release"], "release")
        given["choices"] = _choices(given.get("choices", {}))
        if given.get("place", "package") not in get_args(Place):
            raise RecipeError(f"place is {given['place']!r}, must be one of: {', '.join(get_args(Place))}")
        if missing := [name for name in ("language", "licence") if name not in given]:
            raise RecipeError(f"it does not say its {' and '.join(missing)}")
        return cls(code=code, **given)


def codes(folder: Path = RECIPES) -> list[str]:
    """All recipes, by name."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def _data(table: Any, name: str) -> Data:
    if not isinstance(table, Mapping) or not table.get("train"):
        raise RecipeError(f"[{name}] must say what to train on")
    if unknown := sorted(set(table) - {f.name for f in fields(Data)}):
        raise RecipeError(f"[{name}] has no {', '.join(unknown)} (it has train, dev, test, documents)")
    splits = {part: tuple(map(Split.read, table.get(part, ()))) for part in ("train", "dev", "test")}
    return Data(**splits, documents=_tuples(table.get("documents", {})))


def _choices(table: Mapping[str, Any]) -> Choices:
    known = {f.name for f in fields(Choices)}
    if unknown := sorted(set(table) - known):
        raise RecipeError(f"[choices] has no {', '.join(unknown)} (it has {', '.join(sorted(known))})")
    given: dict[str, Any] = _tuples(table)
    return Choices(**given)


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
