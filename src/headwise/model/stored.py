"""What models share: a configuration and tensors, checked when a file is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError, ModelError
from headwise.base.interruption import finished_first
from headwise.model.bundled import model_path
from headwise.model.file import ModelFile, Table, Tensors, write_model
from headwise.model.schema import from_json, to_json

Shapes = Mapping[str, tuple[int, ...]]
T = TypeVar("T")


class Stored(ABC):
    """A trained thing that a configuration and tensors say all about."""

    KIND: ClassVar[str]
    CONFIG: ClassVar[type]
    """The dataclass of its configuration, which is the schema of the header of its files."""

    PARTS: ClassVar[Mapping[str, type[Stored]]] = {}
    """Models that it is made of, by the names of their fields in its configuration (None there where it has
    no such part) and of its attributes. Their tensors are called PART.NAME in its files."""

    @classmethod
    def own_tables(cls, config: Any, shapes: Shapes) -> dict[str, Table]:
        """The tensors that a model of this configuration may have beside those of its parts.

        ``shapes`` are those that the file claims: what one table says may depend on how long another is.
        """
        return {}

    @classmethod
    def tables(cls, config: Any, shapes: Shapes) -> dict[str, Table]:
        """All tensors that a model of this configuration may have, by their names in files."""
        tables = cls.own_tables(config, shapes)
        for part, kind, own in cls._parts_of(config):
            tables |= in_part(part, kind.tables(own, of_part(part, shapes)))
        return tables

    @classmethod
    def _parts_of(cls, config: Any) -> Iterator[tuple[str, type[Stored], Any]]:
        """The name, the kind and the configuration of every part that there is."""
        for part, kind in cls.PARTS.items():
            if (own := getattr(config, part)) is not None:
                yield part, kind, own

    @classmethod
    def made_parts(cls, config: Any, tensors: Tensors) -> dict[str, Any]:
        """The parts that a file of such a model holds."""
        return {part: kind.made_of(own, of_part(part, tensors)) for part, kind, own in cls._parts_of(config)}

    def tensors_of_parts(self) -> Tensors:
        """As `made_parts` takes them."""
        found: Tensors = {}
        for part in self.PARTS:
            if (own := getattr(self, part)) is not None:
                found |= in_part(part, own.parts()[1])
        return found

    @classmethod
    @abstractmethod
    def made_of(cls, config: Any, tensors: Tensors) -> Self:
        """The model."""

    @abstractmethod
    def parts(self) -> tuple[Any, Mapping[str, npt.NDArray[Any]]]:
        """The configuration and the tensors, as `made_of` takes them."""

    @classmethod
    def in_steps(cls, config: Any, tensors: Tensors, coarseness: float) -> Tensors:
        """The tensors that small files have in steps of their own kind (`headwise.model.packing`)."""
        made: Tensors = {}
        for part, kind, own in cls._parts_of(config):
            made |= in_part(part, kind.in_steps(own, of_part(part, tensors), coarseness))
        return made

    def with_network_bits(self, bits: int) -> Self:
        """The same with 8 or 32 bits for each weight of a network; as it is where there is none."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As what it is made of, so that it can be pickled and copied."""
        config, tensors = self.parts()
        return type(self).made_of, (config, {name: np.asarray(table) for name, table in tensors.items()})

    @classmethod
    def from_tensors(cls, config: Mapping[str, Any], tensors: Tensors) -> Self:
        """What is made of plain values and tensors; ModelError where they do not make one."""
        with unusable(cls.KIND):
            return cls.made_of(from_json(cls.CONFIG, config), tensors)

    def to_tensors(self) -> tuple[dict[str, Any], Tensors]:
        """The configuration as plain values, and the tensors."""
        config, tensors = self.parts()
        return to_json(config), dict(tensors)

    @classmethod
    def load(cls, path: str | Path | ModelFile) -> Self:
        """Read a model file, or one that is open already, or a bundled model by its name (``"en"``)."""
        file = path if isinstance(path, ModelFile) else ModelFile.open(model_path(path))
        require(file, cls.KIND)
        with unusable(cls.KIND, file.path):
            config, tensors = checked(file)
            return cls.made_of(config, tensors)

    def save(self, path: str | Path, *, coarseness: float | None = None) -> None:
        """Write a model file; Ctrl-C waits until it is there.

        With ``coarseness``, weights are rounded to multiples of this share of the typical weight of their
        table. With a quarter (`headwise.model.compression.USUAL`) the file is several times smaller, and
        trees are as good (docs/models.md); ``headwise train`` writes such files.
        """
        with finished_first():
            if coarseness is None:
                write_model(path, self.KIND, *self.to_tensors())
            else:
                from headwise.model.compression import write_small

                write_small(self, path, coarseness)


def of_part(part: str, tables: Mapping[str, T]) -> dict[str, T]:
    """What belongs to one of the parts of a model, where it is called PART.NAME, by its name there."""
    prefix = f"{part}."
    return {name.removeprefix(prefix): table for name, table in tables.items() if name.startswith(prefix)}


def in_part(part: str, tables: Mapping[str, T]) -> dict[str, T]:
    """The other way round."""
    return {f"{part}.{name}": table for name, table in tables.items()}


def require(file: ModelFile, kind: str) -> None:
    """ModelError where a file holds something else."""
    if file.kind != kind:
        raise ModelError(f"{file.path} holds a {file.kind}, where a {kind} is needed.")


@contextmanager
def unusable(
    kind: str, path: str | Path | None = None, remedy: str = "Copy the file again or train it anew."
) -> Iterator[None]:
    """Whatever a file does not fit is a ModelError that names it."""
    place = "this" if path is None else str(path)
    try:
        yield
    except (ModelError, LookupError, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise ModelError(f"{place} is not a usable {kind}: {error}. {remedy}") from error
    except HeadwiseError as error:  # of whoever makes it: what is missing, and what to do
        raise ModelError(f"{place} is not a usable {kind}: {error}") from error
    except MemoryError as error:
        raise ModelError(f"{place} is not a usable {kind}: it needs more memory than there is.") from error


KINDS = {
    "parser": "headwise.components.parser.parser:Parser",
    "parser with an encoder": "headwise.training.neural.encoder_parser:EncoderParser",
    "pipeline": "headwise.pipeline.pipeline:Pipeline",
    "reranker": "headwise.components.reranker.reranker:Reranker",
    "tagger": "headwise.components.tagging.tagger:Tagger",
    "tokenizer": "headwise.components.text.tokenizer:Tokenizer",
    "phrase-structure parser": "headwise.constituency.parser:PhraseParser",
    "pretrained encoder": "headwise.components.network.pretrained:Pretrained",
    "hidden Markov model": "headwise.words.clusters.hmm:HiddenMarkovClusters",
}
"""Where the class of each kind is; imported when a file of that kind is read."""


def kind_of(file: ModelFile) -> type[Stored]:
    """The class of what a file holds."""
    if file.kind not in KINDS:
        raise ModelError(f"{file.path} holds a {file.kind}, which is no model.")
    module, name = KINDS[file.kind].split(":")
    return cast(type[Stored], getattr(import_module(module), name))


def checked(file: ModelFile) -> tuple[Any, Tensors]:
    """The configuration and the tensors of a file of any kind."""
    kind = kind_of(file)
    config: Any = from_json(kind.CONFIG, file.config)
    return config, file.tensors(kind.tables(config, file.shapes))


def read_model(path: str | Path, kind: str) -> tuple[dict[str, Any], Tensors]:
    """The configuration, as plain values, and the tensors of a model file, checked but not made a model."""
    file = ModelFile.open(path)
    require(file, kind)
    with unusable(kind, path):
        return file.config, checked(file)[1]
