"""What tokenizers and taggers share: a configuration and tensors, alone in a file or part of a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from headwise.model import ModelError, Tensors, read_model, write_model


class Component:
    """A trained thing that a configuration and tensors say all about."""

    KIND: ClassVar[str]
    CONFIG: ClassVar[Callable[..., Any]]
    config: Any
    _tensors: Tensors

    def __init__(self, config: Any, tensors: Tensors) -> None:
        self.config = config
        self._tensors = tensors

    def __reduce__(self) -> tuple[Any, ...]:
        """As what it is made of, so that it can be pickled and copied."""
        tensors = {name: np.asarray(tensor) for name, tensor in self._tensors.items()}
        return type(self), (self.config, tensors)

    def to_tensors(self) -> tuple[dict[str, Any], Tensors]:
        """The configuration and the tensors."""
        return asdict(self.config), self._tensors

    @classmethod
    def from_tensors(cls, config: Mapping[str, Any], tensors: Tensors) -> Self:
        """What is made of these; ModelError where they do not make one."""
        try:
            return cls(cls.CONFIG(**config), tensors)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"not a usable {cls.KIND}: {error}. Train it anew.") from error

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model file."""
        config, tensors = read_model(path, cls.KIND)
        try:
            return cls.from_tensors(config, tensors)
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error

    def save(self, path: str | Path) -> None:
        """Write a model file."""
        write_model(path, self.KIND, *self.to_tensors())
