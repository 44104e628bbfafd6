"""The models that a server has, by name. All requests share them; they are loaded once and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.parser.parser import Parser
from headwise.components.text import Tokenizer
from headwise.model import ModelFile
from headwise.model.bundled import FOLDER as BUNDLED
from headwise.model.bundled import model_path
from headwise.model.installed import find_installed
from headwise.pipeline.pipeline import Pipeline, load_opened
from headwise.web.serve.model_names import names_of

_LICENCES = {"en": "CC BY-SA 4.0", "en-fast": "CC BY-SA 4.0"}
_ENGLISH = [
    "https://github.com/UniversalDependencies/UD_English-EWT",
    "https://github.com/UniversalDependencies/UD_English-GUM",
]
_SOURCES = {"en": _ENGLISH, "en-fast": _ENGLISH}


@dataclass(frozen=True, eq=False)
class Model:
    """A model as it is served."""

    names: Sequence[str]
    """The first is its own; it answers to all."""
    model: Pipeline | Parser
    licence: str | None = None
    acknowledgements: Sequence[str] = ()

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def parser(self) -> Parser:
        return self.model.parser

    @property
    def tokenizer(self) -> Tokenizer | None:
        return self.model.tokenizer

    @property
    def has_tagger(self) -> bool:
        return self.model.tagger is not None

    @property
    def tools(self) -> list[str]:
        """As ``/models`` says it."""
        return ["tokenizer", "tagger", "parser"] if self.tokenizer else ["parser"]


class Models:
    """All models; the first is the one that is used where none is named."""

    def __init__(self, models: Iterable[Model]) -> None:
        self.all = list(models)
        if not self.all:
            raise HeadwiseError("a server needs a model.")
        self._by_name: dict[str, Model] = {}
        _check_names([model.name for model in self.all])
        for model in self.all:  # own names come before those that other models would only answer to
            self._by_name[model.name] = model
        for model in self.all:
            for name in model.names:
                self._by_name.setdefault(name, model)

    @property
    def default(self) -> Model:
        return self.all[0]

    def find(self, name: str | None) -> Model | None:
        return self.default if name is None else self._by_name.get(name)


def load_models(given: Sequence[str]) -> Models:
    """Models as the command line names them; names are looked at before anything is loaded."""
    _check_names([_named(one)[0][0] for one in given])
    return Models(load_model(one) for one in given)


def load_model(given: str) -> Model:
    """A model as the command line names it: ``en``, ``FILE`` or ``NAME[:NAME…]=NAME|FILE``."""
    called, source = _named(given)
    path = model_path(source)
    file = ModelFile.open(path)
    if file.kind not in (Pipeline.KIND, Parser.KIND):
        raise HeadwiseError(f"{path}: a server needs a pipeline or a parser, and this is a {file.kind}.")
    return Model(called, load_opened(file), *_rights(source, path))


def _rights(source: str, path: Path) -> tuple[str | None, Sequence[str]]:
    """The licence of a model that has a name, and what it was made of."""
    installed = find_installed(source)
    if installed is not None and installed.folder == path.parent:
        return installed.facts["licence"], installed.facts["sources"]
    bundled = source if path.parent == BUNDLED else ""
    return _LICENCES.get(bundled), _SOURCES.get(bundled, ())


def _named(given: str) -> tuple[list[str], str]:
    """The names of a model, and where it is."""
    name, equals, source = given.partition("=")
    if not equals or Path(given).exists():
        name, source = Path(given).name.removesuffix(".hw"), given
    if not (called := names_of(name)):
        raise HeadwiseError(f"{given}: the name of the model is empty. Write NAME=FILE.")
    return called, source


def _check_names(own: Sequence[str]) -> None:
    for name in own:
        if own.count(name) > 1:
            raise HeadwiseError(f"two models are called {name}. Name them: --model NAME=FILE.")
